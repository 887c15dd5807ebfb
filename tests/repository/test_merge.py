"""The merge of sorted tables, against sorting everything."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.errors import DamagedError
from webgeist.repository.merge import Source, dense, encoded, merged, row_groups

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

IDS = [f"{number:03}" for number in range(30)]


@st.composite
def files(draw: st.DrawFn) -> list[list[tuple[str, int]]]:
    """Captures dealt out to files, each with some rows; some have none."""
    dealt: dict[int, list[tuple[str, int]]] = {}
    for id_ in IDS:
        rows = draw(st.integers(0, 9))
        dealt.setdefault(draw(st.integers(0, 3)), []).extend((id_, n) for n in range(rows))
    return [rows for rows in dealt.values() if rows]


def _table(rows: Sequence[tuple[str, int]]) -> pa.Table:
    ids = pa.array([id_ for id_, _ in rows]).dictionary_encode()
    return pa.table(
        {"capture": ids, "node": [n for _, n in rows], "name": pa.array([f"n{n}" for _, n in rows])}
    )


def _source(rows: list[tuple[str, int]], size: int, first: str | None = None) -> Source:
    def tables() -> Iterator[pa.Table]:
        for at in range(0, len(rows), size):
            yield _table(rows[at : at + size])

    return Source(first or rows[0][0], tables)


def _rows(tables: Sequence[pa.Table]) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for table in tables for row in table.select([0, 1]).to_pylist()]


@given(files(), st.integers(1, 12), st.booleans())
def test_like_sorting(dealt: list[list[tuple[str, int]]], size: int, early: bool) -> None:
    first = "000" if early else None  # as far as is known; the rows may begin later
    found = list(merged([_source(rows, size, first) for rows in dealt]))
    assert _rows(found) == sorted(row for rows in dealt for row in rows)


@given(files(), st.integers(1, 40))
def test_row_groups_hold_whole_captures(dealt: list[list[tuple[str, int]]], size: int) -> None:
    rows = sorted(row for each in dealt for row in each)
    parts = [_table(rows[at : at + 7]) for at in range(0, len(rows), 7)]
    found = list(row_groups(parts, size, encoded))
    assert _rows(found) == rows
    seen = Counter(id_ for table in found for id_ in set(table.column("capture").to_pylist()))
    assert set(seen.values()) <= {1}
    for table in found:
        captures = len(set(table.column("capture").to_pylist()))
        assert table.num_rows <= size or captures == 1
    for one, other in pairwise(found):
        following = other.column("capture").to_pylist()
        assert one.num_rows + following.count(following[0]) > size, "no smaller than needed"


def test_whole_row_groups_pass_as_they_are() -> None:
    one, other = _table([("a", 0), ("b", 0)]), _table([("c", 0)])
    found = list(merged([Source("c", lambda: iter([other])), Source("a", lambda: iter([one]))]))
    assert [table.num_rows for table in found] == [2, 1]


def test_a_capture_in_two_files_is_damage() -> None:
    sources = [_source([("a", 0)], 1), _source([("a", 1)], 1)]
    with pytest.raises(DamagedError, match="capture a stand in two files"):
        list(merged(sources))


def test_dictionaries_hold_what_is_used() -> None:
    table = encoded(_table([("a", 0), ("b", 1), ("c", 2)]))
    part = dense(table.slice(1, 1))
    assert part.to_pylist() == table.slice(1, 1).to_pylist()
    assert part.column("name").chunk(0).dictionary.to_pylist() == ["n1"]


def test_missing_values_are_kept() -> None:
    column = pa.array(["x", None, "y"]).dictionary_encode()
    table = pa.table({"capture": ["a", "b", "c"], "word": column})
    assert dense(table.slice(1)).to_pylist() == table.slice(1).to_pylist()
    empty = pa.table({"word": pa.array([None], pa.string()).dictionary_encode()})
    assert dense(empty).to_pylist() == [{"word": None}]
