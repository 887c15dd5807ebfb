"""Where the rows of captures are."""

from __future__ import annotations

from itertools import pairwise

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.repository.spans import by_capture, copied, spans, starts


def table(ids: list[str], *, encode: bool = True) -> pa.Table:
    column = pa.array(ids, pa.string())
    numbers = pa.array(range(len(ids)))
    return pa.table({"capture": column.dictionary_encode() if encode else column, "n": numbers})


@pytest.mark.parametrize("encode", [True, False])
def test_rows_of_each_capture(encode: bool) -> None:
    made = table(["a", "a", "b", "c", "c"], encode=encode)
    assert spans(made) == {"a": range(2), "b": range(2, 3), "c": range(3, 5)}
    assert starts(made).tolist() == [2, 3]
    assert spans(made.slice(1, 3)) == {"a": range(1), "b": range(1, 2), "c": range(2, 3)}
    assert spans(made.slice(0, 0)) == {}


@given(st.lists(st.integers(1, 4), max_size=8), st.lists(st.integers(0, 32), max_size=6))
def test_captures_across_pieces(lengths: list[int], cuts: list[int]) -> None:
    """However a sorted table is cut, each capture comes once, with all its rows."""
    ids = [f"{number:02}" for number, length in enumerate(lengths) for _ in range(length)]
    whole = table(ids)
    bounds = sorted({0, len(ids), *(cut for cut in cuts if cut < len(ids))})
    pieces = [whole.slice(start, end - start) for start, end in pairwise(bounds)]
    found = {capture: rows.column("n").to_pylist() for capture, rows in by_capture(pieces)}
    assert found == {
        f"{number:02}": [row for row, id_ in enumerate(ids) if id_ == f"{number:02}"]
        for number in range(len(lengths))
    }


def test_copies_do_not_hold_the_rest() -> None:
    made = pa.table({"n": pa.array(range(100_000))})
    some = copied(made, range(10, 13))
    assert some.column("n").to_pylist() == [10, 11, 12]
    assert some.get_total_buffer_size() < 1000
