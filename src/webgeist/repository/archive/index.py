"""Looks answers up by URL and time in the CDXJ files of an archive, without reading them whole."""

from __future__ import annotations

import heapq
import mmap
from operator import itemgetter
from typing import TYPE_CHECKING

from webgeist.errors import DamagedError
from webgeist.repository.archive.cdxj import Asked, parse_entry
from webgeist.repository.archive.records import RecordError, uri
from webgeist.repository.archive.surt import surt_key

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from webgeist.capture.exchange import Headers
    from webgeist.repository.archive.cdxj import IndexEntry


class Index:
    """All finished files of an archive, as they were when this was opened. DamagedError."""

    def __init__(self, folder: Path) -> None:
        self._files = [_SortedFile(path) for path in sorted(folder.glob("*.cdxj"))]

    def closest(
        self,
        url: str,
        time: datetime,
        *,
        method: str = "GET",
        headers: Headers = (),
        body: bytes = b"",
    ) -> IndexEntry | None:
        """The answer nearest to a time. The exact URL goes before others of the same key."""
        key = Asked.of(method, url, headers, body).key
        found = [entry for entry in self._lines(key + " ") if entry.method == method]
        exact = [entry for entry in found if entry.url == uri(url)]
        return min(exact or found, key=lambda entry: abs(entry.time - time), default=None)

    def all(self, url: str) -> list[IndexEntry]:
        """Every answer to GET of a URL, by time."""
        found = [entry for entry in self._lines(surt_key(url) + " ") if entry.url == uri(url)]
        return sorted(found, key=lambda entry: entry.time)

    def below(self, prefix: str) -> Iterator[IndexEntry]:
        """Every answer whose URL begins like `prefix` (a folder: with its slash), by key."""
        key = surt_key(prefix)
        for entry in self._lines(key):
            rest = entry.key[len(key) :]
            if not rest or not prefix.endswith("/") or key.endswith("/") or rest[0] in "/?":
                yield entry

    def _lines(self, prefix: str) -> Iterator[IndexEntry]:
        start = prefix.encode()
        found = (file.starting_with(start) for file in self._files)
        return (entry for _, entry in heapq.merge(*found, key=itemgetter(0)))


class _SortedFile:
    """A file of sorted lines, found by halving."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            with path.open("rb") as file:
                size = path.stat().st_size
                self._data = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) if size else b""
        except OSError as error:
            raise DamagedError(f"{path} cannot be read: {error}") from error

    def starting_with(self, prefix: bytes) -> Iterator[tuple[bytes, IndexEntry]]:
        place = self._first_not_below(prefix)
        while place < len(self._data) and self._line(place).startswith(prefix):
            line = self._line(place)
            yield line, self._parse(line, place)
            place += len(line) + 1

    def _first_not_below(self, prefix: bytes) -> int:
        """The start of the first line that does not sort before `prefix`."""
        low, high = 0, len(self._data)
        while low < high:
            start = self._line_start((low + high) // 2)
            line = self._line(start)
            if line < prefix:
                low = start + len(line) + 1
            else:
                high = start
        return low

    def _line_start(self, place: int) -> int:
        return self._data.rfind(b"\n", 0, place) + 1

    def _line(self, start: int) -> bytes:
        end = self._data.find(b"\n", start)
        return self._data[start : end if end >= 0 else len(self._data)]

    def _parse(self, line: bytes, place: int) -> IndexEntry:
        try:
            return parse_entry(line)
        except RecordError as error:
            raise DamagedError(f"{self._path} is damaged at byte {place:,}: {error}") from error
