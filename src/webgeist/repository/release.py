"""A published version of a repository, pinned as long as it is used."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import RLock
from typing import TYPE_CHECKING, Any, Self, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from webgeist.errors import NotFoundError
from webgeist.repository.direct import cropped, stored_node
from webgeist.repository.listing import Listing
from webgeist.repository.packed import unpack
from webgeist.repository.rowgroups import RowGroups
from webgeist.repository.schema import KINDS, stack
from webgeist.repository.stored import stored_capture
from webgeist.repository.streaming import TableStream, nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

    import pyarrow.parquet as pq
    from PIL.Image import Image

    from webgeist.capture.model import Capture
    from webgeist.page.model import Page
    from webgeist.repository.direct import StoredNode
    from webgeist.repository.export.tables import Exported
    from webgeist.repository.layout import Layout
    from webgeist.repository.locks import Pin
    from webgeist.repository.manifest import Manifest, TableFile
    from webgeist.repository.packed import PackedPage

T = TypeVar("T")


@dataclass
class Release:
    """One published version of a repository. It never changes, and stays while it is open.

    Use it as a context manager, or let it go: nothing has to be closed for correctness.
    """

    layout: Layout
    manifest: Manifest
    _pin: Pin
    _groups: RowGroups = field(init=False)
    _made: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    _making: RLock = field(default_factory=RLock, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._groups = RowGroups(self.layout)

    @property
    def number(self) -> int:
        return self.manifest.release

    def __len__(self) -> int:
        return self.manifest.captures

    def __repr__(self) -> str:
        return f"<Release {self.number}: {len(self)} captures, {self.manifest.time:%Y-%m-%d %H:%M}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._made.clear()
        self._pin.release()

    def shared(self, name: str, make: Callable[[], T]) -> T:
        """What several readers of the release need, made once and kept while it is open. To make
        one, another may be asked for.
        """
        with self._making:
            if name not in self._made:
                self._made[name] = make()
            made: T = self._made[name]
            return made

    def has_shared(self, name: str) -> bool:
        """Whether that has been made."""
        return name in self._made

    # --- tables --------------------------------------------------------------------------------

    def tables(self) -> list[str]:
        return list(self.manifest.tables)

    def table(
        self,
        name: str,
        columns: Sequence[str] | None = None,
        captures: Iterable[str] | None = None,
    ) -> pa.Table:
        """A table of all captures, or of some; a capture's rows stand together, in page order."""
        found = list(self.stream(name, columns, captures))
        if found:
            return stack(found)
        types = self.columns(name)
        return pa.schema([(column, types[column]) for column in columns or types]).empty_table()

    def stream(
        self,
        name: str,
        columns: Sequence[str] | None = None,
        captures: Iterable[str] | None = None,
        start: int = 0,
    ) -> Iterator[pa.Table]:
        """The same in pieces, a row group each: no more than one is in memory.

        `start` is the number of rows that the caller had before: a release never changes, so a
        stream that was cut goes on there, and what lies before is not read again.
        """
        wanted = None if captures is None else sorted(set(captures))
        types = self.columns(name)
        stream = TableStream(name, self._groups, self._files(name), types, columns, wanted)
        return stream.pieces(start)

    def columns(self, name: str) -> dict[str, pa.DataType]:
        """The columns of a table. Not every file has all longhands: two Chromiums differ."""
        found = {field.name: field.type for field in KINDS[name].schema} if name in KINDS else {}
        for file in self._files(name):
            found |= {field.name: field.type for field in self._groups.schema(file)}
        return found

    def footers(self, name: str) -> list[pq.FileMetaData]:
        """The footers of a table's files: what each column of each row group takes."""
        return [self._groups.footer(file) for file in self._files(name)]

    def paths(self, name: str) -> list[Path]:
        """The files of a table."""
        return [self.layout.table_file(file.file) for file in self._files(name)]

    def rows(self, name: str, capture: str) -> pa.Table:
        """A capture's rows of a table, all columns."""
        found = self._groups.rows(name, self._files(name), capture)
        return self.table(name, captures=()) if found is None else found

    def _files(self, name: str) -> Sequence[TableFile]:
        if name not in self.manifest.tables:
            remedy = nearest(name, self.manifest.tables)
            raise NotFoundError(f"release {self.number} has no table {name}", remedy=remedy)
        return self.manifest.tables[name].files

    # --- pages and nodes -----------------------------------------------------------------------

    def page(self, capture: str) -> Page | None:
        """The page of a capture, as `capture(id).page` gives it."""
        packed = self.packed(capture)
        return packed.page() if packed else self.capture(capture).page

    def node(self, capture: str, node: int) -> StoredNode:
        """One node with all its columns and computed styles."""
        return stored_node(capture, self.packed(capture) or self.capture(capture).page, node)

    def crop(self, capture: str, x: float, y: float, width: float, height: float) -> Image:
        """That part of the screenshot, in CSS pixels of the page, as far as there is a picture."""
        return cropped(capture, self.capture(capture).screenshot, (x, y, width, height))

    def packed(self, capture: str) -> PackedPage | None:
        """A page in the form that is quick to fetch; None where an older webgeist published it."""
        files = self.manifest.files_of("packed_pages")
        found = self._groups.rows("packed_pages", files, capture)
        return None if found is None else unpack(found.to_pylist()[0])

    def export(
        self,
        folder: str | Path,
        tables: Iterable[str] = (),
        *,
        form: str = "parquet",
        columns: Sequence[str] | None = None,
        screenshots: bool = False,
        overwrite: bool = False,
        on_file: Callable[[str], None] = lambda _: None,
    ) -> Exported:
        """Write tables to a folder, as parquet, jsonl or csv, and the screenshots as PNG files.

        The folder's manifest.json says what is in it. All files appear together, or none.
        """
        from webgeist.repository.export.tables import export_release

        return export_release(
            self,
            folder,
            tables,
            form=form,
            columns=columns,
            screenshots=screenshots,
            overwrite=overwrite,
            on_file=on_file,
        )

    # --- captures ------------------------------------------------------------------------------

    def captures(self, url: str | None = None, *, until: datetime | None = None) -> pa.Table:
        """The table of captures, sorted by time: all, or those of one URL, up to a time.

        Without the column `info`, which is large.
        """
        columns = [name for name in KINDS["captures"].schema.names if name != "info"]
        table = self.table("captures", columns).sort_by("capture")
        if url is not None:
            same = pc.equal(table.column("url"), url)
            table = table.filter(pc.or_(same, pc.equal(table.column("requested_url"), url)))
        if until is not None:
            table = table.filter(pc.less_equal(table.column("time"), pa.scalar(until)))
        return table

    def captures_after(
        self, capture: str = "", *, limit: int, url: str | None = None, host: str | None = None
    ) -> pa.Table:
        """The next rows of that table after a capture: a page of a list, however long that is."""
        files = self.manifest.files_of("captures")
        return Listing(self._groups, files, url, host).after(capture, limit)

    def capture(self, id_: str) -> Capture:
        """The capture with this id."""
        found = stored_capture(self, id_)
        if found is None:
            raise NotFoundError(f"release {self.number} has no capture {id_}")
        return found

    def latest(self, url: str, *, until: datetime | None = None) -> Capture:
        """The last capture of a URL, or the last one up to a time."""
        ids: list[str] = self.captures(url, until=until).column("capture").to_pylist()
        if not ids:
            raise NotFoundError(f"release {self.number} has no capture of {url}")
        return self.capture(ids[-1])

    def __iter__(self) -> Iterator[Capture]:
        for id_ in sorted(self.table("captures", ["capture"]).column("capture").to_pylist()):
            yield self.capture(id_)
