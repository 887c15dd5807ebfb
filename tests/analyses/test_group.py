"""Captures looked at together, and what an analysis of them may say."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pyarrow as pa
import pytest
from tests.repository.making import make_capture

from webgeist.analyses.group import Grain, Group, GroupAnalysis, Member

SCHEMA = pa.schema([pa.field("words", pa.int32())])
START = datetime(2026, 1, 1, tzinfo=UTC)


def member(number: int, url: str) -> Member:
    return Member(f"c{number}", url, START + timedelta(days=number))


MEMBERS = (member(1, "http://h.test/a"), member(2, "http://h.test/b"), member(3, "http://h.test/a"))


def group(opened: list[str] | None = None) -> Group:
    def load(capture: str) -> Any:
        if opened is not None:
            opened.append(capture)
        return make_capture(1, nodes=0 if capture == "c2" else 5)

    return Group("h.test", MEMBERS, load)


def analysis(gives: Any) -> GroupAnalysis:
    return GroupAnalysis("counts", "1", SCHEMA, lambda _: gives, Grain.HOST)


def test_the_newest_capture_of_each_url() -> None:
    assert {m.capture for m in group().newest()} == {"c2", "c3"}


def test_captures_are_opened_when_their_turn_comes_and_those_without_a_page_are_left_out() -> None:
    opened: list[str] = []
    turns = group(opened).subjects()
    assert opened == []
    assert next(turns)[0].capture == "c1"
    assert opened == ["c1"]
    assert [each.capture for each, _ in turns] == ["c3"]
    some = group(opened).newest()
    assert [each.capture for each, _ in group().subjects(some)] == ["c3"]


def test_what_several_need_is_made_once() -> None:
    one, things = group(), iter(["made", "made again"])
    for _ in range(2):
        assert one.shared("thing", lambda: next(things)) == "made"


def test_rows_are_sorted_by_capture_and_stay_in_order_within() -> None:
    rows = analysis(pa.table({"capture": ["c3", "c1", "c3"], "words": [7, 1, 2]})).rows(group())
    assert rows.to_pydict() == {"capture": ["c1", "c3", "c3"], "words": [1, 7, 2]}
    assert rows.schema.field("words").type == pa.int32()


@pytest.mark.parametrize(
    ("gives", "says"),
    [
        (pa.table({"words": [1]}), "other columns"),
        (pa.table({"capture": ["c1"], "words": [1], "more": [1]}), "other columns"),
        (pa.table({"capture": ["c1", "c9"], "words": [1, 2]}), "not asked about: c9"),
    ],
)
def test_what_was_not_promised_is_refused(gives: pa.Table, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        analysis(gives).rows(group())
