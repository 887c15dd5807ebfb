"""What both methods give before it is told in words: menus and sites by number."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(eq=False, slots=True)
class FoundMenu:
    """Targets in the order of display, the pages that have them, and where on these.

    `segments` has a segment of each page; `above` is a menu that this one is shown inside of.
    """

    items: list[int]
    pages: frozenset[int]
    segments: dict[int, int]
    approximate: bool = False
    above: FoundMenu | None = None


@dataclass(eq=False, slots=True)
class FoundSite:
    """Pages with their menus; `main` is one of `menus`, or None where a link home is all there is.
    `home` are targets that all pages lead to; `by_links` pages that are its by their links alone.
    """

    pages: frozenset[int]
    menus: list[FoundMenu] = field(default_factory=list)
    main: FoundMenu | None = None
    home: list[int] = field(default_factory=list)
    by_links: frozenset[int] = frozenset()
