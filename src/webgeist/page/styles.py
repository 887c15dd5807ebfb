"""Style vectors told apart as text, and cut into an inherited and an own half."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc

from webgeist.page.properties import INHERITED
from webgeist.page.schema import style_schema

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Ints = NDArray[np.int32]

_START = b'"styles":['
_MOST_BYTES = 1 << 30  # of one Arrow array of texts; it takes twice as many


@dataclass(frozen=True)
class Half:
    """A style table (one row per distinct vector) and, for each layout entry, its row or -1."""

    table: pa.Table
    row_of: Ints

    def value(self, entry: int, name: str) -> str:
        value: str = self.table.column(name)[int(self.row_of[entry])].as_py()
        return value


def cut(raw: bytes) -> tuple[bytes, list[list[bytes]]]:
    """The snapshot with its style lists emptied, and for each document its rows as text.

    The quote in the mark is never escaped, so it cannot stand inside a JSON string.
    """
    parts: list[bytes] = []
    documents: list[list[bytes]] = []
    position = 0
    while (start := raw.find(_START, position)) >= 0:
        start += len(_START)
        parts.append(raw[position:start])
        if raw[start : start + 1] == b"]":
            documents.append([])
            position = start
            continue
        position = raw.index(b"]]", start) + 1
        documents.append(raw[start + 1 : position - 1].split(b"],["))
    parts.append(raw[position:])
    return b"".join(parts), documents


def intern(rows: Sequence[bytes]) -> tuple[list[bytes], Ints]:
    """The distinct rows in order of appearance, and for each row its place (-1: it is empty)."""
    known: dict[bytes, int] = {}
    places = [known.setdefault(row, len(known)) if row else -1 for row in rows]
    return list(known), np.array(places, np.int32)


def halves(
    rows: Sequence[bytes], properties: Sequence[str], strings: pa.Array
) -> tuple[Half, Half]:
    """The inherited and the own half of all rows; values are looked up in `strings`."""
    distinct, places = intern(rows)
    decoded = orjson.loads(b"[[" + b"],[".join(distinct) + b"]]") if distinct else []
    vectors = np.array(decoded, np.int32).reshape(-1, len(properties))
    inherited = np.array([name in INHERITED for name in properties], bool)
    return (
        _half(vectors, inherited, properties, places, strings),
        _half(vectors, ~inherited, properties, places, strings),
    )


def _half(
    vectors: Ints,
    mask: NDArray[np.bool_],
    properties: Sequence[str],
    places: Ints,
    strings: pa.Array,
) -> Half:
    names = [name for name, wanted in zip(properties, mask, strict=True) if wanted]
    part = np.ascontiguousarray(vectors[:, mask])
    known: dict[bytes, int] = {}
    of_vector = np.array([known.setdefault(row.tobytes(), len(known)) for row in part], np.int32)
    firsts = np.unique(of_vector, return_index=True)[1]
    row_of = np.append(of_vector, np.int32(-1))[places]
    columns: list[pa.Array] = [
        pa.array(np.arange(len(known), dtype=np.int32)),
        pa.array(np.bincount(row_of + 1, minlength=len(known) + 1)[1:].astype(np.int32)),
        *_columns(strings, part[firsts].T),
    ]
    return Half(pa.Table.from_arrays(columns, schema=style_schema(names)), row_of)


def _columns(strings: pa.Array, numbers: Ints) -> Iterator[pa.Array]:
    """A column of texts for each row of numbers. As many as fit are looked up at once: asking for
    hundreds of columns one by one takes longer than the work.
    """
    count, rows = numbers.shape
    lengths = np.append(pc.binary_length(strings).to_numpy(), 0)  # the last one is for -1
    step = max(count, 1) if lengths[numbers].sum(dtype=np.int64) < _MOST_BYTES else 1
    for first in range(0, count, step):
        texts = _values(strings, numbers[first : first + step].reshape(-1))
        for column in range(min(step, count - first)):
            yield texts.slice(column * rows, rows)


def _values(strings: pa.Array, numbers: Ints) -> pa.Array:
    """The texts with these numbers; Chromium numbers an empty one -1."""
    taken = strings.take(pa.array(numbers, mask=numbers < 0))
    return taken.fill_null("")
