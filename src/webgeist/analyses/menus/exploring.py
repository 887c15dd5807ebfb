"""Which links a crawl follows, by the menus of the pages that it has brought so far.

The pages are mined again whenever there are a quarter more of them, so that all of it takes no
longer than a few times mining them once. Between, a page is known by the main menu of the site.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from webgeist.analyses.menus.captured import capture_tree
from webgeist.analyses.menus.identity import page_key
from webgeist.analyses.menus.mining import mine_trees

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webgeist.analyses.menus.result import Mined
    from webgeist.analyses.menus.tree import LinkTree
    from webgeist.capture.model import Capture

OTHER_SITE = "other-site"
ENOUGH = "by-menu"
_FIRST = 5  # pages before anything is said of them
_GROWTH = 1.25


class Exploration:
    """Judges the links of pages as they come in. `stay` in the sites of the seeds; `sample`: follow
    all items of menus, but only so many other pages of each section.
    """

    def __init__(
        self, seeds: Iterable[str], *, stay: bool = False, sample: int | None = None
    ) -> None:
        self._seeds = {page_key(seed) for seed in seeds}
        self._stay = stay
        self._sample = sample
        self._trees: dict[str, LinkTree] = {}
        self._next = _FIRST
        self._inside: set[str] = set()
        self._main: list[frozenset[str]] = []
        self._items: set[str] = set()
        self._section: dict[str, str] = {}
        self._followed: dict[
            str, str
        ] = {}  # pages outside menus, and the section that they count for
        self._counts: Counter[str] = Counter()

    def add(self, url: str, capture: Capture) -> None:
        """One more page that was brought."""
        self._trees[page_key(url)] = capture_tree(url, capture)
        if len(self._trees) >= self._next:
            self._learn(mine_trees(self._trees.values()))
            self._next = int(len(self._trees) * _GROWTH) + 1

    def choose(self, url: str, capture: Capture, links: Sequence[str | None]) -> list[str | None]:
        """For each link a word why it is not followed, or None. What is None already stays so."""
        self.add(url, capture)
        if self._stay and not self._belongs(url):
            return [link and OTHER_SITE for link in links]
        if self._sample is None:
            return [None] * len(links)
        section = self._section.get(page_key(url), page_key(url))  # alone until more is known
        return [link and self._beyond(page_key(link), section) for link in links]

    def _learn(self, mined: Mined) -> None:
        self._main, self._items = [], set()
        self._inside, self._section = set(), {}
        for site in mined.sites:
            if self._seeds.isdisjoint(map(page_key, site.pages)):
                continue
            self._inside.update(map(page_key, site.pages))
            menus = [menu for menu in mined.menus if menu.site == site.id]
            self._items.update(page_key(item.url) for menu in menus for item in menu.items)
            items = mined.menus[site.main_menu].items if site.main_menu is not None else ()
            main = frozenset(page_key(item.url) for item in items)
            self._main.append(main or frozenset({page_key(site.entry)}))
            for url in site.pages:
                way = mined.places[url]
                owner = way[-2] if len(way) > 1 and page_key(url) not in self._items else way[-1]
                self._section[page_key(url)] = page_key(owner.url)
        for key in self._items & self._followed.keys():  # it was not known that they are
            self._counts[self._followed.pop(key)] -= 1

    def _belongs(self, url: str) -> bool:
        """Whether a page shares a menu with a seed; yes as long as none is known."""
        key = page_key(url)
        if not self._main or key in self._inside or key in self._seeds:
            return True
        links = {page_key(link.url) for link in self._trees[key].links.values() if link.url}
        return any(2 * len(main & links) >= len(main) for main in self._main)

    def _beyond(self, key: str, section: str) -> str | None:
        if key in self._items or key in self._seeds or key in self._followed:
            return None
        if self._counts[section] >= (self._sample or 0):
            return ENOUGH
        self._followed[key] = section
        self._counts[section] += 1
        return None
