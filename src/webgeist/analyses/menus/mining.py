"""From pages to the skeleton of their sites. Pure: no browser, no network, no clock."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING

from webgeist.analyses.menus.alignment import align
from webgeist.analyses.menus.captured import capture_tree
from webgeist.analyses.menus.hierarchy import Places, hierarchy
from webgeist.analyses.menus.host import Gathering
from webgeist.analyses.menus.navigation import template_sites
from webgeist.analyses.menus.overlap import paper_sites
from webgeist.analyses.menus.parse import parse_html
from webgeist.analyses.menus.result import Crumb, Item, Menu, Mined, Section, Site
from webgeist.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webgeist.analyses.menus.found import FoundMenu, FoundSite
    from webgeist.analyses.menus.hierarchy import Node
    from webgeist.analyses.menus.host import Host, Placed
    from webgeist.analyses.menus.tree import LinkTree
    from webgeist.capture.model import Capture

_SAMPLES = 5  # pages that are asked what an item is called
_MISSING = 0.5  # of a page's links, if its neighbours were not brought


class Method(StrEnum):
    """How the border of a site is found: by what templates repeat, or as the paper does."""

    TEMPLATE = "template"
    PAPER = "paper"


def mine_menus(
    pages: Iterable[tuple[str, str | bytes | Capture]],
    *,
    method: str = Method.TEMPLATE,
    rendered: bool = False,
) -> Mined:
    """The menus and sites of pages, each given as its address and HTML or a capture.

    Pages are read one at a time; captures without a page count as pages without links. With
    `rendered`, a painted box of a capture that shows hardly more than links is one list.
    """
    if method not in tuple(Method):
        raise UsageError(f"{method!r} is no method", remedy=f"one of {', '.join(Method)}")
    trees = (_tree(url, page, rendered=rendered) for url, page in pages)
    return mine_trees(trees, method=Method(method))


def _tree(url: str, page: str | bytes | Capture, *, rendered: bool) -> LinkTree:
    if isinstance(page, str | bytes | bytearray | memoryview):
        return parse_html(url, page if isinstance(page, str) else bytes(page))
    return capture_tree(url, page, rendered=rendered)


def mine_trees(trees: Iterable[LinkTree], *, method: Method = Method.TEMPLATE) -> Mined:
    """The same of pages whose links are known."""
    gathering = Gathering()
    for tree in trees:
        gathering.add(tree)
    host = gathering.host()
    found = paper_sites(host) if method is Method.PAPER else template_sites(host)
    return _Telling(host).mined(found)


class _Telling:
    """Turns numbers into addresses and words."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._menus: list[Menu] = []
        self._places: dict[str, tuple[Crumb, ...]] = {}

    def mined(self, found: Sequence[FoundSite]) -> Mined:
        sites = tuple(self._site(number, site) for number, site in enumerate(found))
        taken = frozenset().union(*(site.pages for site in found))
        alone = [page for page in range(len(self._host)) if page not in taken]
        incomplete = [page for page in alone if self._is_incomplete(page)]
        return Mined(
            sites,
            tuple(self._menus),
            self._urls(alone),
            self._urls(incomplete),
            self._places,
        )

    def _site(self, number: int, site: FoundSite) -> Site:
        nodes = hierarchy(site)
        entry = self._entry(site)
        places = Places(self._host, site, nodes, entry)
        words = self._words(site.menus)
        if entry not in words:
            words[entry] = self._called(entry, site)
        ids = self._add_menus(number, nodes, words)
        self._add_places(site, places, words)
        main = ids[id(site.main)] if site.main else None
        top = [n for n in nodes if n.parent and n.parent.menu is site.main and not n.menu.above]
        sections = tuple(self._section(each, ids, places, words) for each in top)
        url, pages = self._host.targets[entry], self._urls(site.pages)
        return Site(number, url, pages, main, sections, self._urls(site.by_links))

    def _entry(self, site: FoundSite) -> int:
        """What all pages lead to and has the shortest address; else the main menu's first item."""
        if site.home:
            return site.home[0]
        if site.main:
            return site.main.items[0]
        return min(site.pages)

    def _add_menus(self, site: int, nodes: Sequence[Node], words: dict[int, str]) -> dict[int, int]:
        ids = {id(node.menu): len(self._menus) + number for number, node in enumerate(nodes)}
        for node in nodes:
            menu, host = node.menu, self._host
            paths = sorted({host.segments[each].path for each in menu.segments.values()})
            signature = align(host.paths[each] for each in paths)
            self._menus.append(
                Menu(
                    id=ids[id(menu)],
                    items=tuple(Item(words.get(t, ""), host.targets[t]) for t in menu.items),
                    pages=self._urls(menu.pages),
                    linked=self._urls(t for t in menu.items if t in menu.pages),
                    site=site,
                    parent=ids[id(node.parent.menu)] if node.parent else None,
                    level=node.level,
                    path=str(signature),
                    wildcards=signature.wildcards,
                    approximate=menu.approximate,
                )
            )
        return ids

    def _words(self, menus: Iterable[FoundMenu]) -> dict[int, str]:
        """What each item is called, by most of some pages: in the menu's own list, or else in the
        lists that were joined with it.
        """
        said: dict[int, Counter[str]] = {}
        others: dict[int, Counter[str]] = {}
        for menu in menus:
            for nth, page in enumerate(sorted(menu.segments)[: 20 * _SAMPLES]):
                if nth >= _SAMPLES and all(each in said or each in others for each in menu.items):
                    break
                own = self._host.segments[menu.segments[page]].path
                for number in self._host.of_page(page):
                    segment = self._host.segments[number]
                    _count(said if segment.path == own else others, segment, page, menu.items)
        words = {target: counts.most_common(1)[0][0] for target, counts in others.items()}
        return words | {target: counts.most_common(1)[0][0] for target, counts in said.items()}

    def _called(self, target: int, site: FoundSite) -> str:
        """What pages of a site call a target, wherever they link to it."""
        said: Counter[str] = Counter()
        for page in sorted(site.pages)[: 4 * _SAMPLES]:
            for number in self._host.of_page(page):
                segment = self._host.segments[number]
                pairs = zip(segment.targets, segment.texts, strict=True)
                said.update(text for at, text in pairs if at == target and _names(text))
        return said.most_common(1)[0][0] if said else ""

    def _said(self, page: int, target: int) -> str:
        """What a page calls a target."""
        for number in self._host.of_page(page):
            segment = self._host.segments[number]
            for at, text in zip(segment.targets, segment.texts, strict=True):
                if at == target and _names(text):
                    return text
        return ""

    def _add_places(self, site: FoundSite, places: Places, words: dict[int, str]) -> None:
        for page in site.pages:
            item = places.linked_from(page)
            if item is not None and page not in words:
                words[page] = self._said(item, page)
            crumbs = tuple(
                Crumb(words.get(t) or _name(self._host.targets[t]), self._host.targets[t])
                for t in places.way(page)
            )
            for url in (self._host.urls[page], *self._host.aliases.get(page, ())):
                self._places[url] = crumbs

    def _section(
        self, node: Node, ids: dict[int, int], places: Places, words: dict[int, str]
    ) -> Section:
        owner = places.owner(node)
        menu = node.menu
        below = [each for each in node.below if not each.menu.above]
        return Section(
            title=words.get(owner) or _name(self._host.targets[owner]),
            entry=self._host.targets[owner],
            menu=ids[id(menu)],
            pages=self._urls(menu.pages),
            document=menu.pages <= set(menu.items),
            sections=tuple(self._section(each, ids, places, words) for each in below),
        )

    def _is_incomplete(self, page: int) -> bool:
        host = self._host
        links = set(host.leads(page))
        missing = sum(target >= len(host) for target in links)
        return bool(links) and missing > _MISSING * len(links)

    def _urls(self, pages: Iterable[int]) -> tuple[str, ...]:
        """Addresses in order, with the other names of the same pages."""
        host = self._host
        found = [url for p in sorted(pages) for url in (host.urls[p], *host.aliases.get(p, ()))]
        return tuple(found)


def _count(
    said: dict[int, Counter[str]], segment: Placed, page: int, wanted: Iterable[int]
) -> None:
    """Count what a segment of a page calls the targets that are wanted."""
    named = dict(zip(segment.targets, segment.texts, strict=True))
    if segment.own:
        named[page] = segment.own[1]
    for target in wanted:
        if text := named.get(target):
            said.setdefault(target, Counter())[text] += 1


def _names(text: str) -> bool:
    """Whether words name a place: an arrow home does not."""
    return any(map(str.isalnum, text))


def _name(url: str) -> str:
    """What an address is called where no link has words for it."""
    return url.partition("://")[2].rstrip("/").rpartition("/")[2] or url
