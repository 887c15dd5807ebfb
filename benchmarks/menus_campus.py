"""Menus and sites of a made-up campus: one large domain with 36 main menus and 42 of sections.

A main menu is right if the site that has most of its pages has it as main menu, with just its
items; a section's, if a menu at its level below the right one has just its items. Where it replaces
the main menu, it need not lie below it. Menus on fewer than three pages are not counted.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from benchmarks.menus_campus_pages import campus
from benchmarks.menus_campus_sites import SHARED
from benchmarks.partitions import adjusted_rand
from webgeist.analyses.menus.mining import mine_menus

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchmarks.menus_campus_pages import Campus
    from benchmarks.menus_campus_sites import Known
    from webgeist.analyses.menus.result import Menu, Mined

FIRST = 100  # the number of the first campus: rules were made while looking at 0 to 5
_COUNT = 3
_LEAST = 3  # pages of a menu that can be found

Keys = frozenset[str]


def run(*, short: bool) -> dict[str, Any]:
    seeds = range(FIRST, FIRST + (1 if short else _COUNT))
    rows = {}
    for missing in (0.0, 1 / 3):
        for shared in SHARED:
            name = f"{shared}, a third of the pages missing" if missing else shared
            made = (campus(seed, shared=shared, missing=missing) for seed in seeds)
            rows[name] = _summed([judge(each) for each in made])
            print(f"  {name}: {rows[name]}", file=sys.stderr, flush=True)
    return {"campuses": len(seeds), "campus": rows}


def judge(made: Campus) -> dict[str, float]:
    """How many menus of a campus are right, and how well its sites are told apart."""
    mined = mine_menus(made.pages.items())
    site_of = {url: site.id for site in mined.sites for url in site.pages}
    items = {menu.id: _key(item.url for item in menu.items) for menu in mined.menus}
    wanted = [known for known in made.menus if len(known.pages) >= _LEAST]
    main, local = ([known for known in wanted if known.main is kind] for kind in (True, False))
    keys = {_key(known.items) for known in wanted}
    places = [site_of.get(url, -1 - number) for number, url in enumerate(made.pages)]
    return {
        "main": len(main),
        "main_right": sum(_is_main(known, mined, site_of, items) for known in main),
        "local": len(local),
        "local_right": sum(_is_local(known, mined.menus, items) for known in local),
        "besides": sum(key not in keys for key in items.values()),
        "adjusted": adjusted_rand(places, [*made.site_of.values()]),
    }


def _is_main(known: Known, mined: Mined, site_of: dict[str, int], items: dict[int, Keys]) -> bool:
    sites = Counter(site_of[url] for url in known.pages if url in site_of)
    main = mined.sites[sites.most_common(1)[0][0]].main_menu if sites else None
    return main is not None and items[main] == _key(known.items)


def _is_local(known: Known, menus: Sequence[Menu], items: dict[int, Keys]) -> bool:
    found = [menu for menu in menus if items[menu.id] == _key(known.items)]
    if known.parent is None or known.place == "instead":
        return bool(found)
    above, level = _key(known.parent.items), 2 if known.parent.main else 3
    placed = [each for each in found if each.level == level and each.parent is not None]
    return any(items[each.parent] == above for each in placed if each.parent is not None)


def _key(urls: Iterable[str]) -> Keys:
    return frozenset(map(plain, urls))


def plain(url: str) -> str:
    """An address without what does not tell pages apart."""
    url = url.partition("#")[0].lower().replace("https://", "http://")
    for mark in ("?", "&"):
        url = url.partition(f"{mark}phpsessid=")[0]
    return url.removesuffix("index.html").rstrip("/")


def _summed(judged: list[dict[str, float]]) -> dict[str, float]:
    total: defaultdict[str, float] = defaultdict(float)
    for each in judged:
        for name, figure in each.items():
            total[name] += figure
    return {**total, "adjusted": round(total["adjusted"] / len(judged), 4)}


def report(figures: dict[str, Any]) -> list[str]:
    lines = [
        f"{figures['campuses']} made-up campuses, by what their sites share",
        "",
        "| shared | main menus | menus of sections | menus besides | adjusted Rand |",
        "|---|--:|--:|--:|--:|",
    ]
    for name, row in figures["campus"].items():
        main, local = (f"{row[f'{k}_right']:.0f} of {row[k]:.0f}" for k in ("main", "local"))
        lines.append(
            f"| {name} | {main} | {local} | {row['besides']:.0f} | {row['adjusted']:.3f} |"
        )
    return lines
