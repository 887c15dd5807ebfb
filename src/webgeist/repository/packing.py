"""The packed pages of a staged batch: made when it is published, from the tables that it has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson
import pyarrow as pa

from webgeist.repository.merge import dense
from webgeist.repository.packed import PACKED_PAGES, pack
from webgeist.repository.schema import STAGED
from webgeist.repository.spans import by_capture
from webgeist.repository.staging import staged_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

_AT_ONCE = 32  # pages


def packed_tables(folder: Path) -> Iterator[pa.Table]:
    """The rows of `packed_pages` for all captures of the batch in `folder`.

    Publishing has just read its other tables.
    """
    yield from pack_all(lambda name: staged_tables(folder, name, known=True))


def pack_all(tables: Callable[[str], Iterable[pa.Table]]) -> Iterator[pa.Table]:
    """The same for any tables by name that are sorted by capture."""
    nodes = _Turns("nodes", tables("nodes"))
    halves = [_Turns(name, tables(name)) for name in ("styles_inherited", "styles_own")]
    for captures in tables("captures"):
        ids: list[str] = captures.column("capture").to_pylist()
        infos: list[str] = captures.column("info").to_pylist()
        for start in range(0, len(ids), _AT_ONCE):
            pairs = zip(ids[start : start + _AT_ONCE], infos[start : start + _AT_ONCE], strict=True)
            rows = [
                pack(
                    capture,
                    _documents(info),
                    dense(nodes.rows(capture)),  # a batch has one dictionary for all its captures
                    *(half.rows(capture) for half in halves),
                )
                for capture, info in pairs
            ]
            yield pa.Table.from_pylist(rows, schema=PACKED_PAGES)


def _documents(info: str) -> str:
    return orjson.dumps(orjson.loads(info)["documents"]).decode()


class _Turns:
    """A table's rows, capture by capture, in the order of their ids. Some have none."""

    def __init__(self, name: str, tables: Iterable[pa.Table]) -> None:
        self._coming = by_capture(tables)
        self._next = next(self._coming, None)
        self._empty = STAGED[name].schema.empty_table()

    def rows(self, capture: str) -> pa.Table:
        if self._next is None or self._next[0] != capture:
            return self._empty
        found = self._next[1]
        self._next = next(self._coming, None)
        return found
