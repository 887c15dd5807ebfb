"""What the doctor says of good keys and of bad ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webgeist.scrape.doctor import missing_parts, never_repeats, pairs, suggest
from webgeist.scrape.records import examine, programs
from webgeist.scrape.sql_log import SqlLog

if TYPE_CHECKING:
    from tests.scrape.making import Lab

    from webgeist.scrape.doctor import BlockReport

ADA = {"name": "J. Smith", "town": "Ulm", "phone": "12", "born": 1950}
BOB = {"name": "J. Smith", "town": "Bonn", "phone": "77", "born": 1980}


def test_two_things_under_one_key() -> None:
    (found,) = pairs([(["J. Smith"], ADA), (["J. Smith"], BOB)])
    assert (found.one, found.other) == (ADA, BOB)
    assert found.differing == ["town", "phone", "born"]


def test_one_thing_that_changed_a_little() -> None:
    moved = ADA | {"phone": "13"}
    assert pairs([(["J. Smith"], ADA), (["J. Smith"], moved)]) == []
    assert pairs([(["J. Smith"], ADA), (["J. Smith"], ADA)]) == []


def test_the_worst_pair_comes_first() -> None:
    small = [(["a"], {"n": "a", "x": 1, "y": 2}), (["a"], {"n": "a", "x": 3, "y": 4})]
    found = pairs([*small, (["J. Smith"], ADA), (["J. Smith"], BOB)])
    assert [pair.key for pair in found] == [["J. Smith"], ["a"]]


def test_missing_parts() -> None:
    keys = ['{"key":["a",""]}', '{"key":["a",0]}', '{"key":[null]}', '{"key":["a",[]]}']
    assert missing_parts(keys) == [keys[0], keys[2], keys[3]]


def test_keys_that_never_repeat() -> None:
    assert never_repeats([(10, 0), (10, 0)])
    assert not never_repeats([(10, 0)])
    assert not never_repeats([(10, 0), (10, 1)])
    assert not never_repeats([(10, 0), (0, 0)])


def table(run: int) -> list[dict[str, Any]]:
    return [
        {
            "title": f"Paper {number % 7}",
            "year": 1990 + number // 7,
            "views": run * 1000 + number * 13,
            "note": None if number % 3 else "x",
        }
        for number in range(21)
    ]


def test_columns_that_could_be_a_key() -> None:
    rows = [*table(1), *table(2)]
    best = suggest(rows, [1] * 21 + [2] * 21)[0]
    assert best.columns == ["title", "year"]
    assert best.stable == 1.0
    assert suggest([], []) == []


def test_a_counter_is_no_key_even_if_it_tells_all_apart() -> None:
    rows = [*table(1), *table(2)]
    found = suggest(rows, [1] * 21 + [2] * 21)
    assert all("views" not in each.columns for each in found[:1])


def test_runs_that_only_bring_new_things_say_nothing() -> None:
    first = [{"title": f"A {n}"} for n in range(9)]
    later = [{"title": f"B {n}"} for n in range(9)]
    best = suggest(first + later, [1] * 9 + [2] * 9)[0]
    assert (best.columns, best.distinct, best.stable) == (["title"], 1.0, None)


def report(lab: Lab) -> dict[str, BlockReport]:
    log = SqlLog(lab.store)
    assert programs(log) == ["program"]
    found = {each.block: each for each in examine(log, "program")}
    log.close()
    return found


def test_a_log(either_lab: Lab) -> None:
    for time in range(2):
        with either_lab.run() as run:
            for person in (ADA, BOB):
                for _ in run.skip_block("Person", "J. Smith", fresh=run.runs(0)):
                    run.output(person if time else ADA)
                for _ in run.skip_block("Visit", time, person["town"], None):
                    run.output(town=person["town"])
    found = report(either_lab)
    assert found["Visit"].never_repeats
    assert len(found["Visit"].missing) == 4
    assert not found["Person"].missing
    assert found["Person"].keys == 1
    assert found["Person"].records == 2


def test_a_log_with_two_people_of_one_name(lab: Lab) -> None:
    for person in (ADA, BOB):
        with lab.run() as run:
            for _ in run.skip_block("Person", "J. Smith", fresh=run.runs(0)):
                run.output(person)
    (pair,) = report(lab)["Person"].pairs
    assert pair.key == ["J. Smith"]
    assert pair.differing == ["town", "phone", "born"]
