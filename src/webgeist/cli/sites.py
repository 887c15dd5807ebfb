"""webgeist sites: where sites begin and end, and their maps."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgeist.cli.mining import TEMPLATE, BaseOption, FolderOption, MethodOption, RenderedOption
from webgeist.cli.output import one_line
from webgeist.cli.repo import HERE, RepoOption
from webgeist.cli.session import JsonOption, session_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from webgeist.analyses.menus.result import Mined, Site
    from webgeist.cli.output import Output

app = typer.Typer(add_completion=False, rich_markup_mode=None)


class MapForm(StrEnum):
    """How a map of sites is shown."""

    TREE = "tree"
    JSON = "json"
    XML = "xml"
    MERMAID = "mermaid"
    SVG = "svg"
    TABLE = "table"


@app.command()
def sites(
    ctx: typer.Context,
    *,
    repo: RepoOption = HERE,
    folder: FolderOption = None,
    base_url: BaseOption = None,
    method: MethodOption = TEMPLATE,
    rendered: RenderedOption = False,
    form: Annotated[
        MapForm | None,
        typer.Option("--map", help="The place of every page: tree, json, xml (sitemap.xml) ..."),
    ] = None,
    site: Annotated[
        int | None, typer.Option("--site", metavar="N", min=0, help="The map of this site only.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", dir_okay=False, help="Write the map to this file."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Find the sites among pages by the menus that they share, each with its entry and map.

    Pages that share no menu with others are not guessed at: they are counted at the end.

    Example: webgeist sites --repo my-pages

    Example: webgeist sites --folder saved --base-url https://example.org/ --map svg --out map.svg
    """
    from webgeist.cli.mining import mine
    from webgeist.errors import UsageError

    output = session_of(ctx).output
    if form is None and (out is not None or site is not None):
        raise UsageError("--site and --out are about a map", remedy=f"--map {MapForm.TREE}")
    with output.working("mining"):
        mined = mine(repo, folder, base_url, output, method=method, rendered=rendered)
    if form is not None:
        _show_map(mined, _chosen(mined, site), form, out, output)
    elif as_json:
        output.json(mined.to_json())
    else:
        output.table(_table(mined))
        output.say(f"{len(mined.unassigned):,} pages share no menu with others")


def _chosen(mined: Mined, number: int | None) -> Sequence[Site]:
    from webgeist.errors import NotFoundError

    if number is None:
        return mined.sites
    if number >= len(mined.sites):
        raise NotFoundError(f"there is no site {number}", remedy=f"0 to {len(mined.sites) - 1}")
    return mined.sites[number : number + 1]


def _show_map(
    mined: Mined, sites: Sequence[Site], form: MapForm, out: Path | None, output: Output
) -> None:
    from webgeist.repository.files import write_atomically

    text = map_text(mined, sites, form)
    if out is None:
        output.data(text.removesuffix("\n"))
        return
    write_atomically(out, lambda target: target.write(text.encode("utf-8", "replace")))


def map_text(mined: Mined, sites: Sequence[Site], form: MapForm) -> str:
    """The map of sites in one of its forms."""
    from webgeist.analyses.menus import sitemap
    from webgeist.cli.output import to_json

    if form is MapForm.XML:
        return sitemap.sitemap_xml(mined, sites)
    if form is MapForm.TABLE:
        return "\n".join(_place_rows(mined, sites)) + "\n"
    trees = [sitemap.site_tree(mined, each) for each in sites]
    match form:
        case MapForm.JSON:
            return to_json([sitemap.tree_json(tree) for tree in trees]).decode()
        case MapForm.MERMAID:
            return sitemap.mermaid(trees)
        case MapForm.SVG:
            return sitemap.svg(trees)
        case _:
            return "\n".join(one for tree in trees for one in sitemap.tree_lines(tree)) + "\n"


def _place_rows(mined: Mined, sites: Sequence[Site]) -> list[str]:
    """A line for each page: its site, its address, and the way to it; parted by tabs."""
    return [
        f"{each.id}\t{url}\t" + " > ".join(one_line(crumb.text) for crumb in mined.places[url])
        for each in sites
        for url in each.pages
    ]


def _table(mined: Mined) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE)
    for heading in ("site", "pages", "sections"):
        table.add_column(heading, justify="right")
    table.add_column("entry", overflow="fold")
    table.add_column("main menu", overflow="fold")
    for site in mined.sites:
        menu = None if site.main_menu is None else mined.menus[site.main_menu]
        items = " · ".join(one_line(i.text or i.url) for i in menu.items) if menu else ""
        counts = (str(site.id), f"{len(site.pages):,}", str(len(site.sections)))
        table.add_row(*counts, one_line(site.entry), items)
    return table
