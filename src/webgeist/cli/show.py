"""webgeist show: what is known of a stored capture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from webgeist.cli.output import one_line
from webgeist.cli.repo import HERE, RepoOption
from webgeist.cli.session import JsonOption, session_of
from webgeist.cli.summary import summary
from webgeist.cli.wanted import WANTED, find_capture

if TYPE_CHECKING:
    from webgeist.capture.model import Capture

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def show(
    ctx: typer.Context,
    capture: Annotated[str, typer.Argument(metavar="CAPTURE", help=WANTED)],
    *,
    repo: RepoOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Show what is known of a capture in a repository, published or not.

    Example: webgeist show https://example.org/ --repo my-pages
    """
    from webgeist.repository.repository import open_repository

    output = session_of(ctx).output
    with open_repository(repo, readonly=True) as repository:
        id_ = find_capture(repository, capture)
        found = repository.capture(id_)
        facts = {"capture": id_} | summary(found) | _more(found)
    if as_json:
        output.json(facts)
        return
    for name, value in facts.items():
        output.data(one_line(f"{name:>14}  {_text(value)}"))


def _more(found: Capture) -> dict[str, Any]:
    page = found.page
    return {
        "styles": page.styles_own.num_rows + page.styles_inherited.num_rows if page else 0,
        "messages": len(found.info.messages),
        "browser": found.info.browser,
    }


def _text(value: Any) -> str:
    """A fact for people: long ones as what matters of them."""
    from webgeist.capture.screenshot import ScreenshotInfo
    from webgeist.capture.settle import Settled

    match value:
        case None:
            return ""
        case Settled():
            return value.reason
        case ScreenshotInfo():
            return f"{value.width}x{value.height} {value.format}, {len(value.areas)} tiles"
        case dict():
            return ", ".join(f"{name} {ms:,.0f}" for name, ms in value.items())
        case _:
            return str(value)
