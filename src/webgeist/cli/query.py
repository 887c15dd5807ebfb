"""webgeist query: ask a repository."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgeist.cli.exits import ExitCode
from webgeist.cli.repo import HERE, RepoOption
from webgeist.cli.session import JsonOption, session_of
from webgeist.errors import NotFoundError, StorageError, UsageError

if TYPE_CHECKING:
    from webgeist.cli.output import Output
    from webgeist.query.ask import Answer, Explanation
    from webgeist.query.database import Limits
    from webgeist.repository.release import Release
    from webgeist.repository.repository import Repository

app = typer.Typer(add_completion=False, rich_markup_mode=None)

_SHOWN = 100  # rows of a table for people


class Form(StrEnum):
    """How an answer is written."""

    TABLE = "table"
    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"


@app.command()
def query(
    ctx: typer.Context,
    text: Annotated[
        str, typer.Argument(metavar="QUERY", help="JSON, a file with it, or - for stdin.")
    ],
    *,
    repo: RepoOption = HERE,
    release: Annotated[
        int | None,
        typer.Option("--release", metavar="N", min=1, help="This release; else the newest."),
    ] = None,
    as_json: JsonOption = False,
    as_jsonl: Annotated[bool, typer.Option("--jsonl", help="Print a JSON object per row.")] = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print CSV, safe for spreadsheets.")
    ] = False,
    arrow: Annotated[
        Path | None,
        typer.Option("--arrow", metavar="OUT", dir_okay=False, help="Write an Arrow file."),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say what would be run and read; run nothing.")
    ] = False,
    fetch: Annotated[
        Path | None,
        typer.Option(
            "--fetch", metavar="FOLDER", file_okay=False, help="Write what $fetch found there."
        ),
    ] = None,
    store: Annotated[
        str | None,
        typer.Option(
            "--output", metavar="STORE", help="Whose rows are @output. [the repository's state.db]"
        ),
    ] = None,
    rows: Annotated[
        int | None, typer.Option("--rows", min=1, help="Rows of the answer at most. [1000000]")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", min=0.001, help="Time that it may take. [60]")
    ] = None,
    memory: Annotated[
        int | None, typer.Option("--memory", min=64, metavar="MB", help="Memory. [2048]")
    ] = None,
) -> None:
    """Ask a release of the repository, in DQL: docs/query-language.md.

    An answer that a limit cut says so, and the command ends with code 10. Of a table for people the
    first 100 rows are shown.

    Example: webgeist query '{"$from": "@dom", "$top": "@styles.cursor"}' --repo my-pages
    """
    from webgeist.query.database import Limits
    from webgeist.repository.repository import open_repository
    from webgeist.scrape.output import attach_output

    output = session_of(ctx).output
    form = _form(as_json=as_json, as_jsonl=as_jsonl, as_csv=as_csv, arrow=arrow)
    given = {"rows": rows, "seconds": seconds, "memory_mb": memory}
    limits = Limits(**{key: value for key, value in given.items() if value is not None})  # type: ignore[arg-type]
    dql = read_query(text)
    with (
        open_repository(repo, readonly=True) as repository,
        repository.release(release) as opened,
    ):
        if "output" in dql:  # only then rows of scrapers are read
            attach_output(opened, store)
        if explain:
            _explain(output, opened, dql, limits, as_json=as_json)
            return
        answer = _answer(output, opened, dql, limits)
        _write(output, answer, form, arrow)
        if fetch is not None:
            _fetch(output, repository, opened, answer, fetch)
    _say(output, answer)
    if answer.cut:
        raise typer.Exit(ExitCode.LIMIT)


def _form(*, as_json: bool, as_jsonl: bool, as_csv: bool, arrow: Path | None) -> Form:
    chosen = [
        form
        for form, wanted in ((Form.JSON, as_json), (Form.JSONL, as_jsonl), (Form.CSV, as_csv))
        if wanted
    ]
    if len(chosen) + (arrow is not None) > 1:
        raise UsageError("an answer has one form", remedy="one of --json --jsonl --csv --arrow")
    return chosen[0] if chosen else Form.TABLE


def read_query(text: str) -> str:
    """The query itself, what a file has, or stdin."""
    from webgeist.query.reading import MOST_BYTES

    if text == "-":
        return sys.stdin.read(MOST_BYTES + 1)
    if text.lstrip().startswith(("{", "POST", "query")):
        return text
    try:
        with Path(text).open(encoding="utf-8") as file:
            return file.read(MOST_BYTES + 1)
    except FileNotFoundError as error:
        raise NotFoundError(
            f"{text} is neither a query nor a file", remedy='a query begins with {, as {"$from": …}'
        ) from error
    except (OSError, ValueError) as error:
        raise UsageError(f"{text} cannot be read: {error}") from error


def _answer(output: Output, release: Release, dql: str, limits: Limits) -> Answer:
    from webgeist.query.ask import ask

    with output.working("asking"):
        return ask(release, dql, limits=limits)


def _write(output: Output, answer: Answer, form: Form, arrow: Path | None) -> None:
    from webgeist.cli.answers import answer_json, answer_table, write_arrow
    from webgeist.repository.export.formats import FORMATS

    if arrow is not None:
        write_arrow(answer.table, arrow)
        output.data(str(arrow))
    elif form is Form.TABLE:
        output.table(answer_table(answer.table.slice(0, _SHOWN)))
        if len(answer) > _SHOWN:
            output.say(f"{len(answer) - _SHOWN:,} more rows: --jsonl, --csv or --arrow OUT has all")
    elif form is Form.JSON:
        output.json(answer_json(answer))
    else:
        try:
            sys.stdout.flush()
            FORMATS[form.value](sys.stdout.buffer, answer.table.schema, [answer.table])
            sys.stdout.buffer.flush()
        except BrokenPipeError:  # who reads has enough
            sys.stderr.close()
        except OSError as error:
            raise StorageError(f"cannot write the answer: {error.strerror}") from error


def _fetch(
    output: Output, repository: Repository, release: Release, answer: Answer, folder: Path
) -> None:
    from webgeist.query.fetch import fetch

    found = fetch(repository, release, answer, folder)
    for each in found:
        output.say(f"{each.file or 'not stored'}: {each.url}")


def _say(output: Output, answer: Answer) -> None:
    if answer.cut:
        output.warn(f"the answer was cut: the limit of {answer.cut} was reached")
    output.say(f"{len(answer):,} rows of release {answer.release}; {answer.seconds:.2f} s")


def _explain(output: Output, release: Release, dql: str, limits: Limits, *, as_json: bool) -> None:
    from webgeist.query.ask import explain

    found: Explanation = explain(release, dql, limits=limits)
    if as_json:
        output.json(
            {
                "release": found.release,
                "sql": found.sql,
                "parameters": {name: str(value) for name, value in found.parameters.items()},
                "tables": found.tables,
                "estimate": vars(found.estimate),
            }
        )
        return
    output.data(found.sql)
    for name, value in found.parameters.items():
        output.data(f"${name} = {str(value)[:200]!r}")
    for table, columns in found.tables.items():
        output.data(f"{table}: {', '.join(columns)}")
    size = found.estimate
    output.data(
        f"reads at most {size.rows:,} rows in {size.row_groups:,} row groups, {size.bytes:,} bytes"
    )
