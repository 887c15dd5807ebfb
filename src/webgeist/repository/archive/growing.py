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
    """Takes records; what the database does not know of can be taken back. Raises OSError."""

    def __init__(self, folder: Path, name: str, time: datetime, files: Files) -> None:
        self.name = name
        self._files = files
        self._file = AppendFile(folder / name, files)
        self._entries: list[IndexEntry] = []
        self.composer = Composer(record_id(name, 0))
        self.add(warcinfo_record(name, time, f"webgeist {webgeist.__version__}"))

    @property
    def length(self) -> int:
        return self._file.length

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
        return True

    def cut(self, length: int) -> None:
        """Take back what lies beyond `length`; where that is nothing, there is no file any more."""
        if length != self.length:
            self._entries = [entry for entry in self._entries if entry.place.offset < length]
            self._file.cut(length)

    def finish(self) -> None:
        """Close it and write its index: it will not grow again. StorageError."""
        self._file.close()
        content = format_index(self._entries)
        write_atomically(index_path(self._file.path), content, self._files)
