"""What mining gives: menus, sites, and the pages that are in none."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Item:
    """An entry of a menu."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Menu:
    """Links that pages share. `pages` have it; `parent` is the menu that it lies below.

    `linked` are those of its items that reach each other by it. `path` is where it is in the DOM,
    with `*` for what differs; `wildcards` counts that, 0 is the same on all pages.
    """

    id: int
    items: tuple[Item, ...]
    pages: tuple[str, ...]
    linked: tuple[str, ...]
    site: int | None
    parent: int | None
    level: int
    path: str
    wildcards: int
    approximate: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a site that has a menu of its own. A `document` is one that is spread over the
    items of its menu and has no other pages.
    """

    title: str
    entry: str
    menu: int
    pages: tuple[str, ...]
    document: bool
    sections: tuple[Section, ...] = ()


@dataclass(frozen=True, slots=True)
class Site:
    """Pages that belong together; `entry` is where a visitor would begin. Pages `by_links` have
    none of the site's lists: nothing but their links says that they are its.
    """

    id: int
    entry: str
    pages: tuple[str, ...]
    main_menu: int | None
    sections: tuple[Section, ...]
    by_links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Crumb:
    """A step on the way to a page: what it is called there, and where it leads."""

    text: str
    url: str


@dataclass(frozen=True, eq=False)
class Mined:
    """The skeleton of a host. `unassigned` pages have no menu; of `incomplete` ones most links lead
    to pages that were not brought. `places` has the way to each page, its own crumb last.
    """

    sites: tuple[Site, ...]
    menus: tuple[Menu, ...]
    unassigned: tuple[str, ...]
    incomplete: tuple[str, ...] = ()
    places: dict[str, tuple[Crumb, ...]] = field(default_factory=dict)

    def menu(self, number: int) -> Menu:
        return self.menus[number]

    def to_json(self) -> dict[str, Any]:
        """Plain lists and dictionaries, as `webgeist menus --json` prints them."""
        return {
            "sites": [_site_json(site) for site in self.sites],
            "menus": [_menu_json(menu) for menu in self.menus],
            "unassigned": list(self.unassigned),
            "incomplete": list(self.incomplete),
        }

    def to_arrow(self) -> pa.Table:
        """A row for each page: its site, and its place in it."""
        import pyarrow as pa

        return pa.Table.from_pylist(list(self._rows()), schema=_page_schema())

    def to_pandas(self) -> Any:
        return self.to_arrow().to_pandas()

    def _rows(self) -> Iterator[dict[str, Any]]:
        for site in self.sites:
            for url in site.pages:
                crumbs = self.places.get(url, ())
                place = [{"text": crumb.text, "url": crumb.url} for crumb in crumbs]
                yield {"url": url, "site": site.id, "entry": site.entry, "place": place}
        for url in self.unassigned:
            yield {"url": url, "site": None, "entry": None, "place": []}


def _page_schema() -> pa.Schema:
    import pyarrow as pa

    crumb = pa.struct([("text", pa.string()), ("url", pa.string())])
    return pa.schema(
        [
            ("url", pa.string()),
            ("site", pa.int32()),
            ("entry", pa.string()),
            ("place", pa.list_(crumb)),
        ]
    )


def _site_json(site: Site) -> dict[str, Any]:
    return {
        "id": site.id,
        "entry": site.entry,
        "pages": list(site.pages),
        "main_menu": site.main_menu,
        "sections": [_section_json(section) for section in site.sections],
        "by_links": list(site.by_links),
    }


def _section_json(section: Section) -> dict[str, Any]:
    return {
        "title": section.title,
        "entry": section.entry,
        "menu": section.menu,
        "pages": list(section.pages),
        "document": section.document,
        "sections": [_section_json(each) for each in section.sections],
    }


def _menu_json(menu: Menu) -> dict[str, Any]:
    return {
        "id": menu.id,
        "items": [{"text": item.text, "url": item.url} for item in menu.items],
        "pages": list(menu.pages),
        "linked": list(menu.linked),
        "site": menu.site,
        "parent": menu.parent,
        "level": menu.level,
        "path": menu.path,
        "wildcards": menu.wildcards,
        "approximate": menu.approximate,
    }
