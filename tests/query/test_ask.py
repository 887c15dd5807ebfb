"""What comes back of a question."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from webgeist.errors import LimitError, QueryError
from webgeist.query.ask import Limits, ask, database_of, explain
from webgeist.query.watch import Stop

if TYPE_CHECKING:
    from webgeist.repository.release import Release

QUERY = {"$from": "@dom", "$where": {"name": "p"}, "$select": ["capture", "node", "x"]}


def test_an_answer_has_rows_columns_and_its_release(release: Release) -> None:
    answer = ask(release, QUERY)
    assert len(answer) == answer.to_arrow().num_rows > 0
    assert next(answer.rows()).keys() == {"capture", "node", "x"}
    assert (answer.release, answer.cut, answer.fetch) == (release.number, None, None)
    assert answer.seconds > 0


def test_text_and_dictionary_are_the_same(release: Release) -> None:
    assert ask(release, json.dumps(QUERY)).table.equals(ask(release, QUERY).table)


def test_a_query_says_what_it_is_about_or_is_told(release: Release) -> None:
    count = {"$count": 1}
    nodes = list(ask(release, count, scope="@dom").rows())
    assert nodes == list(ask(release, {"$from": "@dom"} | count).rows())
    assert nodes != list(ask(release, count).rows())  # without either it is about pages


def test_rows_beyond_the_limit_are_cut_and_it_says_so(release: Release) -> None:
    whole, cut = ask(release, QUERY), ask(release, QUERY, limits=Limits(rows=3))
    assert (len(cut), cut.cut) == (3, "rows")
    exactly = ask(release, QUERY, limits=Limits(rows=len(whole)))
    assert (len(exactly), exactly.cut) == (len(whole), None)


def test_an_empty_answer_has_its_columns(release: Release) -> None:
    answer = ask(release, QUERY | {"$where": {"name": "no such element"}})
    assert len(answer) == 0
    assert answer.table.schema.field("x").type == pa.float32()


def test_a_question_that_nobody_waits_for(release: Release) -> None:
    stop = Stop()
    stop.stop()
    slow = {"$from": "@dom", "$where": {"@descendants": {"$cnt": {"$gt": 0}}}, "$count": 1}
    with pytest.raises(LimitError, match="nobody waits"):
        ask(release, slow, stop=stop)
    assert list(ask(release, slow).rows())  # others are not struck by it


def test_explaining_runs_nothing(release: Release) -> None:
    found = explain(release, QUERY)
    assert found.tables == {"nodes": ["capture", "name", "node", "x"]}
    assert found.parameters == {"p1": "p"}
    assert found.estimate.rows == release.manifest.tables["nodes"].rows
    with pytest.raises(QueryError, match="missing"):
        explain(release, {"$where": {"url": {"$regex": "("}}})


def test_limits_of_memory_have_databases_of_their_own(release: Release) -> None:
    one = database_of(release, Limits(memory_mb=100))
    assert one is database_of(release, Limits(memory_mb=100, rows=5))
    assert one is not database_of(release, Limits(memory_mb=101))


def test_data_frames(release: Release) -> None:
    pandas = pytest.importorskip("pandas")
    answer = ask(release, QUERY)
    assert isinstance(answer.to_pandas(), pandas.DataFrame)
    assert len(answer.to_pandas()) == len(answer)
