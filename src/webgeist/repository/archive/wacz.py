"""WACZ: an archive, its index and its pages in one ZIP file that replay tools open (version 1.1.1).

WARC files go in whole and uncompressed up to their committed length, the index in gzipped blocks,
and `datapackage.json` names every file with its SHA-256.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from dataclasses import dataclass
from datetime import UTC
from typing import IO, TYPE_CHECKING

import webgeist
from webgeist.errors import DamagedError
from webgeist.repository.archive.cdxj import format_entry
from webgeist.repository.archive.opened import reading
from webgeist.repository.archive.scan import entries
from webgeist.repository.archive.zipnum import BlockIndex
from webgeist.repository.files import DISK, write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from datetime import datetime
    from pathlib import Path
    from typing import BinaryIO

    from webgeist.repository.files import Files

VERSION = "1.1.1"
_PIECE = 1 << 20
_EPOCH = (1980, 1, 1, 0, 0, 0)  # equal contents make equal files


@dataclass(frozen=True)
class ArchivedPage:
    """A capture as the list of pages names it."""

    id: str
    url: str
    time: datetime
    title: str = ""


def export_wacz(
    target: Path,
    folder: Path,
    lengths: Mapping[str, int],
    pages: Iterable[ArchivedPage],
    created: datetime,
    *,
    files: Files = DISK,
    on_file: Callable[[str], None] = lambda _: None,
) -> None:
    """Write the WARC files of `folder` that `lengths` names (to where) into one file at `target`.

    Files that revisits refer to must be among them; `on_file` hears of each when its turn comes.
    StorageError; DamagedError where a record is not what was written: every one is checked.
    """

    def write(stream: BinaryIO) -> None:
        _Package(stream, folder, on_file).write(lengths, pages, created)

    write_atomically(target, write, files)


class _Package:
    def __init__(self, stream: BinaryIO, folder: Path, on_file: Callable[[str], None]) -> None:
        self._zip = zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED)
        self._folder = folder
        self._on_file = on_file
        self._resources: list[dict[str, str | int]] = []

    def write(
        self, lengths: Mapping[str, int], pages: Iterable[ArchivedPage], created: datetime
    ) -> None:
        with self._zip:
            lines: list[bytes] = []
            for name, length in sorted(lengths.items()):
                self._on_file(name)
                path = self._folder / name
                lines += [f"{format_entry(entry)}\n".encode() for entry in entries(path, length)]
                self._add(f"archive/{name}", _beginning(path, length))
            index = BlockIndex(sorted(lines))
            self._add("indexes/index.cdx.gz", index.blocks())
            self._add("indexes/index.idx", index.summary())
            self._add("pages/pages.jsonl", _page_lines(pages))
            self._add_description(created)

    def _add(self, path: str, pieces: Iterable[bytes]) -> None:
        digest, size = hashlib.sha256(), 0
        with self._open(path) as file:
            for piece in pieces:
                file.write(piece)
                digest.update(piece)
                size += len(piece)
        name = path.rpartition("/")[2].lower()  # as data packages want it
        digested = f"sha256:{digest.hexdigest()}"
        self._resources.append({"name": name, "path": path, "hash": digested, "bytes": size})

    def _add_description(self, created: datetime) -> None:
        described = {
            "profile": "data-package",
            "wacz_version": VERSION,
            "software": f"webgeist {webgeist.__version__}",
            "created": _seconds(created),
            "resources": self._resources,
        }
        text = json.dumps(described, indent=2).encode()
        digest = {"path": "datapackage.json", "hash": f"sha256:{hashlib.sha256(text).hexdigest()}"}
        for name, content in (
            ("datapackage.json", text),
            ("datapackage-digest.json", json.dumps(digest, indent=2).encode()),
        ):
            with self._open(name) as file:
                file.write(content)

    def _open(self, path: str) -> IO[bytes]:
        return self._zip.open(zipfile.ZipInfo(path, _EPOCH), "w", force_zip64=True)


def _beginning(path: Path, length: int) -> Iterator[bytes]:
    with reading(path, 0), path.open("rb") as file:
        while length and (piece := file.read(min(_PIECE, length))):
            length -= len(piece)
            yield piece
    if length:
        raise DamagedError(f"{path} is {length:,} bytes too short")


def _page_lines(pages: Iterable[ArchivedPage]) -> Iterator[bytes]:
    head = {"format": "json-pages-1.0", "id": "pages", "title": "All pages", "hasText": False}
    yield f"{json.dumps(head)}\n".encode()
    for page in pages:
        line = {"id": page.id, "url": page.url, "ts": _seconds(page.time), "title": page.title}
        yield f"{json.dumps(line)}\n".encode()


def _seconds(time: datetime) -> str:
    return f"{time.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
