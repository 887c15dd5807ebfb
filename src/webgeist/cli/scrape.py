"""webgeist scrape: the rows of scrapers, and whether their keys are good."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from webgeist.cli.session import JsonOption, session_of
from webgeist.cli.targets import DelayOption
from webgeist.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgeist.cli.output import Output
    from webgeist.scrape.doctor import BlockReport, Pair, Suggestion
    from webgeist.scrape.rows import Row
    from webgeist.scrape.sql_log import SqlLog

app = typer.Typer(add_completion=False, rich_markup_mode=None)

_STORE_HELP = "A SQLite file, or postgresql://..."
StoreArgument = Annotated[str, typer.Argument(metavar="STORE", help=_STORE_HELP)]
ProgramArgument = Annotated[
    str | None,
    typer.Argument(metavar="[PROGRAM]", help="The program; may be left out if there is one."),
]
ProgramFile = Annotated[
    Path, typer.Argument(metavar="PROGRAM", help="A program file (YAML).", dir_okay=False)
]
_SHOWN = 5


class Format(StrEnum):
    """The forms of exported rows."""

    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"
    SQLITE = "sqlite"


@app.callback()
def scrape() -> None:
    """Run scraping programs; the rows that scrapers with skip blocks collected, and their keys.

    Example: webgeist scrape run organisations.yaml
    """


@app.command()
def run(
    ctx: typer.Context,
    program: ProgramFile,
    *,
    store: Annotated[
        str | None,
        typer.Option("--store", metavar="STORE", help=f"{_STORE_HELP} [PROGRAM with .db]"),
    ] = None,
    delay: DelayOption = None,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Let pages reach this machine and its network.")
    ] = False,
    workers: Annotated[
        int,
        typer.Option("--workers", min=1, max=32, help="Rows of the outermost loop done at once."),
    ] = 1,
    fixtures: Annotated[
        bool,
        typer.Option("--fixtures/--no-fixtures", help="Keep the pages for webgeist scrape test."),
    ] = True,
    as_json: JsonOption = False,
) -> None:
    """Run a scraping program in Chromium. However it ends, the same command goes on from there.

    What a skip block has committed is not done again. A site that fails inside a block costs that
    block: it is told at the end (exit code 3), and the next run does it. Something that is looked
    for and not found ends the run, because wrong rows are worse than none.

    The pages of the last three runs are kept beside the program (PROGRAM.fixtures), without cookies
    and without what was typed. With several workers a host still gets one page at a time.

    Example: webgeist scrape run organisations.yaml --store register.db
    """
    from webgeist.cli.programs import run_program
    from webgeist.scrape.program.launching import Launch
    from webgeist.scrape.program.reading import parse_program, read_text

    session = session_of(ctx)
    text = read_text(program)
    flags = {"crawl.delay_seconds": delay, "gate.allow_private": allow_private or None}
    launch = Launch(
        parse_program(text),
        store or str(program.with_suffix(".db")),
        session.load_settings(flags).settings,
        text,
        program.with_suffix(".fixtures") if fixtures else None,
        workers,
    )
    raise typer.Exit(run_program(launch, session.output, as_json=as_json))


@app.command("test")
def repeat_on_kept_pages(
    ctx: typer.Context,
    program: ProgramFile,
    *,
    store: Annotated[
        str | None,
        typer.Option("--store", metavar="STORE", help="The log of its runs [PROGRAM with .db]."),
    ] = None,
    number: Annotated[
        int | None, typer.Option("--run", metavar="N", help="The run to repeat [the newest].")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Run a program on the pages that an earlier run of it kept, and compare the rows.

    Nothing is asked of the web, and the log is left as it is. Rows that are lost (-) or added (+)
    are printed, and the exit code is 6: after a change of the program, they are what it does.

    Example: webgeist scrape test organisations.yaml
    """
    from webgeist import blocking
    from webgeist.cli.programs import tell_test
    from webgeist.scrape.program.reading import parse_program, read_text
    from webgeist.scrape.program.testing import choose_run, repeat

    session = session_of(ctx)
    text = read_text(program)
    read, folder = parse_program(text), program.with_suffix(".fixtures")
    log = store or str(program.with_suffix(".db"))
    run_ = choose_run(folder, read.name, log, number)
    settings = session.load_settings({}).settings
    tested = blocking.run(repeat(read, text, folder, log, run=run_, settings=settings))
    raise typer.Exit(tell_test(tested, session.output, as_json=as_json))


@app.command()
def show(
    ctx: typer.Context,
    program: ProgramFile,
    *,
    python: Annotated[
        bool, typer.Option("--python", help="As a Python script that does the same.")
    ] = False,
) -> None:
    """Print a scraping program as an outline; whatever is wrong in it is told with its line.

    Example: webgeist scrape show organisations.yaml --python > organisations.py
    """
    from webgeist.scrape.program.outline import outline
    from webgeist.scrape.program.pythonic import python as as_python
    from webgeist.scrape.program.reading import read_program

    read = read_program(program)
    session_of(ctx).output.data((as_python(read) if python else outline(read)).rstrip())


@app.command()
def address(
    ctx: typer.Context,
    url: Annotated[str, typer.Argument(metavar="URL", help="A page that has it.")],
    selector: Annotated[str, typer.Argument(metavar="SELECTOR", help="A CSS selector for it.")],
    *,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Let pages reach this machine and its network.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Print where an element is in so many ways that some survive when a site is built anew.

    The features stand in a program in the place of a selector: as long as most of them fit one node
    clearly better than any other, that is the one. Leave out what says nothing about it.

    Example: webgeist scrape address https://shop.example/p/7 .price
    """
    from webgeist.cli.programs import address_lines, features_at

    session = session_of(ctx)
    flags = {"gate.allow_private": allow_private or None}
    features = features_at(url, selector, session.load_settings(flags).settings)
    if as_json:
        session.output.json(features)
        return
    for line in address_lines(features):
        session.output.data(line)


@app.command()
def export(
    ctx: typer.Context,
    store: StoreArgument,
    program: ProgramArgument = None,
    *,
    to: Annotated[
        Path, typer.Option("--to", metavar="FOLDER", file_okay=False, help="The folder to fill.")
    ],
    form: Annotated[Format, typer.Option("--format", help="The form of the rows.")] = Format.CSV,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace what is in the folder under that name.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Write the permanent rows of a program to a file in a folder, with a manifest.

    Columns are all that any row has, in the order in which they came up, and _run, _time, _source
    and _block, which tell where a row comes from. CSV is safe for spreadsheets.

    Example: webgeist scrape export scholar.db --to rows --format parquet
    """
    from webgeist.scrape.export import export_rows

    output = session_of(ctx).output
    log = _open(store)
    try:
        name = _program(log, program)
        done = export_rows(name, lambda: log.rows(name), to, form=form.value, overwrite=overwrite)
    finally:
        log.close()
    if as_json:
        output.json({"folder": str(to)} | asdict(done))
    else:
        output.data(str(to / done.files[0].file))
    output.say(f"{done.rows:,} rows, {len(done.columns):,} columns, {done.files[0].bytes:,} bytes")


@app.command()
def keys(
    ctx: typer.Context,
    store: StoreArgument,
    program: ProgramArgument = None,
    *,
    key: Annotated[
        str | None,
        typer.Option("--key", metavar="A,B", help="Try these columns of the rows as a key."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """See whether the keys of skip blocks are good ones.

    Shows rows that a key takes for one thing although most of their other columns differ, keys of
    which a part is missing, keys that no later run has met again, and columns that could be keys.

    Example: webgeist scrape keys scholar.db --key title,year
    """
    from webgeist.scrape import doctor, records

    output = session_of(ctx).output
    log = _open(store)
    try:
        name = _program(log, program)
        blocks = records.examine(log, name)
        rows = list(log.rows(name))
    finally:
        log.close()
    tried = doctor.pairs(_keyed(rows, key)) if key else []
    by_block: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_block[row.block].append(row)
    suggestions = {
        block: doctor.suggest(some, [row.run for row in some]) for block, some in by_block.items()
    }
    if as_json:
        found: dict[str, Any] = {"program": name, "blocks": [asdict(each) for each in blocks]}
        found |= {
            "suggestions": {
                block: [asdict(each) for each in some] for block, some in suggestions.items()
            }
        }
        output.json(found | ({"pairs": [asdict(each) for each in tried]} if key else {}))
        return
    for each in blocks:
        _tell_block(output, each)
    if key:
        output.data(f"key {key}: {len(tried)} pairs of rows that look like two things")
        _tell_pairs(output, tried)
    for block, some in suggestions.items():
        _tell_suggestions(output, block, some)


def _open(store: str) -> SqlLog:
    from webgeist.scrape.sql_log import SqlLog

    return SqlLog(store, create=False)


def _program(log: SqlLog, wanted: str | None) -> str:
    from webgeist.scrape.records import programs

    found = programs(log)
    if wanted is None and len(found) == 1:
        return found[0]
    if wanted in found:
        return wanted
    known = ", ".join(found) or "none"
    if wanted is None:
        raise UsageError("say which program", remedy=f"there are: {known}")
    raise NotFoundError(f"there is no program {wanted}", remedy=f"there are: {known}")


def _keyed(rows: Sequence[dict[str, Any]], key: str) -> list[tuple[list[Any], dict[str, Any]]]:
    names = [name.strip() for name in key.split(",")]
    for name in names:
        if not any(name in row for row in rows):
            raise NotFoundError(f"no row has a column {name}")
    return [([row.get(name) for name in names], row) for row in rows]


def _tell_block(output: Output, report: BlockReport) -> None:
    output.data(f"block {report.block}: {report.keys:,} keys in {report.records:,} records")
    if report.missing:
        output.data(f"  {len(report.missing):,} keys miss a part, as {report.missing[0]}")
    if report.never_repeats:
        output.data(
            "  no later run has met one of its keys again: is there a counter or date in it?"
        )
    if report.pairs:
        output.data(f"  {len(report.pairs):,} keys whose rows look like two things")
        _tell_pairs(output, report.pairs)


def _tell_pairs(output: Output, pairs: Sequence[Pair]) -> None:
    for pair in pairs[:_SHOWN]:
        output.data(f"    {pair.key}: {', '.join(pair.differing)}")
        output.data(f"      {pair.one}")
        output.data(f"      {pair.other}")


def _tell_suggestions(output: Output, block: str, suggestions: Sequence[Suggestion]) -> None:
    where = f"rows of {block}" if block else "rows outside of blocks"
    for each in suggestions:
        again = "" if each.stable is None else f", {each.stable:.0%} met again by the next run"
        output.data(
            f"{where}: {', '.join(each.columns)} tell {each.distinct:.0%} of them apart{again}"
        )
