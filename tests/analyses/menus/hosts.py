"""Small hosts for tests: pages as lists of segments, or as HTML that a template makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.analyses.menus.host import Gathering, Host
from webgeist.analyses.menus.tree import Link, LinkTree, Step

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BASE = "http://host.localhost/"


def url(name: object) -> str:
    return f"{BASE}{name}"


def host_of(pages: Mapping[int, Sequence[tuple[str, Sequence[int]]]]) -> Host:
    """Pages by number, each with segments: a place such as `nav#top` and the pages linked there."""
    gathering = Gathering()
    for page, segments in pages.items():
        tree = LinkTree(url(page))
        root = tree.add(-1, Step("html"))
        for place, targets in segments:
            parent = tree.add(root, _step(place))
            for target in targets:
                tree.add_link(parent, Step("a"), Link(url(target), f"to {target}"))
            if len(targets) == 1:  # else it would go by rule 2
                tree.add_link(parent, Step("a"), Link("http://other.localhost/", ""))
        gathering.add(tree)
    return gathering.host()


def _step(place: str) -> Step:
    name, _, named = place.partition("#")
    return Step(name, named)


def page_html(*lists: tuple[str, Sequence[str]], head: str = "") -> str:
    """A page with lists: `nav#main` and the addresses in it."""
    parts = []
    for place, links in lists:
        name, _, named = place.partition("#")
        items = "".join(f'<li><a href="{link}">{_words(link)}</a></li>' for link in links)
        parts.append(f'<{name} id="{named}"><ul>{items}</ul></{name}>')
    return f"<html><head>{head}</head><body>{''.join(parts)}</body></html>"


def _words(link: str) -> str:
    return link.strip("/").replace("/", " ").title() or "Home"


def portal(
    sites: int = 4, pages: int = 8, *, footer: bool = True, extra: bool = False
) -> dict[str, str]:
    """A host of several sites: each with a main menu of four, two sections with a menu of their own
    and, where wanted, a footer that all share and an item of each page's own in its main menu.
    """
    found = {}
    shared = ["/legal/licence", "/legal/contact", "/legal/donate"]
    for site in range(sites):
        top = [f"/s{site}/", f"/s{site}/a/", f"/s{site}/b/", f"/s{site}/help"]
        for name in [*top, *(f"/s{site}/{part}/{n}" for part in "ab" for n in range(pages))]:
            own = [*top, f"/elsewhere{name}"] if extra else top
            lists = [("nav#main", own)]
            lists += [
                ("div#local", [f"/s{site}/{part}/{n}" for n in range(4)])
                for part in "ab"
                if name.startswith(f"/s{site}/{part}/")
            ]
            lists += [("footer#foot", shared)] if footer else []
            found[BASE + name[1:]] = page_html(*lists)
    if footer:
        for name in shared:
            found[BASE + name[1:]] = page_html(("footer#foot", shared))
    return found
