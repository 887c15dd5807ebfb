"""webgeist teach: which changes of a page or site are important, and which are not."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from webgeist.cli.output import one_line
from webgeist.cli.repo import HERE, RepoOption
from webgeist.cli.session import JsonOption, session_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from webgeist.analyses.changes.teaching import Teaching
    from webgeist.cli.output import Output
    from webgeist.repository.repository import Repository

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def teach(
    ctx: typer.Context,
    captures: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[A B|URL]",
            show_default=False,
            help="Two captures of a page, or a page: its last two; none: list what was taught.",
        ),
    ] = None,
    *,
    important: Annotated[
        bool | None,
        typer.Option("--important/--unimportant", show_default=False, help="What the change is."),
    ] = None,
    region: Annotated[
        list[int] | None,
        typer.Option(
            "--region", metavar="N", min=1, help="Only this region of it; may be repeated."
        ),
    ] = None,
    site: Annotated[
        bool,
        typer.Option("--site/--page", help="For all pages of the host, or for this page alone."),
    ] = False,
    reset: Annotated[
        str | None,
        typer.Option(
            "--reset", metavar="ID|URL|HOST|all", help="Forget what was taught by or about this."
        ),
    ] = None,
    repo: RepoOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Say that a change of a page is unimportant, or important; list that, or forget it.

    `webgeist changes` numbers the regions of a change; without --region the whole change is meant.
    The same part of the page is judged so from now on, also when the layout moves a little, and
    changes of such blocks become likelier or less. Reasons say where a teaching was applied.

    Example: webgeist teach https://example.org/news --unimportant --region 1 --repo my-pages

    Example: webgeist teach --repo my-pages

    Example: webgeist teach --reset https://example.org/news --repo my-pages
    """
    output = session_of(ctx).output
    _check(captures or [], important, region, reset)
    if reset is not None:
        _tell(output, _reset(repo, reset), as_json=as_json, key="forgotten")
    elif captures:
        made = _teach(repo, captures, important=bool(important), regions=region or (), site=site)
        _tell(output, [made], as_json=as_json, key="taught")
    else:
        _tell(output, _taught(repo), as_json=as_json, key="taught")


def _check(
    captures: Sequence[str], important: bool | None, region: object, reset: str | None
) -> None:
    from webgeist.errors import UsageError

    if len(captures) > 2:  # noqa: PLR2004 - a pair
        raise UsageError("more than two captures", remedy="webgeist teach A B --unimportant")
    if reset is not None and (captures or important is not None or region):
        raise UsageError("--reset goes alone", remedy="give an id, URL or host with it")
    if bool(captures) != (important is not None):
        raise UsageError(
            "a change, and whether it is important, go together",
            remedy="webgeist teach A B --unimportant",
        )
    if region and not captures:
        raise UsageError("--region is one of a change", remedy="name its captures, too")


def _teach(
    repo: Path, captures: Sequence[str], *, important: bool, regions: Sequence[int], site: bool
) -> Teaching:
    from webgeist.analyses.changes.teachings import teach as teach_repository
    from webgeist.repository.repository import open_repository

    with open_repository(repo) as repository:
        before, after = _pair(repository, captures)
        about: dict[str, Any] = {"important": important, "regions": regions, "site": site}
        return teach_repository(repository, before, after, now=time.time(), **about)


def _pair(repository: Repository, captures: Sequence[str]) -> tuple[str, str]:
    """The two captures that are meant; of a page the last two with the same viewport."""
    from webgeist.cli.wanted import find_capture
    from webgeist.errors import NotFoundError

    ids = [find_capture(repository, each) for each in captures]
    if len(ids) > 1:
        return ids[0], ids[1]
    url = repository.capture(ids[0]).info.url
    entries = repository.captures(url)
    last = next(each for each in entries if each.capture == ids[0])
    earlier = [e.capture for e in entries if e.time < last.time and e.viewport == last.viewport]
    if not earlier:
        raise NotFoundError(f"{url} has no capture before that one", remedy="name two captures")
    return earlier[-1], ids[0]


def _taught(repo: Path) -> Sequence[Teaching]:
    from webgeist.analyses.changes.teachings import read_teachings
    from webgeist.repository.repository import open_repository

    with open_repository(repo, readonly=True) as repository:
        return read_teachings(repository.layout).all


def _reset(repo: Path, which: str) -> list[Teaching]:
    from webgeist.analyses.changes.teachings import reset
    from webgeist.repository.repository import open_repository

    with open_repository(repo) as repository:
        return reset(repository, which)


def _tell(output: Output, teachings: Sequence[Teaching], *, as_json: bool, key: str) -> None:
    if as_json:
        output.json({key: [each.document() for each in teachings]})
        return
    if not teachings:
        output.say("nothing was taught")
    for each in teachings:
        verdict = "important" if each.important else "unimportant"
        where = f"site {each.of}" if each.site else each.of
        output.data(one_line(f"{each.id}  {verdict:<11} {where}  {each.before} -> {each.after}"))
        for lesson in each.lessons:
            masks = ", ".join(map(str, lesson.masks))
            output.data(
                one_line(f"  {lesson.place} {lesson.type}, found by {masks}: {lesson.text!r}")
            )
