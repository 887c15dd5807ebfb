"""The sites of a made-up campus: their pages, sections, addresses and troubles.

Made after what universities and institutes have: most
sites made by a few generators, others by hand; addresses written in many ways.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from benchmarks import menus_campus_templates as templates

if TYPE_CHECKING:
    import random

    from benchmarks.menus_campus_templates import Template

SITES = 36
LOCALS = 42
HOST = "http://www.campus.example"
SHARED = ("nothing", "small bar", "footer", "all sites", "drop-down", "portal box")
_NAMES = """
    about news people research study teaching events library press jobs services history
    contact projects groups labs theses alumni partners funding equipment publications
    software seminars colloquium guests staff archive gallery visitors sports housing health
    careers open day faq
"""
WORDS = tuple(_NAMES.split())


@dataclass
class Known:
    """A menu as it was made. `parent` is the main menu of a section's; None where it is instead."""

    site: str
    main: bool
    items: list[str]
    pages: list[str]
    parent: Known | None = None
    place: str = ""


@dataclass
class Section:
    head: str  # its first page, an item of the menu above
    pages: list[str]  # all others
    menu: list[str] | None = None
    below: Section | None = None


@dataclass
class Made:
    """A site: its pages by number, with how they are addressed."""

    name: str
    template: Template
    base: str
    form: str  # of addresses
    pages: list[str] = field(default_factory=list)
    title: dict[str, str] = field(default_factory=dict)
    main: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)  # items that are other sites' pages
    sections: list[Section] = field(default_factory=list)
    troubles: frozenset[str] = frozenset()
    other: Made | None = None  # the edition in another language


TROUBLES = {
    "crumbs": 0.35,
    "steps": 0.25,  # previous and next
    "news": 0.3,  # a list that changes, made as the menu is
    "tags": 0.15,
    "days": 0.1,
    "related": 0.7,
    "slashes": 0.15,
    "schemes": 0.15,
    "sessions": 0.08,
    "fragments": 0.1,
    "case": 0.08,
    "relative": 0.5,
    "mega footer": 0.25,
    "lone pages": 0.1,  # a few pages without any menu
    "copied menu": 0.1,  # a few pages carry the section's menu of another site
    "dead item": 0.08,
    "own item": 0.08,  # each page adds an item of its own to the main menu
    "variant": 0.08,  # a section lacks one item of the main menu
}


# --- what sites there are --------------------------------------------------------------------


def all_sites(chance: random.Random) -> list[Made]:
    generators = [templates.drawn(chance, f"cms{n}-") for n in range(3)]
    sites: list[Made] = []
    while len(sites) < SITES:
        site = _site(chance, f"s{len(sites)}", generators)
        sites.append(site)
        if len(sites) < SITES and chance.random() < 0.06:
            sites.append(_edition(chance, site))
    locals_left = LOCALS
    while locals_left:
        site = chance.choice(sites)
        if _add_local(chance, site):
            locals_left -= 1
    for site in sites:
        if chance.random() < 0.2:
            other = chance.choice(sites)
            if other is not site and other is not site.other:
                site.foreign.append(other.main[0])
                site.title[other.main[0]] = other.name
    return sites


def _site(chance: random.Random, name: str, generators: list[Template]) -> Made:
    own = chance.random() < 0.4
    template = templates.drawn(chance, f"{name}-") if own else chance.choice(generators)
    base, form = _address(chance, name)
    made = Made(name, template, base, form)
    made.troubles = frozenset(t for t, share in TROUBLES.items() if chance.random() < share)
    if form in {"query", "slashed"}:
        made.troubles -= {"case"}
    _add_pages(chance, made, min(400, max(10, round(chance.lognormvariate(4.1, 0.9)))))
    return made


def _address(chance: random.Random, name: str) -> tuple[str, str]:
    base = chance.choices(
        (f"{HOST}/{name}/", f"{HOST}/dept/{name}/", f"{HOST}/~{name}/", f"{HOST}/", "own host"),
        (5, 3, 1, 1, 1),
    )[0]
    if base == "own host":
        base = f"http://{name}.campus.example/"
    if base == f"{HOST}/":
        return base, "query"
    return base, chance.choices(("html", "slashed", "php"), (5, 3, 2))[0]


def _url(site: Made, slug: str, number: int) -> str:
    if site.form == "query":
        return f"{site.base}index.php?site={site.name}&id={number}"
    if number == 0:
        return site.base
    if site.form == "slashed":
        return f"{site.base}{slug}/"
    if site.form == "php":
        return f"{site.base}show.php?id={number}"
    return f"{site.base}{slug}.html"


def _add_pages(chance: random.Random, site: Made, size: int) -> None:
    words = chance.sample(WORDS, min(len(WORDS), chance.randint(4, 10)))
    words = words[: max(3, size // 3)]
    for number in range(size):
        slug = "" if not number else words[number - 1] if number <= len(words) else f"p{number}"
        url = _url(site, slug, number)
        site.pages.append(url)
        site.title[url] = (slug or "home").title() if number <= len(words) else f"Page {number}"
    site.main = site.pages[: len(words) + 1]
    rest = site.pages[len(words) + 1 :]
    shares = [chance.random() ** 2 for _ in words]
    heads = site.main[1:]
    section_of = chance.choices(range(len(words)), shares, k=len(rest))
    for n, head in enumerate(heads):
        pages = [url for url, at in zip(rest, section_of, strict=True) if at == n]
        site.sections.append(Section(head, pages))


def _edition(chance: random.Random, site: Made) -> Made:
    other = Made(f"{site.name}-de", site.template, f"{site.base}de/", site.form)
    other.troubles = site.troubles
    if site.form == "query":
        other.base = site.base
    _add_pages(chance, other, max(10, round(len(site.pages) * chance.uniform(0.3, 1))))
    site.other, other.other = other, site
    return other


def _add_local(chance: random.Random, site: Made) -> bool:
    """A menu for one more section; sometimes for a part of a section that has one."""
    free = [s for s in site.sections if s.menu is None and len(s.pages) >= 4]
    deep = [s for s in site.sections if s.menu and not s.below and len(s.pages) - len(s.menu) >= 6]
    if deep and site.template.place == "beside" and chance.random() < 0.15:
        section = chance.choice(deep)
        rest = [url for url in section.pages if url not in (section.menu or ())]
        head = (section.menu or rest)[-1]
        section.below = Section(head, rest[: len(rest) // 2])
        section.below.menu = section.below.pages[: min(5, len(section.below.pages))]
        return len(section.below.pages) >= 3
    if not free or sum(s.menu is not None for s in site.sections) >= 6:
        return False
    section = chance.choice(free)
    section.menu = section.pages[: chance.randint(3, min(9, len(section.pages)))]
    if chance.random() < 0.5:
        section.menu = [section.head, *section.menu]
    return True
