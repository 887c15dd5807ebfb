"""The analyses `menus`, `menu_items` and `sites`: what mining says of all pages of a host.

Each row belongs to the newest capture of a page. Numbers of menus and sites count within the host.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from webgeist.analyses.group import CAPTURE, Grain, Group, GroupAnalysis
from webgeist.analyses.menus.captured import capture_tree
from webgeist.analyses.menus.mining import mine_trees
from webgeist.analyses.scope import TableScope

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webgeist.analyses.menus.result import Menu, Mined
    from webgeist.analyses.menus.tree import LinkTree

MENUS = pa.schema(
    [
        ("menu", pa.int32()),
        ("site", pa.int32()),
        ("parent", pa.int32()),
        ("level", pa.int16()),
        ("items", pa.int32()),
        ("linked", pa.bool_()),
        ("path", pa.string()),
        ("wildcards", pa.int32()),
        ("approximate", pa.bool_()),
    ]
)
MENU_ITEMS = pa.schema(
    [("menu", pa.int32()), ("order", pa.int32()), ("text", pa.string()), ("url", pa.string())]
)
SITES = pa.schema(
    [
        ("site", pa.int32()),
        ("entry", pa.string()),
        ("main_menu", pa.int32()),
        ("place", pa.list_(pa.string())),
        ("incomplete", pa.bool_()),
    ]
)


def _mined(group: Group) -> tuple[Mined, dict[str, str]]:
    """What is said of a host, and the capture of each address; made once for all three tables."""
    captures: dict[str, str] = {}

    def trees() -> Iterator[LinkTree]:
        for member, subject in group.subjects(group.newest()):
            captures[member.url] = member.capture
            yield capture_tree(member.url, subject.capture)

    return group.shared("menus", lambda: (mine_trees(trees()), captures))


def _menus(group: Group) -> pa.Table:
    mined, captures = _mined(group)
    rows = [_menu_row(menu, url, captures[url]) for menu in mined.menus for url in menu.pages]
    return _table(rows, MENUS)


def _menu_row(menu: Menu, url: str, capture: str) -> dict[str, Any]:
    return {
        "capture": capture,
        "menu": menu.id,
        "site": menu.site,
        "parent": menu.parent,
        "level": menu.level,
        "items": len(menu.items),
        "linked": url in menu.linked,
        "path": menu.path,
        "wildcards": menu.wildcards,
        "approximate": menu.approximate,
    }


def _menu_items(group: Group) -> pa.Table:
    mined, captures = _mined(group)
    rows = [
        {"capture": captures[menu.pages[0]], "menu": menu.id, "order": order}
        | {"text": item.text, "url": item.url}
        for menu in mined.menus
        for order, item in enumerate(menu.items)
    ]
    return _table(rows, MENU_ITEMS)


def _sites(group: Group) -> pa.Table:
    mined, captures = _mined(group)
    incomplete = set(mined.incomplete)
    rows = [
        {
            "capture": captures[url],
            "site": site.id,
            "entry": site.entry,
            "main_menu": site.main_menu,
            "place": [crumb.text for crumb in mined.places[url]],
            "incomplete": False,
        }
        for site in mined.sites
        for url in site.pages
    ]
    rows += [
        {"capture": captures[url], "incomplete": url in incomplete} for url in mined.unassigned
    ]
    return _table(rows, SITES)


def _table(rows: list[dict[str, Any]], schema: pa.Schema) -> pa.Table:
    return pa.Table.from_pylist(rows, schema=pa.schema([CAPTURE, *schema]))


MENUS_ANALYSIS = GroupAnalysis(
    "menus",
    "2",
    MENUS,
    _menus,
    Grain.HOST,
    TableScope("menu", "a menu of the site that a capture belongs to"),
)
MENU_ITEMS_ANALYSIS = GroupAnalysis(
    "menu_items",
    "2",
    MENU_ITEMS,
    _menu_items,
    Grain.HOST,
    TableScope("menu_item", "an item of a menu"),
)
SITES_ANALYSIS = GroupAnalysis(
    "sites",
    "2",
    SITES,
    _sites,
    Grain.HOST,
    TableScope("site", "the site that a capture belongs to"),
)
