"""Which records the archive has, and what is referred to but is not among them."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webgeist.errors import DamagedError
from webgeist.repository.archive.cdxj import format_index
from webgeist.repository.archive.opened import reading
from webgeist.repository.archive.scan import entries_of, scan

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from webgeist.repository.archive.places import RecordPlace
    from webgeist.repository.archive.scan import Scanned

_PLACES = ("answer", "request", "notes")


class Census:
    """References are taken down and records counted, file by file; then `missing` compares.

    A reference is a number of bytes: where in a file a record begins.
    """

    def __init__(self) -> None:
        self._records: dict[str, list[int]] = {}
        self._references: dict[str, set[int]] = defaultdict(set)
        self._damaged: set[str] = set()

    def count(self, warc: Path, length: int) -> bytes:
        """Read every record of a file, and tell what its index must say. DamagedError."""
        self._records[warc.name] = []
        try:
            _check_length(warc, length)
            return format_index(entries_of(warc, self._counted(warc, length)))
        except DamagedError:
            self._damaged.add(warc.name)
            raise

    def _counted(self, warc: Path, length: int) -> Iterator[Scanned]:
        for record in scan(warc, length):
            self._records[warc.name].append(record.place.offset)
            if record.head.kind == "revisit":
                with reading(warc, record.place.offset):
                    file, offset = record.head.original
                self._references[file].add(offset)
            yield record

    def refer_from(self, resources: pa.Table) -> None:
        """Take down where a table of resources says that records are."""
        for name in _PLACES:
            places = resources.column(name).combine_chunks().drop_null()
            fields = {key: pc.struct_field(places, key) for key in ("file", "offset")}
            grouped = pa.table(fields).group_by("file").aggregate([("offset", "distinct")])
            for row in grouped.to_pylist():
                self._references[row["file"]].update(row["offset_distinct"])

    def refer_to(self, places: Iterable[RecordPlace]) -> None:
        for place in places:
            self._references[place.file].add(place.offset)

    def missing(self) -> Iterator[tuple[str, int]]:
        """Files that lack records, and how many. Files that were not counted lack all of them."""
        for file, references in sorted(self._references.items()):
            wanted = np.fromiter(references, np.int64)
            found = np.array(self._records.get(file, ()), np.int64)
            lacking = int(np.isin(wanted, found, invert=True).sum())
            if lacking and file not in self._damaged:
                yield file, lacking


def _check_length(warc: Path, length: int) -> None:
    if not warc.is_file():
        raise DamagedError(f"{warc} is missing")
    if warc.stat().st_size < length:
        raise DamagedError(f"{warc} has {warc.stat().st_size:,} bytes instead of {length:,}")
