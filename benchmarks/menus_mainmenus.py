"""Whether main menus have the right items, where templates say which element is the menu.

What a template calls its menu (`<nav>`, ids and classes such as `mainmenu`) is used for judging
alone; mining never looks at such words. A site counts if half of its pages have such an element
with the same three links or more to pages of the host: lists of other editions and hosts are none.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from benchmarks.menus_borders import host
from webgeist.analyses.menus.identity import page_key
from webgeist.analyses.menus.mining import mine_trees

if TYPE_CHECKING:
    from webgeist.analyses.menus.result import Mined
    from webgeist.analyses.menus.tree import LinkTree, Step

_WORDS = r"\b(main|top|global|site|primary)?-?(nav|menu|navbar|navigation)\b"
_NAMED = re.compile(_WORDS, re.IGNORECASE)
_RIGHT = 0.8  # F1 of items


def run(*, short: bool) -> dict[str, Any]:
    labelled = host(short=short)
    trees: defaultdict[str, list[LinkTree]] = defaultdict(list)
    for name, tree in labelled:
        trees[name].append(tree)
    named = {name: found for name, some in trees.items() if (found := _named_menus(some))}
    mined = mine_trees(tree for _, tree in labelled)
    judged = {}
    for name, menus in named.items():
        items, more = _found(mined, trees[name])
        judged[name] = max(max(_f1(items, menu), _f1(items | more, menu)) for menu in menus)
        print(f"  {name}: {judged[name]:.2f}", file=sys.stderr)
    wrong = sorted(name for name, score in judged.items() if score < _RIGHT)
    return {"named_menus": len(named), "right": len(named) - len(wrong), "wrong": wrong}


def _named_menus(trees: list[LinkTree]) -> list[set[str]]:
    """The links that most pages have in each element that is called a menu."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for tree in trees:
        inside: defaultdict[str, set[str]] = defaultdict(set)
        for node, link in tree.links.items():
            for step in tree.path(node)[2:-1]:
                if link.url and _is_named(step):
                    inside[str(step)].add(page_key(link.url))
        for called, keys in inside.items():
            counts[called].update(keys)
    menus = [{key for key, n in c.items() if 2 * n >= len(trees)} for c in counts.values()]
    own = {page_key(tree.url).partition("/")[0] for tree in trees}
    return [menu for menu in menus if sum(key.partition("/")[0] in own for key in menu) >= 3]


def _is_named(step: Step) -> bool:
    return step.name == "nav" or bool(_NAMED.search(f"{step.id} {step.classes}"))


def _found(mined: Mined, trees: list[LinkTree]) -> tuple[set[str], set[str]]:
    """The main menu of the site that most pages are in, and what is shown inside of it."""
    urls = {tree.url for tree in trees}
    site = max(mined.sites, key=lambda each: len(urls.intersection(each.pages)))
    if site.main_menu is None:
        return set(), set()
    main = {page_key(item.url) for item in mined.menus[site.main_menu].items}
    below = [m for m in mined.menus if m.parent == site.main_menu and len(m.pages) * 2 >= len(urls)]
    return main, {page_key(item.url) for menu in below for item in menu.items}


def _f1(found: set[str], true: set[str]) -> float:
    both = len(found & true)
    return 2 * both / (len(found) + len(true)) if both else 0.0


def report(figures: dict[str, Any]) -> list[str]:
    share = figures["right"] / max(1, figures["named_menus"])
    return [
        f"Main menus right: {figures['right']} of {figures['named_menus']} ({share:.0%}, bar 95%)",
        f"Wrong: {', '.join(figures['wrong']) or 'none'}",
    ]
