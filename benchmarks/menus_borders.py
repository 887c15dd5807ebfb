"""How well sites are told apart: Rand, adjusted Rand, B-cubed F and macro F1 beside each other."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from benchmarks import menus_peers as peers
from benchmarks import menus_trouble as trouble
from benchmarks.menus_hosts import all_sites, pages
from benchmarks.partitions import adjusted_rand, b_cubed, macro_f1, rand
from webgeist.analyses.menus.identity import page_key
from webgeist.analyses.menus.mining import Method, mine_trees

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from benchmarks.menus_trouble import Labelled

FIGURES = {"rand": rand, "adjusted": adjusted_rand, "b_cubed": b_cubed, "macro_f1": macro_f1}
MOST = 150  # pages of a site
_LEAST = 5


def host(*, short: bool) -> Labelled:
    """All sites with at least five pages, as one host."""
    sites = all_sites()[:: 4 if short else 1]
    found = [(site.name, pages(site, 60 if short else MOST)) for site in sites]
    return [(name, tree) for name, trees in found if len(trees) >= _LEAST for tree in trees]


def menuless(labelled: Labelled) -> list[str]:
    """Sites with fewer than two pages that half of their pages link to: they have no menu."""
    total: defaultdict[str, Counter[str]] = defaultdict(Counter)
    own: defaultdict[str, set[str]] = defaultdict(set)
    for name, tree in labelled:
        total[name].update({page_key(link.url) for link in tree.links.values() if link.url})
        own[name].add(page_key(tree.url))
    found = []
    for name, counts in total.items():
        shared = [k for k, n in counts.items() if 2 * n >= len(own[name]) and k in own[name]]
        if len(shared) < 2:
            found.append(name)
    return sorted(found)


def mined_labels(labelled: Labelled, method: Method) -> list[Hashable]:
    """The number of each page's site; all without one are one cluster, as in the paper."""
    mined = mine_trees((tree for _, tree in labelled), method=method)
    site_of = {url: site.id for site in mined.sites for url in site.pages}
    return [site_of.get(tree.url, -1) for _, tree in labelled]


def measured(found: Sequence[Hashable], labelled: Labelled) -> dict[str, float]:
    true = [name for name, _ in labelled]
    return {key: round(figure(found, true), 4) for key, figure in FIGURES.items()}


def run(*, short: bool) -> dict[str, Any]:
    everything = host(short=short)
    without = menuless(everything)
    rows: dict[str, dict[str, float]] = {}
    _add_peers(rows, everything)
    hosts = {
        "": everything,
        ", with menus": [p for p in everything if p[0] not in without],
    }
    for what, some in hosts.items():
        _add(rows, f"webgeist{what}", some)
    changes = (
        *(trouble.half, trouble.extra_item, trouble.nameless, trouble.flat),
        *(trouble.footer, trouble.bar, trouble.crossed, trouble.roll),
    )
    for change in changes:
        for what, some in hosts.items():
            _add(rows, f"webgeist, {change.__name__}{what}", change(some))
    _add(rows, "paper, footer", trouble.footer(everything), Method.PAPER)
    return {
        "border_pages": len(everything),
        "border_sites": len({name for name, _ in everything}),
        "menuless": without,
        "borders": rows,
    }


def _add(
    rows: dict[str, dict[str, float]],
    name: str,
    labelled: Labelled,
    method: Method = Method.TEMPLATE,
) -> None:
    rows[name] = measured(mined_labels(labelled, method), labelled)
    print(f"  {name}: {rows[name]}", file=sys.stderr, flush=True)


def _add_peers(rows: dict[str, dict[str, float]], labelled: Labelled) -> None:
    trees = [tree for _, tree in labelled]
    clusters = len({name for name, _ in labelled})
    rows["everything in one"] = measured(peers.one(trees), labelled)
    rows["first folder"] = measured(peers.folder(trees, 1), labelled)
    rows["second folder"] = measured(peers.folder(trees, 2), labelled)
    rows["k-means, links"] = measured(peers.by_links(trees, clusters), labelled)
    rows["k-means, words of addresses"] = measured(peers.by_words(trees, clusters), labelled)
    _add(rows, "paper", labelled, Method.PAPER)


def report(figures: dict[str, Any]) -> list[str]:
    lines = [
        f"{figures['border_pages']:,} pages of {figures['border_sites']} sites on one host",
        "",
        "| way | Rand | adjusted Rand | B-cubed F | macro F1 |",
        "|---|--:|--:|--:|--:|",
    ]
    for name, row in figures["borders"].items():
        cells = " | ".join(f"{row[key]:.3f}" for key in FIGURES)
        lines.append(f"| {name} | {cells} |")
    return [*lines, "", f"Without a menu: {', '.join(figures['menuless']) or 'none'}"]
