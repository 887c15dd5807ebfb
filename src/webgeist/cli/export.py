"""webgeist export: a repository in a form that other tools open."""

from __future__ import annotations

import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from webgeist.cli.session import JsonOption, session_of
from webgeist.errors import UsageError

if TYPE_CHECKING:
    from webgeist.cli.output import Output
    from webgeist.repository.export.tables import Exported

app = typer.Typer(add_completion=False, rich_markup_mode=None)


class Format(StrEnum):
    """The forms of a table."""

    PARQUET = "parquet"
    JSONL = "jsonl"
    CSV = "csv"


@app.command()
def export(
    ctx: typer.Context,
    repo: Annotated[Path, typer.Argument(metavar="REPO", help="The repository.")],
    tables: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TABLE]...", help="Tables of the release.", show_default=False),
    ] = None,
    *,
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="FOLDER", file_okay=False, help="The folder for the tables."),
    ] = None,
    form: Annotated[Format, typer.Option("--format", help="The form of the tables.")] = (
        Format.PARQUET
    ),
    columns: Annotated[
        str | None,
        typer.Option("--columns", metavar="A,B", help="These columns only, in this order."),
    ] = None,
    release: Annotated[
        int | None,
        typer.Option("--release", metavar="N", min=1, help="This release; else the newest."),
    ] = None,
    png: Annotated[
        bool, typer.Option("--png", help="Also the screenshots of all captures, as PNG files.")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace what is in the folder under these names.")
    ] = False,
    wacz: Annotated[
        Path | None,
        typer.Option(
            "--wacz", metavar="FILE", help="Everything recorded, as this file; it must not exist."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write tables of a release to a folder, or everything that was recorded into one WACZ file.

    The folder gets a file for each table and a manifest.json with their rows, bytes and SHA-256.
    The files appear when all of them are written. CSV is safe for spreadsheets: a text that looks
    like a formula gets an apostrophe in front. Nested values are JSON texts there.

    A WACZ file has all that was recorded, published or not; ReplayWeb.page and other replay tools
    open it. Every record is verified on the way. The name of what was written is printed.

    Example: webgeist export my-pages nodes links --to tables --format csv
    """
    output = session_of(ctx).output
    if (to is None) == (wacz is None):
        raise UsageError("say where to write", remedy="either --to FOLDER or --wacz FILE")
    if wacz is not None:
        if tables or png or columns or release:
            raise UsageError("a WACZ file has no tables", remedy="--to FOLDER")
        _write_wacz(output, repo, wacz, as_json=as_json)
    elif to is not None:
        if not tables and not png:
            raise UsageError("say which tables to write", remedy="webgeist releases --json")
        wanted = {
            "tables": tables or [],
            "form": form.value,
            "columns": None if columns is None else [name.strip() for name in columns.split(",")],
            "screenshots": png,
            "overwrite": overwrite,
        }
        started = time.monotonic()
        done = _write_tables(output, repo, release, to, wanted)
        _tell(output, done, to, time.monotonic() - started, as_json=as_json)


def _write_tables(
    output: Output, repo: Path, release: int | None, to: Path, wanted: dict[str, Any]
) -> Exported:
    from webgeist.repository.repository import open_repository

    with (
        open_repository(repo, readonly=True) as repository,
        repository.release(release) as opened,
        output.working("exporting") as stage,
    ):
        return opened.export(to, on_file=stage, **wanted)


def _tell(output: Output, done: Exported, to: Path, seconds: float, *, as_json: bool) -> None:
    if as_json:
        output.json({"folder": str(to)} | vars(done))
    else:
        output.data(str(to))
    files = [file for table in done.tables.values() for file in table.files] + done.screenshots
    rows = sum(table.rows for table in done.tables.values())
    size = sum(file.bytes for file in files)
    output.say(f"{rows:,} rows, {len(files):,} files, {size:,} bytes; {seconds:.1f} s")


def _write_wacz(output: Output, repo: Path, wacz: Path, *, as_json: bool) -> None:
    from webgeist.repository.repository import open_repository

    started = time.monotonic()
    with open_repository(repo, readonly=True) as repository:
        with output.working("exporting") as stage:
            repository.export_wacz(wacz, on_file=stage)
        captures = len(repository)
    size = wacz.stat().st_size
    if as_json:
        output.json({"file": str(wacz), "bytes": size, "captures": captures})
    else:
        output.data(str(wacz))
    seconds = time.monotonic() - started
    output.say(f"{captures:,} captures, {size:,} bytes; {seconds:.1f} s")
