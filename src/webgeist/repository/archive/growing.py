"""One WARC file while it grows, and the index that it gets when it is finished."""

from __future__ import annotations

from typing import TYPE_CHECKING

import webgeist
from webgeist.repository.archive.cdxj import format_index
from webgeist.repository.archive.compose import Composer, Record, warcinfo_record
from webgeist.repository.archive.members import compress
from webgeist.repository.archive.places import RecordPlace
from webgeist.repository.archive.records import record_id
from webgeist.repository.files import AppendFile, write_atomically

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from webgeist.repository.archive.cdxj import IndexEntry
    from webgeist.repository.files import Files

SUFFIX = ".warc.gz"


def index_path(warc: Path) -> Path:
    """Where the index of a WARC file stands: beside it."""
    return warc.with_name(warc.name.removesuffix(SUFFIX) + ".cdxj")


class GrowingFile:
    """Takes records; what was not committed can be taken back. Raises OSError."""

    def __init__(self, folder: Path, name: str, time: datetime, files: Files) -> None:
        self.name = name
        self._files = files
        self._file = AppendFile(folder / name, files)
        self._committed_entries: list[IndexEntry] = []
        self._entries: list[IndexEntry] = []
        self.composer = Composer(record_id(name, 0))
        self.add(warcinfo_record(name, time, f"webgeist {webgeist.__version__}"))

    @property
    def length(self) -> int:
        return self._file.length

    @property
    def committed(self) -> int:
        return self._file.committed

    @property
    def dirty(self) -> bool:
        return self._file.dirty

    @property
    def closed(self) -> bool:
        return self._file.closed

    @property
    def next_id(self) -> str:
        """The id of the record that is added next."""
        return record_id(self.name, self.length)

    def add(self, record: Record) -> RecordPlace:
        start = self.length
        for packed in compress(record.pieces(self.next_id)):
            self._file.write(packed)
        return RecordPlace(self.name, start, self.length - start)

    def add_entry(self, entry: IndexEntry) -> None:
        self._entries.append(entry)

    def commit(self) -> bool:
        """Whether there was anything new."""
        if not self._file.dirty:
            return False
        self._file.commit()
        self._committed_entries += self._entries
        self._entries.clear()
        return True

    def rollback(self) -> None:
        """As after the last commit, and closed; without one there is no file."""
        self._entries.clear()
        if self._file.dirty or not self.committed:
            self._file.rollback()

    def finish(self) -> None:
        """Close it and write its index: it will not grow again. StorageError."""
        self._file.close()
        content = format_index(self._committed_entries)
        write_atomically(index_path(self._file.path), content, self._files)
