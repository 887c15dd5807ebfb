"""What real hosts do to their menus, done to pages on purpose."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

from benchmarks.menus_hosts import HOST
from webgeist.analyses.menus.identity import page_key
from webgeist.analyses.menus.tree import Link, LinkTree, Step

if TYPE_CHECKING:
    from collections.abc import Sequence

    Labelled = Sequence[tuple[str, LinkTree]]

_FOOTER = ("licence", "contact", "donate")


def half(pages: Labelled) -> Labelled:
    """Every other page is missing, at random."""
    return random.Random(1).sample(list(pages), len(pages) // 2)


def nameless(pages: Labelled) -> Labelled:
    """No classes and no ids."""
    found = []
    for name, tree in pages:
        bare = {step: Step(step.name) for step in set(tree.steps)}
        steps = [bare[step] for step in tree.steps]
        found.append((name, LinkTree(tree.url, tree.parents, steps, tree.links)))
    return found


def extra_item(pages: Labelled) -> Labelled:
    """Each page has a link of its own, to another page of its site, at the end of every list that
    has three links or more: the main menu is one of them.
    """
    sites: dict[str, list[str]] = {}
    for name, tree in pages:
        sites.setdefault(name, []).append(tree.url)
    found = []
    for number, (name, tree) in enumerate(pages):
        urls = sites[name]
        other = urls[(number * 7 + 3) % len(urls)]
        found.append((name, _with_items(tree, Link(f"{other}?from={number}", "Related"))))
    return found


def _with_items(tree: LinkTree, link: Link) -> LinkTree:
    counts: dict[int, int] = {}
    for node in tree.links:
        parent = tree.parents[node]
        while parent >= 0 and tree.steps[parent].name in {"li", "span", "b", "td", "dd"}:
            parent = tree.parents[parent]
        counts[parent] = counts.get(parent, 0) + 1
    more = LinkTree(tree.url, [*tree.parents], [*tree.steps], dict(tree.links))
    for parent, links in counts.items():
        if links >= 3 and parent >= 0:
            more.add_link(more.add(parent, Step("li")), Step("a"), link)
    return more


def flat(pages: Labelled) -> Labelled:
    """All pages in one folder, under names that say nothing."""
    keys = {page_key(tree.url): f"{HOST}/{number}.html" for number, (_, tree) in enumerate(pages)}
    inner = page_key(HOST) + "/"
    found = []
    for name, tree in pages:
        links = {
            node: replace(link, url=_renamed(link.url, keys, inner))
            for node, link in tree.links.items()
        }
        url = keys[page_key(tree.url)]
        found.append((name, LinkTree(url, tree.parents, tree.steps, links)))
    return found


def _renamed(url: str | None, keys: dict[str, str], inner: str) -> str | None:
    """Addresses that were not brought are on the host, too."""
    if url is None:
        return None
    key = page_key(url)
    return keys.setdefault(key, f"{HOST}/{len(keys)}.html") if key.startswith(inner) else url


def crossed(pages: Labelled) -> Labelled:
    """Sites that lead to each other: below each page the entries of three other sites and of the
    host, the same on all pages of a site, and in every fifth page's text a link to anywhere.
    """
    entries: dict[str, str] = {}
    for name, tree in pages:
        entries.setdefault(name, tree.url)
    names = list(entries)
    portal = LinkTree(f"{HOST}/")
    body = portal.add(portal.add(-1, Step("html")), Step("body"))
    for name, url in entries.items():
        portal.add_link(portal.add(body, Step("p")), Step("a"), Link(url, name))
    chance = random.Random(2)
    found = [("portal", portal)]
    for name, tree in pages:
        at = names.index(name)
        others = [names[(at + step) % len(names)] for step in (1, 7, 20)]
        links = [Link(f"{HOST}/", "all"), *(Link(entries[other], other) for other in others)]
        more = LinkTree(tree.url, [*tree.parents], [*tree.steps], dict(tree.links))
        if chance.random() < 0.2:
            _append(more, _body(more), Step("p"), [Link(chance.choice(pages)[1].url, "see also")])
        _append(more, _body(more), Step("footer"), links)
        found.append((name, more))
    return found


def _body(tree: LinkTree) -> int:
    names = [step.name for step in tree.steps[:2]]
    return names.index("body") if "body" in names else 0


def roll(pages: Labelled) -> Labelled:
    """A bar on top of all pages that lists all sites."""
    entries = {name: tree.url for name, tree in reversed(pages)}
    links = [Link(url, name) for name, url in entries.items()]
    return [
        (name, _joined(tree, Step("header", "roll"), links, first=True)) for name, tree in pages
    ]


def footer(pages: Labelled) -> Labelled:
    """One footer of three links that all pages of the host share."""
    return _shared(pages, Step("footer", "host-footer"), first=False)


def bar(pages: Labelled) -> Labelled:
    """The same as a bar at the top of all pages."""
    return _shared(pages, Step("header", "host-bar"), first=True)


def _shared(pages: Labelled, step: Step, *, first: bool) -> Labelled:
    targets = [tree.url for _, tree in list(pages)[:: max(1, len(pages) // 7)][:3]]
    links = [Link(url, text) for url, text in zip(targets, _FOOTER, strict=True)]
    return [(name, _joined(tree, step, links, first=first)) for name, tree in pages]


def _joined(tree: LinkTree, step: Step, links: Sequence[Link], *, first: bool) -> LinkTree:
    more = LinkTree(tree.url)
    root = more.add(-1, Step("html"))
    if first:
        _append(more, root, step, links)
    offset = len(more.parents)
    more.parents += [p + offset if p >= 0 else root for p in tree.parents]
    more.steps += tree.steps
    more.links |= {node + offset: replace(link) for node, link in tree.links.items()}
    if not first:
        _append(more, root, step, links)
    return more


def _append(tree: LinkTree, root: int, step: Step, links: Sequence[Link]) -> None:
    parent = tree.add(root, step)
    for link in links:
        tree.add_link(parent, Step("a"), link)
