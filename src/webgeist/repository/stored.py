"""A capture that is read from tables: the same Capture as from a folder, read when asked."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import pyarrow as pa
from pydantic import ValidationError

from webgeist.capture.info import FORMAT
from webgeist.capture.model import Capture
from webgeist.capture.requests import REQUESTS
from webgeist.capture.screenshot import Screenshot
from webgeist.errors import DamagedError
from webgeist.page.model import Page
from webgeist.page.schema import LINKS, NODES, style_schema
from webgeist.repository.merge import dense
from webgeist.repository.rows import INFO
from webgeist.repository.typed import TYPED
from webgeist.repository.versions import NewerVersionError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from webgeist.capture.info import CaptureInfo
    from webgeist.repository.layout import Layout
    from webgeist.repository.packed import PackedPage


class Tables(Protocol):
    """Where a capture's rows are: in a release or in a staged batch. Held as long as it is used."""

    @property
    def layout(self) -> Layout: ...

    def rows(self, name: str, capture: str) -> pa.Table:
        """A capture's rows of a table, in the order of the page."""
        ...

    def packed(self, capture: str) -> PackedPage | None:
        """A capture's page in one piece, where it is kept so."""
        ...


def stored_capture(tables: Tables, id_: str) -> Capture | None:
    """The capture with this id; None where the tables don't have it."""
    found: list[dict[str, Any]] = tables.rows("captures", id_).to_pylist()
    if not found:
        return None
    row = found[0]
    info = _parse_info(row["info"], id_)
    return Capture(info, StoredParts(tables, id_, info, _files(row["tiles"]), row["thumbnail"]))


def _files(tiles: Iterable[dict[str, Any]]) -> tuple[str, ...]:
    return tuple(tile["file"] for tile in tiles)


def _parse_info(text: str, id_: str) -> CaptureInfo:
    try:
        info = INFO.validate_json(text)
    except ValidationError as error:
        raise DamagedError(f"capture {id_} is damaged: {error.errors()[0]['msg']}") from error
    if info.format > FORMAT:
        raise NewerVersionError(f"capture {id_}", info.webgeist)
    return info


@dataclass(frozen=True)
class StoredParts:
    """The parts of one capture in a repository."""

    tables: Tables
    id_: str
    info: CaptureInfo
    tiles: Sequence[str]
    thumbnail_file: str | None

    @property
    def layout(self) -> Layout:
        """Of the repository that it is in."""
        return self.tables.layout

    def page(self) -> Page | None:
        packed = self.tables.packed(self.id_)
        nodes = packed.nodes if packed else self._rows("nodes")
        if nodes.num_rows != self.info.nodes:
            raise DamagedError(
                f"capture {self.id_} has {nodes.num_rows} nodes instead of {self.info.nodes}",
                remedy="webgeist check",
            )
        if not self.info.nodes:
            return None
        if packed:
            return packed.page()
        inherited, own = self._rows("styles_inherited"), self._rows("styles_own")
        documents = self.info.documents
        return Page(_as(nodes, NODES), _styles(inherited), _styles(own), documents)

    def links(self) -> pa.Table:
        return _as(self._rows("links"), LINKS)

    def requests(self) -> pa.Table:
        return _as(self._rows("requests"), REQUESTS)

    def screenshot(self) -> Screenshot | None:
        if self.info.screenshot is None:
            return None
        return Screenshot(self.info.screenshot, tuple(map(self._picture, self.tiles)))

    def thumbnail(self) -> bytes | None:
        return self._picture(self.thumbnail_file) if self.thumbnail_file else None

    def _rows(self, name: str) -> pa.Table:
        return self.tables.rows(name, self.id_)

    def _picture(self, file: str) -> bytes:
        path = self.tables.layout.picture(file)
        try:
            return path.read_bytes()
        except OSError as error:
            raise DamagedError(f"{path} cannot be read: {error.strerror}") from error


def _as(table: pa.Table, schema: pa.Schema) -> pa.Table:
    return dense(table.select(schema.names)).cast(schema)


def _styles(table: pa.Table) -> pa.Table:
    """The style table as the page had it: CSS texts, and no longhand that its browser lacked."""
    frame = ("capture", *style_schema(()).names)
    rows = table.num_rows
    properties = [
        name
        for name in table.column_names
        if name not in frame
        and name not in TYPED
        and (not rows or table.column(name).null_count < rows)
    ]
    schema = style_schema(properties)
    return table.select(schema.names).cast(schema).combine_chunks()


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn what pyarrow says about a file that it cannot read into a DamagedError."""
    try:
        yield
    except (OSError, pa.ArrowException) as error:
        raise DamagedError(
            f"{path} is damaged or missing: {error}", remedy="webgeist check"
        ) from error
