"""A capture as a folder: JSON, Parquet tables, pictures. Complete or absent; read when asked."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import TypeAdapter, ValidationError

from webgeist.capture.info import FORMAT, CaptureInfo
from webgeist.capture.model import Capture
from webgeist.capture.requests import REQUESTS
from webgeist.capture.screenshot import Screenshot
from webgeist.errors import DamagedError, NotFoundError, StorageError, writing
from webgeist.page.model import Page
from webgeist.page.schema import LINKS, NODES

if TYPE_CHECKING:
    from collections.abc import Mapping

_INFO = TypeAdapter(CaptureInfo)


@dataclass(frozen=True)
class _Head:
    """What every format has and will have."""

    format: int
    webgeist: str


_HEAD = TypeAdapter(_Head)
_SCHEMAS = {"nodes": NODES, "links": LINKS, "requests": REQUESTS}


def save(capture: Capture, folder: str | Path) -> Path:
    """Write `capture` to a folder that must not exist yet; a crash leaves none."""
    folder = Path(folder)
    if folder.exists():
        raise StorageError(f"{folder} exists already", remedy="choose another folder")
    with writing(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        unfinished = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            _write(capture, unfinished)
            unfinished.chmod(0o755)
            unfinished.rename(folder)
        except BaseException:
            shutil.rmtree(unfinished, ignore_errors=True)
            raise
        _sync(folder.parent)
    return folder


def _write(capture: Capture, folder: Path) -> None:
    for name, table in _tables(capture).items():
        # Style tables have hundreds of short columns: dictionaries and statistics only cost there.
        plain = name.startswith("styles")
        pq.write_table(
            table,
            folder / f"{name}.parquet",
            compression="zstd",
            use_dictionary=not plain,
            write_statistics=not plain,
        )
    if shot := capture.screenshot:
        for number, tile in enumerate(shot.tiles):
            (folder / shot.info.file_name(number)).write_bytes(tile)
    if capture.thumbnail:
        (folder / "thumbnail.jpg").write_bytes(capture.thumbnail)
    (folder / "capture.json").write_bytes(_INFO.dump_json(capture.info, indent=1))
    for path in folder.iterdir():
        _sync(path)


def _tables(capture: Capture) -> Mapping[str, pa.Table]:
    tables = {"links": capture.links, "requests": capture.requests}
    if page := capture.page:
        tables |= {
            "nodes": page.nodes,
            "styles_inherited": page.styles_inherited,
            "styles_own": page.styles_own,
        }
    return tables


def _sync(path: Path) -> None:
    """Make sure that a file, or a folder's list of files, is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def open_capture(folder: str | Path) -> Capture:
    """The capture in a folder that `Capture.save` wrote. Tables are read when first used."""
    folder = Path(folder)
    path = folder / "capture.json"
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise NotFoundError(f"no capture in {folder}: {error.strerror}") from error
    try:
        head = _HEAD.validate_json(raw)
        if head.format > FORMAT:
            raise DamagedError(
                f"{path} was written by webgeist {head.webgeist}",
                remedy="use that version or a newer one",
            )
        info = _INFO.validate_json(raw)
    except ValidationError as error:
        raise DamagedError(f"{path} is damaged: {error.errors()[0]['msg']}") from error
    return Capture(info, _FolderParts(folder, info))


@dataclass(frozen=True)
class _FolderParts:
    folder: Path
    info: CaptureInfo

    def page(self) -> Page | None:
        if not (self.folder / "nodes.parquet").exists():
            if self.info.nodes:
                raise DamagedError(f"nodes.parquet is missing in {self.folder}")
            return None
        return Page(
            nodes=self._table("nodes"),
            styles_inherited=self._table("styles_inherited"),
            styles_own=self._table("styles_own"),
            documents=self.info.documents,
        )

    def links(self) -> pa.Table:
        return self._table("links")

    def requests(self) -> pa.Table:
        return self._table("requests")

    def screenshot(self) -> Screenshot | None:
        shot = self.info.screenshot
        if shot is None:
            return None
        paths = [self.folder / shot.file_name(number) for number in range(len(shot.areas))]
        try:
            return Screenshot(shot, tuple(path.read_bytes() for path in paths))
        except OSError as error:
            raise DamagedError(f"a picture in {self.folder} cannot be read: {error}") from error

    def thumbnail(self) -> bytes | None:
        path = self.folder / "thumbnail.jpg"
        return path.read_bytes() if path.exists() else None

    def _table(self, name: str) -> pa.Table:
        path = self.folder / f"{name}.parquet"
        try:
            table = pq.read_table(path, memory_map=True)
            return table.select(_SCHEMAS[name].names) if name in _SCHEMAS else table
        except (OSError, pa.ArrowException, KeyError) as error:
            raise DamagedError(f"{path} is damaged or missing: {error}") from error
