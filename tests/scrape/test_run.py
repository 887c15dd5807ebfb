"""What a run does: skips, commits, puts out rows, and tells the time."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from tests.scrape.making import DAY, GoneError, Lab, scrape

from webgeist import ALWAYS, Run
from webgeist.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WORLD = {"Ada": ["Engines", "Notes"], "Bob": ["Trees"]}
ROWS = [
    {"author": "Ada", "paper": "Engines"},
    {"author": "Ada", "paper": "Notes"},
    {"author": "Ada", "papers": 2},
    {"author": "Bob", "paper": "Trees"},
    {"author": "Bob", "papers": 1},
]


def test_the_example(either_lab: Lab) -> None:
    with either_lab.run() as run:
        scrape(run, WORLD)
        assert [dict(row) for row in run.rows()] == ROWS
        assert run.counts.rows == 5
    assert either_lab.rows() == ROWS
    assert run.counts.committed == 5


def test_a_second_run_skips_everything(either_lab: Lab) -> None:
    visited: list[str] = []
    for _ in range(2):
        with either_lab.run() as run:
            scrape(run, WORLD, visited.append)
    assert visited == ["Ada", "Ada/Engines", "Ada/Notes", "Bob", "Bob/Trees"]
    assert run.counts.skipped == 2
    assert either_lab.rows() == ROWS


@pytest.mark.parametrize("at", ["Ada", "Ada/Engines", "Ada/Notes", "Bob", "Bob/Trees"])
def test_a_failed_run_goes_on(either_lab: Lab, at: str) -> None:
    visited: list[str] = []

    def visit(page: str) -> None:
        visited.append(page)
        if page == at and visited.count(at) == 1:
            raise GoneError(page)

    either_lab.fail(lambda run: scrape(run, WORLD, visit))
    before = list(visited)
    with either_lab.run() as run:
        scrape(run, WORLD, visit)
    assert sorted(map(str, either_lab.rows())) == sorted(map(str, ROWS))
    done = {page for page in before if page != at}
    assert {page for page in visited[len(before) :] if page in done} <= {at.partition("/")[0]}


def test_inner_blocks_stay_when_the_outer_fails(lab: Lab) -> None:
    def body(run: Run) -> None:
        for _ in run.skip_block("Author", "Ada"):
            run.output(lost=True)
            for _ in run.skip_block("Paper", "Engines", within="Author"):
                run.output(kept=True)
            raise GoneError

    lab.fail(body)
    assert lab.rows() == [{"kept": True}]


def test_keys_with_ancestors_are_others(lab: Lab) -> None:
    with lab.run() as run:
        for author in ("Ada", "Bob"):
            for _ in run.skip_block("Author", author):
                for _ in run.skip_block("Paper", "Shared", within="Author"):
                    run.output(author=author)
                for _ in run.skip_block("Work", "Shared"):
                    run.output(first=author)
    assert lab.rows() == [{"author": "Ada"}, {"first": "Ada"}, {"author": "Bob"}]


def test_output_outside_of_blocks_is_permanent_at_once(lab: Lab) -> None:
    def body(run: Run) -> None:
        run.output(row=1)
        assert lab.rows() == [{"row": 1}]

    lab.fail(body)
    assert lab.rows() == [{"row": 1}]


def test_programs_in_one_store_know_nothing_of_each_other(lab: Lab) -> None:
    for name in ("one", "other"):
        with lab.run(name) as run:
            for _ in run.skip_block("B", 1):
                run.output(program=name)
    assert lab.rows("one") == [{"program": "one"}]
    assert lab.rows("other") == [{"program": "other"}]


# --- how fresh ---------------------------------------------------------------------------------


def times_done(lab: Lab, how: Callable[[Run], Any], pauses: list[float]) -> list[bool]:
    """Whether a block is done in runs that have these pauses (in days) before them."""
    done = []
    for pause in pauses:
        lab.hands.now += pause * DAY
        with lab.run() as run:
            done.append(run.skip("B", 1, lambda: None, fresh=how(run)))
    return done


def test_last_days(lab: Lab) -> None:
    done = times_done(lab, lambda run: run.last(days=7), [0, 3, 3.9, 0.2, 7])
    assert done == [True, False, False, True, False]


def test_runs(lab: Lab) -> None:
    done = times_done(lab, lambda run: run.runs(2), [0] * 6)
    assert done == [True, False, False, True, False, False]


def test_no_runs_only_goes_on_after_a_failure(lab: Lab) -> None:
    for _ in range(2):
        lab.fail(lambda run: run.skip("B", 1, lambda: run.output(row=1), fresh=run.runs(0)))
    with lab.run() as run:
        assert not run.skip("B", 1, lambda: None, fresh=run.runs(0))
    with lab.run() as run:
        assert run.skip("B", 1, lambda: None, fresh=run.runs(0))
    assert lab.rows() == [{"row": 1}]


def test_the_logical_clock_stands_still_while_runs_fail(lab: Lab) -> None:
    with lab.run() as run:
        run.skip("B", 1, lambda: None)
    done: list[bool] = []
    for _ in range(5):
        lab.fail(lambda run: done.append(run.skip("B", 1, lambda: None, fresh=run.runs(1))))
    assert done == [False] * 5


def test_always(lab: Lab) -> None:
    assert times_done(lab, lambda _: ALWAYS, [0, 0, 0]) == [True, True, True]
    with lab.run() as run:
        assert [run.skip("C", 1, lambda: None, fresh=ALWAYS) for _ in range(2)] == [True, True]


def test_unless_changed(lab: Lab) -> None:
    done = []
    for text in ("a  b", "a b ", "a c", "a c", "a b", b"a b", b"a b"):
        with lab.run() as run:
            done.append(run.skip("B", 1, lambda: None, fresh=run.unless_changed(text)))
    assert done == [True, False, True, False, True, True, False]


def test_a_clock_that_goes_back(lab: Lab) -> None:
    """Within a run nothing gets younger; what a wrong clock wrote is done once more."""
    with lab.run() as run:
        run.skip("B", 1, lambda: None)
        lab.hands.now -= 5 * DAY
        assert not run.skip("B", 1, lambda: None, fresh=run.last(hours=1))
        run.skip("B", 2, lambda: None)
    with lab.run() as run:
        fresh = run.last(days=1)
        assert run.skip("B", 1, lambda: None, fresh=fresh)
        assert not run.skip("B", 1, lambda: None, fresh=fresh)
        assert not run.skip("B", 2, lambda: None)
    rows = list(lab.run().rows())
    assert rows == []


# --- duplicates --------------------------------------------------------------------------------


def feed(run: Run, posts: range, most: int = 3) -> list[int]:
    seen = []
    for post in run.stop_after_duplicates(most).over(posts):
        seen.append(post)
        for _ in run.skip_block("Post", post):
            run.output(post=post)
    return seen


def test_a_feed_stops_at_what_is_known(lab: Lab) -> None:
    with lab.run() as run:
        assert feed(run, range(10, 0, -1)) == list(range(10, 0, -1))
    with lab.run() as run:
        assert feed(run, range(12, 0, -1)) == [12, 11, 10, 9, 8]


def test_a_feed_does_not_stop_at_what_a_failed_run_has_left(lab: Lab) -> None:
    with lab.run() as run:
        feed(run, range(4, 0, -1))
    lab.fail(lambda run: feed(run, range(20, 10, -1)))
    with lab.run() as run:
        assert feed(run, range(20, 0, -1)) == list(range(20, 1, -1))
    assert sorted(row["post"] for row in lab.rows()) == list(range(1, 21))


def test_a_feed_that_goes_in_circles_is_left(lab: Lab) -> None:
    with lab.run() as run:
        circle = [1, 2, 3, 4] * 5
        seen = []
        stop = run.stop_after_duplicates(3)
        for post in circle:
            if stop.reached:
                break
            seen.append(post)
            run.skip("Post", post, lambda: None)
    assert seen == [1, 2, 3, 4, 1, 2, 3]


def test_duplicates_of_a_name_count_wherever_they_are(lab: Lab) -> None:
    for _ in range(2):
        with lab.run() as run:
            stop = run.stop_after_duplicates(4, block="Hour")
            for day in range(3):
                for _ in run.skip_block("Day", run.number, day):
                    for hour in range(2):
                        run.skip("Hour", (day, hour), lambda: None)
    assert stop.in_a_row == 6
    assert stop.reached


def test_duplicates_further_inside_do_not_count(lab: Lab) -> None:
    for _ in range(2):
        with lab.run() as run:
            stop = run.stop_after_duplicates(2)
            for day in range(3):
                for _ in run.skip_block("Day", run.number, day):
                    for hour in range(4):
                        run.skip("Hour", hour, lambda: None)
            assert not stop.reached


# --- rows --------------------------------------------------------------------------------------


def test_rows_know_where_they_come_from(lab: Lab) -> None:
    with lab.run() as run:
        run.output(a=1)
        lab.hands.now += DAY
        for _ in run.skip_block("B", 1):
            run.output({"b": 2}, source="http://shop.localhost/b", c=3)
    first, second = lab.run().rows()
    assert (first.run, first.source, first.block) == (1, None, "")
    assert (second.source, second.block) == ("http://shop.localhost/b", "B")
    assert second == {"b": 2, "c": 3}
    assert second.time - first.time == DAY


def test_values(lab: Lab) -> None:
    with lab.run() as run:
        run.output(
            day=dt.date(2026, 3, 2),
            price=Decimal("9.50"),
            count=Decimal(3),
            text="Größe \x00 \u2028",
            nested={"a": [1, None, True]},
            number=np.float64(0.5),
            several={"b", "a"},
        )
    assert lab.rows() == [
        {
            "day": "2026-03-02",
            "price": 9.5,
            "count": 3,
            "text": "Größe \x00 \u2028",
            "nested": {"a": [1, None, True]},
            "number": 0.5,
            "several": ["a", "b"],
        }
    ]


@pytest.mark.parametrize("value", [object(), float("nan"), b"x", "\udc00"])
def test_a_value_that_cannot_be_kept(lab: Lab, value: object) -> None:
    with lab.run() as run:
        for _ in run.skip_block("B", 1):
            with pytest.raises(UsageError):
                run.output(value=value)
            run.output(value="good")
    assert lab.rows() == [{"value": "good"}]


def test_many_rows_come_in_order(lab: Lab) -> None:
    with lab.run() as run:
        for _ in run.skip_block("B", 1):
            for number in range(2500):
                run.output(number=number)
    assert [row["number"] for row in lab.rows()] == list(range(2500))


# --- bad input ---------------------------------------------------------------------------------


def test_unknown_ancestors(lab: Lab) -> None:
    with lab.run() as run:
        for _ in run.skip_block("Author", 1):
            with pytest.raises(UsageError, match=r"within City, which is not open.*Author"):
                run.skip_block("Paper", 1, within=["Author", "City"])
        with pytest.raises(UsageError, match="open are: none"):
            run.skip_block("Paper", 1, within="Author")


def test_a_name_inside_itself(lab: Lab) -> None:
    with lab.run() as run:
        for _ in run.skip_block("Folder", 1):
            with pytest.raises(UsageError, match="cannot stand inside itself"):
                run.skip_block("Folder", 2)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda run: run.skip_block("B"),
        lambda run: run.skip_block("", 1),
        lambda run: run.skip_block("B", object()),
        lambda run: run.skip_block("B", 1, fresh=7),
        lambda run: run.skip_block("B", 1, retries=-1),
        lambda run: run.last(),
        lambda run: run.last(days=-1),
        lambda run: run.runs(-1),
        lambda run: run.stop_after_duplicates(0),
        lambda run: run.unless_changed(7),
        lambda run: run.output(),
        lambda run: run.output({1: 2}),
    ],
)
def test_refused_in_a_sentence(lab: Lab, wrong: Callable[[Run], object]) -> None:
    with lab.run() as run:
        with pytest.raises(UsageError) as caught:
            wrong(run)
        assert caught.value.remedy


def test_a_run_must_be_under_way(lab: Lab) -> None:
    run = lab.run()
    with pytest.raises(RuntimeError, match="not under way"):
        run.output(a=1)
    with run, pytest.raises(RuntimeError, match="under way already"):
        run.__enter__()
    with pytest.raises(RuntimeError, match="not under way"):
        run.skip_block("B", 1)


def test_a_run_can_be_used_again(lab: Lab) -> None:
    run = lab.run()
    numbers = []
    for _ in range(2):
        with run:
            numbers.append(run.number)
    assert numbers == [1, 2]


def test_there_is_nothing_to_read(lab: Lab, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no commit log"):
        lab.rows()
    assert not list(tmp_path.iterdir())
    with lab.run("other"):
        pass
    with pytest.raises(NotFoundError, match="knows no program"):
        lab.rows()
