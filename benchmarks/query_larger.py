"""A release several times as large: the same rows again, as those of other captures.

Only what queries read is written, so that millions of nodes take a minute. Ids of captures sort by
time, and each copy's come after those of the copy before.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa

from benchmarks import pages
from benchmarks.query_world import repository_of
from webgeist.repository.files import DISK, write_atomically
from webgeist.repository.init import init_repository
from webgeist.repository.layout import layout_of
from webgeist.repository.manifest import TableFiles, dump_manifest
from webgeist.repository.merge import Source, first_capture
from webgeist.repository.repository import open_repository
from webgeist.repository.schema import KINDS, derived_kind
from webgeist.repository.tablefiles import write_table_files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webgeist.repository.layout import Layout
    from webgeist.repository.release import Release

_LEFT_OUT = ("packed_pages", "requests", "analyses")
MOST = 8  # the first letter of an id is 0 to 7


def larger(nodes: int, times: int) -> Path:
    """The folder of a repository with the nodes of another, so many times."""
    folder = pages.cache_folder() / f"query-{nodes}-{times}-times"
    if not (folder / "CURRENT").exists():
        print(f"  making {times} times {nodes:,} nodes: {folder}", file=sys.stderr)
        init_repository(folder)
        small = repository_of(nodes)
        with open_repository(small, readonly=True) as repository, repository.release() as release:
            _write(release, layout_of(folder), times)
    return folder


def _write(release: Release, layout: Layout, times: int) -> None:
    wanted = [name for name in release.tables() if name not in _LEFT_OUT and release.paths(name)]
    tables = {name: _table(release, layout, name, times) for name in wanted}
    manifest = replace(
        release.manifest,
        release=1,
        previous=None,
        captures=release.manifest.captures * times,
        tables=tables,
    )
    write_atomically(layout.manifest(1), dump_manifest(manifest), DISK)
    write_atomically(layout.current, b"1\n", DISK)


def _table(release: Release, layout: Layout, name: str, times: int) -> TableFiles:
    schema = pa.schema(list(release.columns(name).items()))
    kind = KINDS.get(name) or derived_kind(name, schema)
    first = first_capture(next(release.stream(name, ["capture"])))
    sources = [
        Source(_renamed(first, copy), partial(_copy, release, name, copy)) for copy in range(times)
    ]
    written = write_table_files(layout.tables / name, 1, kind, sources, DISK)
    print(f"\r  {name}: {sum(file.rows for file in written):,} rows", end="", file=sys.stderr)
    return TableFiles(kind.version, tuple(written))


def _copy(release: Release, name: str, copy: int) -> Iterator[pa.Table]:
    for piece in release.stream(name):
        place = piece.schema.get_field_index("capture")
        column = piece.column(place).combine_chunks()
        encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
        ids = [_renamed(id_, copy) for id_ in encoded.dictionary.to_pylist()]
        renamed = pa.DictionaryArray.from_arrays(encoded.indices, pa.array(ids))
        yield piece.set_column(place, piece.schema.field(place), renamed.cast(column.type))


def _renamed(id_: str, copy: int) -> str:
    return f"{copy}{id_[1:]}"
