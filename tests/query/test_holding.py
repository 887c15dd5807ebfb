"""Columns that are asked for again and again are in memory, and nobody sees it but the clock."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from webgeist.query import holding
from webgeist.query.ask import ask, database_of, explain
from webgeist.query.attached import attach
from webgeist.query.database import Limits
from webgeist.query.holding import NOTHING, Held, Holding
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webgeist.repository.release import Release

QUERY = {"$from": "@dom", "$where": {"class": "nav"}, "$select": ["page_id", "node", "name"]}
READ = {"nodes": ["attributes.class", "capture", "name", "node"]}


@pytest.fixture
def own(world: Path) -> Iterator[Release]:
    """A release of this test alone: nobody has asked it."""
    with open_repository(world, readonly=True) as repository, repository.release() as opened:
        yield opened


@pytest.fixture
def eager(own: Release, monkeypatch: pytest.MonkeyPatch) -> Release:
    """One that holds what was asked for twice, however quick reading was."""
    monkeypatch.setattr(holding, "_AT_LEAST", 0)
    monkeypatch.setattr(holding, "_SECONDS", 0)
    return own


def _rows(answer: Any) -> list[str]:
    return sorted(map(repr, answer.rows()))


# --- what is worth it ----------------------------------------------------------------------------


def test_who_asks_once_copies_nothing(own: Release) -> None:
    assert Holding(own, 1_000).due(READ, 1e9) == []


def test_what_was_read_longer_than_copying_takes_is_copied(own: Release) -> None:
    one = Holding(own, 1_000)
    assert one.due(READ, 0.005) == []
    assert one.due(READ, 0.005) == []
    assert one.due(READ, 0.015) == ["nodes"]
    assert one.wanted("nodes") == set(READ["nodes"])


def test_more_columns_have_to_pay_for_themselves(own: Release) -> None:
    one = Holding(own, 1_000)
    one.due(READ, 1)
    one.due(READ, 1)
    one.done("nodes", one.wanted("nodes"))
    assert one.due(READ, 1) == []  # all of it is there
    more = {"nodes": [*READ["nodes"], "x"]}
    assert [one.due(more, seconds) for seconds in (0, 0, 1)] == [[], [], ["nodes"]]
    assert one.wanted("nodes") == set(more["nodes"])


def test_no_more_than_memory_has(own: Release) -> None:
    small = Holding(own, 0)
    assert [small.due(READ, 1) for _ in range(3)] == [[], [], []]


@pytest.mark.parametrize("odd", ["attributes", "attributes.it's", "attributes.viewBox"])
def test_lists_and_odd_attributes_stay_in_files(own: Release, odd: str) -> None:
    """And with them whatever is asked together with them: copying that would not help."""
    one = Holding(own, 1_000)
    for _ in range(5):
        assert one.due({"nodes": [odd, "name"]}, 1) == []
    assert one.wanted("nodes") == {"name"}
    assert one.due({"nodes": ["name"]}, 1) == ["nodes"]


def test_tables_of_one_question_are_copied_together(own: Release) -> None:
    """The small one with the large one: half of a join in memory helps nobody."""
    one = Holding(own, 1_000)
    both = {"nodes": ["capture", "name"], "captures": ["capture", "url"]}
    assert [one.due(both, seconds) for seconds in (0.015, 0.015, 0.015)] == [
        [],
        [],
        ["captures", "nodes"],
    ]


def test_names_without_end_are_not_remembered_without_end(own: Release) -> None:
    one = Holding(own, 1_000)
    for number in range(5_000):
        one.due({"nodes": ["name", f"attributes.data-{number}"]}, 0)
    assert len(one._asked) <= 2_000
    assert one.due({"nodes": ["name"]}, 1) == ["nodes"]


def test_what_went_wrong_is_not_tried_again(own: Release) -> None:
    one = Holding(own, 1_000)
    one.due(READ, 1)
    assert one.due(READ, 1) == ["nodes"]
    one.give_up("nodes")
    assert one.due(READ, 1) == []


def test_which_tables_lack_something() -> None:
    held = Held({"nodes": frozenset({"x"}), "pages": frozenset({"depth"})}, (9, 2))
    assert held.lacking({"nodes": ["x"], "pages": ["depth", "url"], "links": []}) == {"pages"}
    assert held.without({"nodes"}) == Held({"pages": frozenset({"depth"})}, (9, 2))
    assert NOTHING.readings() == {}


# --- what is asked of it -------------------------------------------------------------------------


def test_the_same_answer_from_memory(eager: Release) -> None:
    from_files, _, from_memory = (ask(eager, QUERY) for _ in range(3))
    assert "read_parquet" in from_files.sql
    assert "read_parquet" not in from_memory.sql
    assert "held" in from_memory.sql
    assert _rows(from_memory) == _rows(from_files) != []
    assert from_memory.table.schema == from_files.table.schema


def test_a_query_that_nobody_asked_before_reads_what_others_brought(eager: Release) -> None:
    for _ in range(2):
        ask(eager, QUERY)
    other = ask(eager, {"$from": "@dom", "$where": {"name": "p"}, "$count": 1})
    assert "read_parquet" not in other.sql


def test_one_column_that_is_not_there_means_files(eager: Release) -> None:
    for _ in range(2):
        ask(eager, QUERY)
    query = QUERY | {"$select": ["node", "class", "depth"]}
    answer = ask(eager, query)
    assert "held" not in answer.sql
    assert len(answer) == len(ask(eager, QUERY))


def test_tables_in_memory_and_in_files_are_joined(eager: Release) -> None:
    query = {"$from": "@dom", "$where": {"name": "p"}, "$select": ["page_id", "@page.url"]}
    first = ask(eager, query)
    for _ in range(2):
        ask(eager, {"$from": "@dom", "$where": {"name": "p"}, "$select": ["page_id"]})
    mixed = ask(eager, {**query, "$limit": 1_000_000})
    assert "held" in mixed.sql
    assert _rows(mixed) == _rows(first) != []


@pytest.mark.parametrize("name", ["P", "p", "lineargradient", "LINEARGRADIENT", "nothing"])
def test_names_of_elements_in_any_case(eager: Release, name: str) -> None:
    query = {"$from": "@dom", "$where": {"tagName": name}, "$select": ["page_id", "node"]}
    found = [_rows(ask(eager, query)) for _ in range(4)]
    assert found == [found[0]] * 4


def test_a_table_that_was_attached_stays_where_it_is(
    own: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(holding, "_AT_LEAST", 0)
    attach(own, "prices", pa.table({"price": [3], "capture": pa.array([None], pa.string())}))
    counts = [list(ask(own, {"$from": "@prices", "$max": "price"}).rows()) for _ in range(4)]
    assert counts == [counts[0]] * 4
    assert not database_of(own).held.columns


def test_explanations_are_of_files(eager: Release) -> None:
    for _ in range(3):
        ask(eager, QUERY)
    found = explain(eager, QUERY)
    assert "read_parquet" in found.sql
    assert found.tables == READ


def test_what_cannot_be_copied_is_read_from_files(
    eager: Release, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(Holding, "statements", lambda *_: ["CREATE TABLE held.nodes AS SELECT 1/"])
    with caplog.at_level("INFO"):
        answers = [ask(eager, QUERY) for _ in range(4)]
    assert all("read_parquet" in each.sql for each in answers)
    assert len(caplog.records) == 1  # it is not tried again
    assert not database_of(eager).held.columns


def test_memory_of_queries_bounds_it(own: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holding, "_AT_LEAST", 0)
    monkeypatch.setattr(holding, "_TEXT_BYTES", 10**9)
    for _ in range(4):
        assert "read_parquet" in ask(own, QUERY).sql
    plain = {"$from": "@dom", "$where": {"name": "p"}, "$count": 1}
    assert "held" in [ask(own, plain) for _ in range(3)][-1].sql


def test_databases_of_other_sizes_hold_other_columns(eager: Release) -> None:
    """What one has in memory is not asked of the other, though the queries are the same."""
    small, large = Limits(memory_mb=200), Limits(memory_mb=300)
    for _ in range(3):
        assert len(ask(eager, QUERY, limits=large))
    other = {"$from": "@dom", "$where": {"depth": {"$gt": 1}}, "$select": ["node"]}
    for _ in range(3):
        ask(eager, other, limits=small)
    assert "held" in ask(eager, other, limits=small).sql
    assert "read_parquet" in ask(eager, QUERY, limits=small).sql
    assert "held" in ask(eager, QUERY, limits=large).sql


def test_no_time_left_is_no_time_for_copying(eager: Release) -> None:
    database = database_of(eager)
    for _ in range(3):
        database.note(READ, 60.0, Limits(seconds=60))
    assert not database.held.columns
    database.note(READ, 1.0, Limits(seconds=60))
    assert database.held.of("nodes") == set(READ["nodes"])


def test_many_threads_ask_while_it_is_copied(eager: Release) -> None:
    expected = _rows(ask(eager, QUERY))
    columns = ["x", "y", "width", "height", "depth", "parent"]
    found: list[bool] = []

    def asks(name: str) -> None:
        for _ in range(8):
            ask(eager, {"$from": "@dom", "$where": {name: {"$gt": 0}}, "$select": ["node", name]})
            found.append(_rows(ask(eager, QUERY, limits=Limits())) == expected)

    threads = [threading.Thread(target=asks, args=(name,)) for name in columns]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 48
    for name in columns:  # who found another thread copying did not copy
        asks(name)
    assert {"x", "parent"} <= database_of(eager).held.of("nodes")


def test_forgetting_lets_go_of_memory(eager: Release) -> None:
    for _ in range(3):
        ask(eager, QUERY)
    database = database_of(eager)
    assert database.held.columns
    database.forget()
    assert not database.held.columns
    assert "read_parquet" in ask(eager, QUERY).sql
