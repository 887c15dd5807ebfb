"""Whether menus have exactly the right items, on hosts that are made up.

A main menu is right if the site that has most of its pages has it as main menu, with the same
items in the same order and no other; a section's menu, if a menu right below the main one has just
its items in their order. What is found besides is counted as extra.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from benchmarks.menus_worlds import World, without, world
from benchmarks.partitions import adjusted_rand
from webgeist.analyses.menus.mining import mine_menus

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.menus_worlds import Known
    from webgeist.analyses.menus.result import Menu, Mined

WORLDS = 60
_FIRST = 1_000  # the number of the first world: rules were made while looking at lower ones


def run(*, short: bool) -> dict[str, Any]:
    count = 10 if short else WORLDS
    kinds: dict[str, Callable[[int], World]] = {
        "complete": world,
        "a quarter of the pages missing": lambda seed: without(world(seed), 0.25),
        "half of the pages missing": lambda seed: without(world(seed), 0.5),
        "sites that lead to each other": lambda seed: world(seed, crossed=True),
    }
    rows = {}
    for name, made in kinds.items():
        judged = [judge(made(seed)) for seed in range(_FIRST, _FIRST + count)]
        rows[name] = _summed(judged)
        print(f"  {name}: {rows[name]}", file=sys.stderr, flush=True)
    return {"worlds": count, "made": rows}


def judge(made: World) -> dict[str, Any]:
    """The share of right menus of one host, also by what its templates do."""
    mined = mine_menus(made.pages.items())
    site_of = {url: site.id for site in mined.sites for url in site.pages}
    right = {known: is_right(known, mined, site_of) for known in made.menus}
    found = [site_of.get(url, -1) for url in made.pages]
    wanted = sum(len(known.pages) > 0 for known in made.menus)
    return {
        "right": right,
        "extra": max(0, len(mined.menus) - wanted),
        "adjusted": adjusted_rand(found, [made.site_of[url] for url in made.pages]),
        "styles": made.styles,
    }


def is_right(known: Known, mined: Mined, site_of: dict[str, int]) -> bool:
    sites = Counter(site_of[url] for url in known.pages if url in site_of)
    if not sites:
        return False
    main = mined.sites[sites.most_common(1)[0][0]].main_menu
    if known.main:
        return main is not None and _items(mined.menus[main]) == known.items
    return any(_items(menu) == known.items and menu.parent == main for menu in mined.menus)


def _items(menu: Menu) -> tuple[str, ...]:
    return tuple(item.url for item in menu.items)


def _summed(judged: list[dict[str, Any]]) -> dict[str, Any]:
    totals: dict[bool, list[bool]] = {True: [], False: []}
    for each in judged:
        for known, right in each["right"].items():
            totals[known.main].append(right)
    return {
        "main": len(totals[True]),
        "main_right": sum(totals[True]),
        "local": len(totals[False]),
        "local_right": sum(totals[False]),
        "extra": sum(each["extra"] for each in judged),
        "adjusted": round(sum(each["adjusted"] for each in judged) / len(judged), 4),
        "weakest": _weakest(judged),
    }


def _weakest(judged: list[dict[str, Any]]) -> dict[str, float]:
    """What templates do where the fewest menus are right."""
    shares: defaultdict[str, list[bool]] = defaultdict(list)
    for each in judged:
        for known, right in each["right"].items():
            style = each["styles"][known.site]
            for name in (style.form, style.place, style.current, *style.troubles):
                shares[name].append(right)
    means = {name: round(sum(some) / len(some), 3) for name, some in shares.items()}
    return dict(sorted(means.items(), key=lambda pair: (pair[1], pair[0]))[:3])


def report(figures: dict[str, Any]) -> list[str]:
    lines = [
        f"{figures['worlds']} hosts of a dozen sites each, made up: menus with exactly their items",
        "",
        "| | main menus | menus of sections | menus besides | adjusted Rand | weakest |",
        "|---|--:|--:|--:|--:|---|",
    ]
    for name, row in figures["made"].items():
        main, local = (
            f"{row[f'{kind}_right']:,} of {row[kind]:,} ({row[f'{kind}_right'] / row[kind]:.1%})"
            for kind in ("main", "local")
        )
        weakest = ", ".join(f"{what} {share:.2f}" for what, share in row["weakest"].items())
        lines.append(
            f"| {name} | {main} | {local} | {row['extra']} | {row['adjusted']:.3f} | {weakest} |"
        )
    return lines
