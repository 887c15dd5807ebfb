"""webgeist menus: the menus that pages share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from webgeist.cli.mining import TEMPLATE, BaseOption, FolderOption, MethodOption, RenderedOption
from webgeist.cli.output import one_line
from webgeist.cli.repo import HERE, RepoOption
from webgeist.cli.session import JsonOption, session_of

if TYPE_CHECKING:
    from rich.table import Table

    from webgeist.analyses.menus.result import Menu, Mined

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def menus(
    ctx: typer.Context,
    *,
    repo: RepoOption = HERE,
    folder: FolderOption = None,
    base_url: BaseOption = None,
    method: MethodOption = TEMPLATE,
    rendered: RenderedOption = False,
    as_json: JsonOption = False,
) -> None:
    """Find the menus of sites: their items, the pages that have them, which lies below which.

    Of a repository, the newest capture of each page is looked at.

    Example: webgeist menus --repo my-pages

    Example: webgeist menus --folder saved --base-url https://example.org/ --json
    """
    from webgeist.cli.mining import mine

    output = session_of(ctx).output
    with output.working("mining"):
        mined = mine(repo, folder, base_url, output, method=method, rendered=rendered)
    if as_json:
        output.json(mined.to_json())
        return
    output.table(_table(mined))


def _table(mined: Mined) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE)
    for heading in ("menu", "site", "level", "below", "pages"):
        table.add_column(heading, justify="right")
    table.add_column("items", overflow="fold")
    for menu in mined.menus:
        table.add_row(*_row(menu))
    return table


def _row(menu: Menu) -> tuple[str, ...]:
    items = " · ".join(one_line(item.text or item.url) for item in menu.items)
    site = "" if menu.site is None else str(menu.site)
    below = "" if menu.parent is None else str(menu.parent)
    about = "about " if menu.approximate else ""
    return str(menu.id), site, str(menu.level), below, f"{len(menu.pages):,}", about + items
