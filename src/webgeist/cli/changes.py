"""webgeist changes: what really changed between versions of a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from webgeist.cli.exits import ExitCode
from webgeist.cli.output import one_line
from webgeist.cli.repo import HERE, RepoOption
from webgeist.cli.session import JsonOption, session_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from webgeist.analyses.changes.change import Change
    from webgeist.cli.output import Output
    from webgeist.cli.session import Session

app = typer.Typer(add_completion=False, rich_markup_mode=None)
_SHOWN = 5  # regions that are printed for people
_QUOTED = 90  # characters of a region's text


@app.command()
def changes(
    ctx: typer.Context,
    page: Annotated[
        str | None,
        typer.Argument(metavar="URL|PAGE", show_default=False, help="A page of the repository."),
    ] = None,
    *,
    pair: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--pair",
            metavar="A B",
            help="Two versions: captures, capture folders, saved HTML files or pictures.",
        ),
    ] = None,
    pairs: Annotated[
        Path | None,
        typer.Option(
            "--pairs",
            metavar="FILE.csv",
            dir_okay=False,
            help="Many pairs of saved HTML files or pictures: columns a, b, perhaps document.",
        ),
    ] = None,
    root: Annotated[
        Path,
        typer.Option(
            "--root", metavar="DIR", file_okay=False, help="Where the files of --pairs are."
        ),
    ] = HERE,
    repo: RepoOption = HERE,
    picture: Annotated[
        Path | None,
        typer.Option(
            "--picture",
            metavar="OUT.png",
            dir_okay=False,
            help="With --pair: draw both versions side by side, with what changed.",
        ),
    ] = None,
    exit_code: Annotated[
        bool, typer.Option("--exit-code", help="Exit with 6 if a change is important.")
    ] = False,
    as_json: JsonOption = False,
    as_jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Print a JSON document for each pair, a line each.")
    ] = False,
) -> None:
    """Tell whether the content of a page changed, where, and why that counts.

    For a page of the repository, each version is compared with the one before. Saved files are
    rendered, and nothing is fetched from the network. Menus, ads, banners, dates and counters are
    no content. What cannot be compared (bot walls, error pages, other viewports) raises no alarm.
    Pictures (PNG, JPEG) are judged by their lines alone, which is less sure.
    What `webgeist teach` was told counts for captures of a repository.

    Example: webgeist changes https://example.org/terms --repo my-pages

    Example: webgeist changes --pair old.html new.html --picture change.png

    Example: webgeist changes --pairs pairs.csv --root saved --jsonl
    """
    session = session_of(ctx)
    _check(page, pair, pairs, picture)
    if pairs is not None:
        found = _batch(session, pairs, root)
    elif pair is not None:
        found = _pair(session, pair, repo, picture)
    else:
        found = _versions(repo, page or "")
    important = _print(session.output, found, as_json=as_json, as_jsonl=as_jsonl)
    if exit_code and important:
        raise typer.Exit(ExitCode.CHANGED)


def _check(page: str | None, pair: object | None, pairs: Path | None, picture: Path | None) -> None:
    from webgeist.errors import UsageError

    if sum(each is not None for each in (page, pair, pairs)) != 1:
        raise UsageError(
            "give a page, --pair A B or --pairs FILE.csv", remedy="webgeist changes --help"
        )
    if picture is not None and pair is None:
        raise UsageError("--picture goes with --pair", remedy="choose two versions")


def _versions(repo: Path, page: str) -> Iterator[tuple[str, str, Change]]:
    """The versions of a page in a repository, each with the one before."""
    from webgeist.analyses.changes.table import versions
    from webgeist.analyses.changes.teachings import ANALYSIS, read_teachings
    from webgeist.analyses.group import Group, Member
    from webgeist.cli.wanted import find_capture
    from webgeist.errors import NotFoundError
    from webgeist.repository.repository import open_repository

    with open_repository(repo, readonly=True) as repository:
        url = page if ":" in page else repository.capture(find_capture(repository, page)).info.url
        entries = repository.captures(url)
        if not entries:
            raise NotFoundError(
                f"there is no capture of {url} in {repo}", remedy="give the URL as it was captured"
            )
        members = tuple(Member(entry.capture, url, entry.time) for entry in entries)
        given = {ANALYSIS: read_teachings(repository.layout)}
        yield from versions(Group(url, members, repository.capture, given))


def _pair(
    session: Session, pair: tuple[str, str], repo: Path, picture: Path | None
) -> Iterator[tuple[str, str, Change]]:
    from webgeist.cli.comparing import draw, open_pair
    from webgeist.functions import compare

    before, after = open_pair(session, pair, repo, pictures=picture is not None)
    change = compare(before, after)
    if picture is not None:
        draw(picture, before, after, change)
    yield pair[0], pair[1], change


def _batch(session: Session, file: Path, root: Path) -> Iterator[tuple[str, str, Change]]:
    from webgeist.cli.comparing import compare_files, read_pairs

    rows = read_pairs(file, root)
    yield from compare_files(session, rows)


def _print(
    output: Output,
    found: Iterable[tuple[str, str, Change]],
    *,
    as_json: bool,
    as_jsonl: bool,
) -> int:
    """How many changes are important. Lines come when they are ready."""
    important, documents = 0, []
    for before, after, change in found:
        important += change.important
        document = {"a": before, "b": after} | change.to_dict()
        if as_jsonl:
            output.line(document)
        elif as_json:
            documents.append(document)
        else:
            _tell(output, before, after, change)
    if as_json:
        output.json({"changes": documents})
    return important


def _tell(output: Output, before: str, after: str, change: Change) -> None:
    verdict = "important" if change.important else "not important"
    verdict = verdict if change.comparable else "not comparable"
    output.data(one_line(f"{before} -> {after}  {change.score:.2f} {verdict}"))
    output.data(one_line(change.reason))
    shown = change.regions[:_SHOWN] if change.comparable else ()
    for number, region in enumerate(shown, 1):
        what = f"{region.chance:.2f} {region.kind} {region.place} {region.type}"
        output.data(one_line(f"  {number}. {what}: {_words(region)}"))


def _words(region: Any) -> str:
    old, new = (_short(text) for text in (region.text_before, region.text_after))
    if not old or not new or old == new:
        return repr(new or old)
    return f"{old!r} -> {new!r}"


def _short(text: str) -> str:
    return text if len(text) <= _QUOTED else text[:_QUOTED] + "…"
