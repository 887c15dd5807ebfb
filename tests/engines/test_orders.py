"""What workers are asked, and what becomes of their answers."""

from __future__ import annotations

from datetime import UTC, datetime

from webgeist.analyses.group import Member
from webgeist.engines.orders import Ended, Order

TIME = datetime(2026, 1, 1, tzinfo=UTC)
ORDER = Order(
    tuple(Member(f"c{n}", "http://h.test/", TIME) for n in range(4)), {"menus": "2"}, "h.test"
)


def test_a_worker_hears_who_belongs_to_a_group() -> None:
    message = ORDER.message(["menus"])
    assert message["name"] == "h.test"
    assert message["analyses"] == ["menus"]
    assert message["members"][3] == ("c3", "http://h.test/", TIME.isoformat())


def test_each_capture_has_its_rows_and_its_share_of_the_time() -> None:
    results = ORDER.results(Ended("menus", "ok", "", {"c1": 5}, 40.0))
    assert [(each.capture, each.rows, each.ms) for each in results] == [
        ("c0", 0, 10.0),
        ("c1", 5, 10.0),
        ("c2", 0, 10.0),
        ("c3", 0, 10.0),
    ]
    assert {(each.analysis, each.version, each.outcome) for each in results} == {
        ("menus", "2", "ok")
    }
