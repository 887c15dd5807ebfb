"""Hosts that are made up, with menus that are known exactly: main menus and those of sections.

Each site draws how its template shows menus and what troubles them; a host has a dozen such
sites. Nothing else gives the truth about the menus of sections.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

HOST = "http://localhost"
OUTER = "http://elsewhere.localhost/"
FORMS = ("list", "bar", "row", "column", "terms", "lines", "boxes", "groups")
PLACES = ("aside", "before", "inside", "among", "dropped")
SELVES = ("link", "text", "absent")
TROUBLES = (
    *("crumbs", "steps", "own item", "another site's item", "outer item", "logo"),
    *("related", "entry without", "repeated", "page names", "strays", "bare pages"),
)


@dataclass(frozen=True)
class Known:
    """A menu as its maker meant it."""

    site: str
    items: tuple[str, ...]
    pages: frozenset[str]
    main: bool


@dataclass(frozen=True)
class Style:
    """How the template of a site shows its menus."""

    form: str
    place: str
    current: str
    troubles: frozenset[str]

    @classmethod
    def drawn(cls, chance: random.Random) -> Style:
        troubles = frozenset(each for each in TROUBLES if chance.random() < 0.3)
        return cls(chance.choice(FORMS), chance.choice(PLACES), chance.choice(SELVES), troubles)


@dataclass
class Section:
    """A top item with the pages below it; the first of them are the section's menu, if any."""

    entry: str
    pages: list[str]
    menu: list[str]


@dataclass
class Plan:
    """A site before its pages are written."""

    name: str
    style: Style
    top: list[str]
    sections: list[Section]
    loose: list[str]
    bare: list[str]  # without any menu

    @property
    def pages(self) -> list[str]:
        below = [page for section in self.sections for page in section.pages]
        return [*self.top, *below, *self.loose, *self.bare]


@dataclass
class World:
    """Pages by address, the site of each, and all menus."""

    pages: dict[str, str] = field(default_factory=dict)
    site_of: dict[str, str] = field(default_factory=dict)
    menus: list[Known] = field(default_factory=list)
    styles: dict[str, Style] = field(default_factory=dict)


def world(
    seed: int, sites: int = 12, *, style: Style | None = None, crossed: bool = False
) -> World:
    """A host of some sites, a footer that all share, and a bar on top now and then. Where it is
    `crossed`, all pages lead to a page that lists all sites, and to some other sites.
    """
    chance = random.Random(seed)
    plans = [_plan(chance, f"{_name(chance)}{n}", style) for n in range(sites)]
    shared = [f"/about/{name}.html" for name in ("licence", "contact", "donate")]
    footer = chance.random() < 0.7
    bar = chance.random() < 0.3
    found = World()
    for plan in plans:
        others = [other.top[0] for other in plans if other is not plan]
        for page in plan.pages:
            body = _body(plan, page, random.Random(f"{seed} {page}"), others)
            body = (_listed("bar", shared, page, "hostbar") if bar else "") + body
            body += _listed("list", shared, page, "foot") if footer else ""
            body += _listed("list", ["/", *others[-3:]], page, "friends") if crossed else ""
            found.pages[HOST + page] = (
                f"<html><head><title>x</title></head><body>{body}</body></html>"
            )
            found.site_of[HOST + page] = plan.name
        found.menus += _known(plan, others)
        found.styles[plan.name] = plan.style
    if crossed:
        entries = _listed("list", [plan.top[0] for plan in plans], "/", "sites")
        found.pages[HOST + "/"] = f"<html><body>{entries}</body></html>"
        found.site_of[HOST + "/"] = "portal"
    for page in shared if footer or bar else ():
        found.pages[HOST + page] = (
            f"<html><body>{_listed('list', shared, page, 'foot')}</body></html>"
        )
        found.site_of[HOST + page] = "about"
    return found


def without(found: World, share: float, seed: int = 1) -> World:
    """The same with some pages missing, at random."""
    kept = set(
        random.Random(seed).sample(sorted(found.pages), round(len(found.pages) * (1 - share)))
    )
    return World(
        {url: html for url, html in found.pages.items() if url in kept},
        {url: site for url, site in found.site_of.items() if url in kept},
        [Known(m.site, m.items, m.pages & kept, m.main) for m in found.menus],
        found.styles,
    )


def _name(chance: random.Random) -> str:
    return "".join(chance.choice("bdfgklmnprst") + chance.choice("aeiou") for _ in range(3))


def _plan(chance: random.Random, name: str, style: Style | None) -> Plan:
    root = chance.choice([f"/{name}/", f"/docs/{name}/", f"/pub/{name[0]}/{name}/"])
    count = chance.randint(3, 8)
    top = [root + "index.html"] + [f"{root}{_name(chance)}{n}.html" for n in range(count)]
    sections = []
    for entry in chance.sample(top[1:], chance.randint(0, min(4, count))):
        folder = entry.removesuffix(".html")
        pages = [f"{folder}/{_name(chance)}{n}.html" for n in range(chance.randint(4, 14))]
        wanted = chance.randint(3, min(8, len(pages))) if chance.random() < 0.7 else 0
        sections.append(Section(entry, pages, pages[:wanted]))
    loose = [f"{root}{_name(chance)}-{n}.html" for n in range(chance.randint(0, 12))]
    sections.sort(key=lambda section: top.index(section.entry))
    style = style or Style.drawn(chance)
    bare = [f"{root}print-{n}.html" for n in range(6)] if "bare pages" in style.troubles else []
    return Plan(name, style, top, sections, loose, bare)


def _is_entry_without(plan: Plan, page: str) -> bool:
    return "entry without" in plan.style.troubles and page == plan.top[0]


def _top(plan: Plan, others: list[str]) -> list[str]:
    """The items of the main menu that all pages have."""
    top = [*plan.top]
    top += others[:1] if "another site's item" in plan.style.troubles else []
    return [*top, OUTER] if "outer item" in plan.style.troubles else top


def _absolute(some: Iterable[str]) -> tuple[str, ...]:
    return tuple(each if each.startswith("http") else HOST + each for each in some)


def _known(plan: Plan, others: list[str]) -> list[Known]:
    style = plan.style
    pages = [p for p in plan.pages if p not in plan.bare and not _is_entry_without(plan, p)]
    top = _top(plan, others)
    known = [Known(plan.name, _absolute(top), frozenset(_absolute(pages)), main=True)]
    for section in plan.sections:
        having = pages if style.place == "dropped" else [section.entry, *section.pages]
        if section.menu:
            known.append(
                Known(plan.name, _absolute(section.menu), frozenset(_absolute(having)), main=False)
            )
    return known


# --- pages -------------------------------------------------------------------------------------


def _body(plan: Plan, page: str, chance: random.Random, others: list[str]) -> str:
    style = plan.style
    section = next((s for s in plan.sections if page == s.entry or page in s.pages), None)
    main, local = _menus(plan, page, section, others)
    away = "strays" in style.troubles and chance.random() < 0.1
    stray = f'<p>see <a href="{chance.choice(others)}">there</a></p>' if away else ""
    if _is_entry_without(plan, page):
        main = local = ""
    if page in plan.bare:
        return _content(plan, page, section, chance) + stray
    parts = [
        f'<div id="logo"><a href="{plan.top[0]}"><img alt="{plan.name}"></a></div>'
        if "logo" in style.troubles
        else "",
        f'<div class="top">{main}</div>',
        _crumbs(plan, page, section) if "crumbs" in style.troubles else "",
        local if style.place == "before" else "",
        _content(plan, page, section, chance) + stray,
        _steps(plan, page) if "steps" in style.troubles else "",
        local if style.place == "aside" else "",
        f'<div class="bottom">{main}</div>'
        if "repeated" in style.troubles and style.place in {"aside", "before"}
        else "",
    ]
    called = page.rpartition("/")[2].removesuffix(".html")
    named = f' id="page-{called}" class="{called}"' if "page names" in style.troubles else ""
    return f"<div{named}>{''.join(parts)}</div>"


def _menus(plan: Plan, page: str, section: Section | None, others: list[str]) -> tuple[str, str]:
    style = plan.style
    top = _top(plan, others)
    below: dict[str, list[str]] = {}
    for each in plan.sections:
        if each.menu and (style.place == "dropped" or each is section):
            below[each.entry] = each.menu
    if "own item" in style.troubles:
        top.append(f"/own{page}")
    local = ""
    if style.place in {"aside", "before"} and section and section.menu:
        local = _listed("list", section.menu, page, "local", current=style.current)
    if style.place == "among" and section and section.menu:
        at = top.index(section.entry) + 1
        top[at:at] = section.menu
    nested = below if style.place in {"inside", "dropped"} else {}
    main = _listed(style.form, top, page, "menu", current=style.current, below=nested)
    return main, local


def _listed(
    form: str,
    links: list[str],
    page: str,
    named: str,
    *,
    current: str = "link",
    below: dict[str, list[str]] | None = None,
) -> str:
    """Links as a template shows them, some with others below them."""
    shown = []
    for link in links:
        sub = (below or {}).get(link, [])
        nested = _listed("list", sub, page, "sub", current=current) if sub else ""
        item = _item(link, page, current) + nested
        shown += [item] if item else []
    return f'<div class="{named}">{_formed(form, shown)}</div>'


def _item(link: str, page: str, current: str) -> str:
    word = link.rpartition("/")[2].removesuffix(".html").title() or "Elsewhere"
    if link == page and current != "link":
        return f"<b>{word}</b>" if current == "text" else ""
    return f'<a href="{link}">{word}</a>'


_AROUND = {
    "list": ("<ul>", "<li>{}</li>", "</ul>"),
    "row": ("<table><tr>", "<td>{}</td>", "</tr></table>"),
    "column": ("<table>", "<tr><td>{}</td></tr>", "</table>"),
    "terms": ("<dl>", "<dt>{}</dt>", "</dl>"),
    "boxes": ("", '<div class="box"><span>{}</span></div>', ""),
    "bar": ("", "{} | ", ""),
    "lines": ('<div class="lines">', "{}<br>", "</div>"),
}


def _formed(form: str, shown: list[str]) -> str:
    if form == "groups":
        middle = (len(shown) + 1) // 2
        halves = shown[:middle], shown[middle:]
        return "".join(f"<h3>{n}</h3>{_formed('list', half)}" for n, half in enumerate(halves))
    before, around, after = _AROUND[form]
    return before + "".join(around.format(each) for each in shown) + after


def _crumbs(plan: Plan, page: str, section: Section | None) -> str:
    way = [plan.top[0]] + ([section.entry] if section and page != section.entry else [])
    links = [f'<a href="{each}">{each[-9:]}</a>' for each in way if each != page]
    return f'<div class="crumbs">{" &gt; ".join(links)} &gt; here</div>'


def _steps(plan: Plan, page: str) -> str:
    pages = plan.pages
    at = pages.index(page)
    ways = {"Prev": pages[at - 1], "Up": plan.top[0], "Next": pages[(at + 1) % len(pages)]}
    links = "".join(f'<td><a href="{link}">{word}</a></td>' for word, link in ways.items())
    return f'<table class="steps"><tr>{links}</tr></table>'


def _content(plan: Plan, page: str, section: Section | None, chance: random.Random) -> str:
    """Text with a link or two; entries list what lies below them."""
    pages = plan.pages
    some = chance.sample(pages, min(len(pages), chance.randint(0, 3)))
    text = "<p>" + " and ".join(f'words <a href="{each}">more</a>' for each in some) + "</p>"
    if section and page == section.entry:
        text += _formed("list", [f'<a href="{each}">{each}</a>' for each in section.pages])
    if page == plan.top[0]:
        below = [*plan.loose, *plan.bare]
        text += _formed("list", [f'<a href="{each}">{each}</a>' for each in below])
    if "related" in plan.style.troubles:
        other = chance.sample(pages, min(len(pages), 4))
        text += (
            f'<div class="related">{_formed("list", [f"<a href={o}>r</a>" for o in other])}</div>'
        )
    return f'<div class="content">{text}</div>'
