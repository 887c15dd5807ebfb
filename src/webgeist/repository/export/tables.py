"""Tables and screenshots of a release, written to a folder with a manifest of what is in it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
import pyarrow as pa

import webgeist
from webgeist.errors import DamagedError, NotFoundError, UsageError
from webgeist.repository.export.folder import ExportFolder, Written, refuse_existing
from webgeist.repository.export.formats import FORMATS
from webgeist.repository.files import DISK
from webgeist.repository.streaming import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import BinaryIO

    from webgeist.repository.files import Files
    from webgeist.repository.release import Release


@dataclass(frozen=True)
class ExportedTable:
    """A table in an export."""

    rows: int
    columns: list[str]
    files: list[Written]


@dataclass(frozen=True)
class Exported:
    """What an export consists of: the contents of its manifest.json."""

    webgeist: str
    release: int
    published: str
    format: str
    tables: dict[str, ExportedTable]
    screenshots: list[Written]

    def to_json(self) -> bytes:
        return orjson.dumps(asdict(self), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def export_release(
    release: Release,
    folder: str | Path,
    tables: Iterable[str] = (),
    *,
    form: str = "parquet",
    columns: Sequence[str] | None = None,
    screenshots: bool = False,
    overwrite: bool = False,
    on_file: Callable[[str], None] = lambda _: None,
    files: Files = DISK,
) -> Exported:
    """Write tables (and screenshots as PNG) of a release to a folder, all or nothing.

    Each table becomes one file, streamed. `on_file` hears the name of each file when its turn
    comes. NotFoundError: no such table or column. UsageError: something is in the way.
    """
    target, names = Path(folder), list(dict.fromkeys(tables))
    if form not in FORMATS:
        raise UsageError(f"there is no format {form}", remedy=nearest(form, FORMATS))
    wanted = {name: _columns(release, name, columns) for name in names}
    pictures = list(_pictured(release)) if screenshots else []
    if not overwrite:
        refuse_existing(
            target, [*(f"{name}.{form}" for name in names), *map(_picture_name, pictures)]
        )
    with ExportFolder(target, files) as made:
        work = _Export(release, form, made, on_file)
        found = {name: work.table(name, chosen) for name, chosen in wanted.items()}
        shown = [work.picture(capture) for capture in pictures]
        time = release.manifest.time.isoformat()
        done = Exported(webgeist.__version__, release.number, time, form, found, shown)
        made.finish(done.to_json())
    return done


def _columns(release: Release, name: str, columns: Sequence[str] | None) -> pa.Schema:
    """The chosen columns, or all. NotFoundError names the nearest."""
    types = release.columns(name)
    for column in columns or ():
        if column not in types:
            raise NotFoundError(
                f"table {name} has no column {column}", remedy=nearest(column, types)
            )
    return pa.schema([(column, types[column]) for column in columns or types])


def _pictured(release: Release) -> Iterator[str]:
    """The captures that have a screenshot."""
    table = release.table("captures", ["capture", "screenshot_width"]).sort_by("capture")
    for row in table.to_pylist():
        if row["screenshot_width"] is not None:
            yield row["capture"]


def _picture_name(capture: str) -> str:
    return f"screenshots/{capture}.png"


@dataclass(frozen=True)
class _Export:
    """One export: writes one file after the other."""

    release: Release
    form: str
    folder: ExportFolder
    on_file: Callable[[str], None]

    def table(self, name: str, schema: pa.Schema) -> ExportedTable:
        file = f"{name}.{self.form}"
        self.on_file(file)
        counted: list[int] = []

        def write(target: BinaryIO) -> None:
            pieces = self.release.stream(name, schema.names)
            counted.append(FORMATS[self.form](target, schema, pieces))

        written = self.folder.write(file, write)
        expected = self.release.manifest.tables[name].rows
        if counted != [expected]:
            raise DamagedError(f"table {name} has {counted[0]} rows instead of {expected}")
        return ExportedTable(expected, schema.names, [written])

    def picture(self, capture: str) -> Written:
        self.on_file(_picture_name(capture))
        shot = self.release.capture(capture).screenshot
        if shot is None:
            raise DamagedError(f"capture {capture} has no screenshot", remedy="webgeist check")
        image = shot.image()
        return self.folder.write(_picture_name(capture), lambda target: image.save(target, "PNG"))
