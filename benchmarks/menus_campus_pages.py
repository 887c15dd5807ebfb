"""The pages of a made-up campus, with what its sites share and what stands around menus."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks import menus_campus_templates as templates
from benchmarks.menus_campus_sites import SHARED, WORDS, Known, all_sites
from benchmarks.menus_campus_templates import Blocks

if TYPE_CHECKING:
    from benchmarks.menus_campus_sites import Made, Section
    from benchmarks.menus_campus_templates import Template


@dataclass
class Campus:
    """`pages` by address as a crawl would have them; `menus` are those that mining should find."""

    pages: dict[str, str]
    site_of: dict[str, str]
    menus: list[Known]
    templates: dict[str, Template]
    troubles: dict[str, frozenset[str]]
    shared: str


def campus(seed: int, *, shared: str | None = None, missing: float = 0.0) -> Campus:
    """The campus of a number; all is drawn from it."""
    chance = random.Random(f"campus {seed}")
    said = shared or chance.choice(SHARED)
    sites = all_sites(chance)
    found = Campus({}, {}, [], {}, {}, said)
    host = _Shared(said, sites, chance)
    for site in sites:
        _Writer(found, site, sites, host, random.Random(f"{seed} {site.name}")).write()
    return _without(found, missing, chance) if missing else found


def _without(made: Campus, share: float, chance: random.Random) -> Campus:
    kept = set(chance.sample(sorted(made.pages), round(len(made.pages) * (1 - share))))
    made.pages = {url: html for url, html in made.pages.items() if url in kept}
    made.site_of = {url: site for url, site in made.site_of.items() if url in kept}
    for known in made.menus:
        known.pages = [url for url in known.pages if url in kept]
    return made


# --- what sites share ------------------------------------------------------------------------


class _Shared:
    def __init__(self, kind: str, sites: list[Made], chance: random.Random) -> None:
        self.kind = kind
        portal = sites[0]
        few = [portal.main[0], *portal.main[-2:], sites[1].main[0]]
        every = [site.main[0] for site in sites]
        words = {url: site.title.get(url, url) for site in sites for url in site.pages}
        words |= {site.main[0]: site.name for site in sites}
        self.links = {"small bar": few, "footer": few, "portal box": [*few, *every[::3]]}.get(
            kind, every if kind in {"all sites", "drop-down"} else []
        )
        self.links = list(dict.fromkeys(self.links))
        self.words = words
        self.mega = list(dict.fromkeys([*few, *chance.sample(every, 12)]))
        self.portal = portal

    def has(self, site: Made) -> bool:
        """Sites made by hand may be without it."""
        return bool(self.links) and (
            site.template.prefix.startswith("cms") or len(site.name) % 2 == 1
        )

    def html(self) -> str:
        links = [f'<a href="{url}">{self.words[url]}</a>' for url in self.links]
        if self.kind == "drop-down":
            items = "".join(f"<li>{each}</li>" for each in links[1:])
            return f'<div id="campus"><ul><li>{links[0]}<ul>{items}</ul></li></ul></div>'
        if self.kind == "all sites":
            return '<div class="campus">' + "".join(f"<li>{each}</li>" for each in links) + "</div>"
        return '<div class="campus">' + " ".join(links) + "</div>"


# --- pages -----------------------------------------------------------------------------------


class _Writer:
    def __init__(
        self, campus: Campus, site: Made, sites: list[Made], host: _Shared, chance: random.Random
    ) -> None:
        self._campus = campus
        self._site = site
        self._sites = sites
        self._host = host
        self._chance = chance
        self._template = site.template
        if site.template.open and len(site.pages) > 60:
            site.troubles -= {"own item"}
        self._section_of = {url: s for s in site.sections for url in (s.head, *s.pages)}
        self._lone = set()
        self._lacking = chance.choice(site.sections) if "variant" in site.troubles else None
        if "lone pages" in site.troubles:
            self._lone = set(chance.sample(site.pages[len(site.main) :], len(site.pages) // 15))

    def write(self) -> None:
        site, campus = self._site, self._campus
        campus.templates[site.name] = self._template
        campus.troubles[site.name] = site.troubles
        having: dict[int, list[str]] = {}
        for url in site.pages:
            campus.pages[self._crawled(url)] = self._page(url, having)
            campus.site_of[self._crawled(url)] = site.name
        main = Known(site.name, True, self._items(None), having.get(0, []))
        campus.menus.append(main)
        made: dict[int, Known] = {}
        above = {id(each.below): each for each in site.sections if each.below}
        place = "open" if self._template.open else self._template.place
        for number, section in enumerate(self._local_sections(), 1):
            parent = made[id(above[id(section)])] if id(section) in above else main
            items = list(section.menu or ())
            made[id(section)] = Known(
                site.name, False, items, having.get(number, []), parent, place
            )
        campus.menus.extend(made.values())

    def _crawled(self, url: str) -> str:
        if "sessions" in self._site.troubles and self._chance_of(url, 0.3):
            return _with_session(url, f"{random.Random(url).getrandbits(40):x}")
        return url

    def _chance_of(self, url: str, share: float) -> bool:
        return random.Random(f"x {url}").random() < share

    def _local_sections(self) -> list[Section]:
        found = []
        for section in self._site.sections:
            if section.menu:
                found.append(section)
                if section.below:
                    found.append(section.below)
        return found

    def _items(self, section: Section | None) -> list[str]:
        """Of the main menu on the pages of a section."""
        items = [*self._site.main, *self._site.foreign]
        if self._lacking is not None and section is self._lacking and len(items) > 5:
            gone = next(url for url in items[::-1] if url != section.head)
            items = [url for url in items if url != gone]
        return items

    # --- one page ----------------------------------------------------------------------------

    def _page(self, url: str, having: dict[int, list[str]]) -> str:
        site, t = self._site, self._template
        section = self._section_of.get(url)
        blocks = Blocks(title=site.title[url], content=self._content(url, section))
        self._add_shared(blocks)
        self._add_sides(blocks, url, section)
        if url in self._lone:
            return templates.laid_out(t, blocks)
        local = section if section and section.menu else None
        number = {id(s): n for n, s in enumerate(self._local_sections(), 1)}
        shown = self._crawled(url)
        inside: dict[str, str] = {}
        if local is not None and not (t.place == "instead" and url != local.head and not t.open):
            having.setdefault(number[id(local)], []).append(shown)
        if t.open:
            for each in self._site.sections:
                if each.menu:
                    inside[each.head] = self._list(url, each.menu, t.form, "sub")
        elif local is not None:
            html = self._local(url, local, number, having, shown)
            if t.place == "unfolded":
                inside[local.head] = html
            elif t.place == "instead" and url != local.head:
                having.setdefault(number[id(local)], []).append(shown)
                blocks.main = html
                return templates.laid_out(t, blocks)
            else:
                blocks.local = html
        elif "copied menu" in site.troubles and self._chance_of(url, 0.05):
            blocks.local = self._copied(url)
        having.setdefault(0, []).append(shown)
        self._add_main(blocks, url, section, inside)
        return templates.laid_out(t, blocks)

    def _local(
        self,
        url: str,
        local: Section,
        number: dict[int, int],
        having: dict[int, list[str]],
        shown: str,
    ) -> str:
        t = self._template
        inside: dict[str, str] = {}
        below = local.below
        if below is not None and (url == below.head or url in below.pages):
            having.setdefault(number[id(below)], []).append(shown)
            inside[below.head] = self._list(url, below.menu or [], t.local_form, "deep")
        if t.local_form in templates.NESTING:
            return self._list(url, local.menu or [], t.local_form, "local", inside)
        return self._list(url, local.menu or [], t.local_form, "local") + "".join(inside.values())

    def _copied(self, url: str) -> str:
        others = [s for s in self._sites if s is not self._site for x in s.sections if x.menu]
        if not others:
            return ""
        other = random.Random(url).choice(others)
        section = next(x for x in other.sections if x.menu)
        links = [(each, other.title[each]) for each in section.menu or ()]
        return templates.menu(self._template, self._template.local_form, links, None, name="local")

    def _add_main(
        self, b: Blocks, url: str, section: Section | None, inside: dict[str, str]
    ) -> None:
        items = self._items(section)
        t = self._template
        links = {each: (self._href(each, url), self._said(each)) for each in items}
        below = {links[head][0]: html for head, html in inside.items() if head in links}
        here = links[url][0] if url in links else None
        shown = list(links.values())
        if "own item" in self._site.troubles:
            other = self._chance.choice(self._site.pages)
            if other not in links:
                shown.append((self._href(other, url), "See also"))
        if "dead item" in self._site.troubles:
            shown[-1:-1] = [("javascript:void(0)", "Search")]
        if t.split and len(shown) >= 6:
            half = len(shown) // 2
            b.main = templates.menu(t, t.form, shown[:half], here, below)
            b.second = templates.menu(t, t.form, shown[half:], here, below)
            return
        b.main = templates.menu(t, t.form, shown, here, below)

    def _list(
        self,
        url: str,
        items: list[str],
        form: str,
        name: str,
        inside: dict[str, str] | None = None,
    ) -> str:
        links = {each: (self._href(each, url), self._said(each)) for each in items}
        here = links[url][0] if url in links else None
        below = {links[head][0]: html for head, html in (inside or {}).items() if head in links}
        return templates.menu(self._template, form, list(links.values()), here, below, name=name)

    def _said(self, url: str) -> str:
        return self._site.title.get(url) or self._host.words.get(url, url)

    # --- what stands around ------------------------------------------------------------------

    def _add_shared(self, b: Blocks) -> None:
        if self._host.has(self._site):
            if self._host.kind == "footer":
                b.foot = self._host.html()
            else:
                b.top = self._host.html()
        if "mega footer" in self._site.troubles:
            links = "".join(
                f'<li><a href="{url}">{self._host.words[url]}</a></li>' for url in self._host.mega
            )
            b.foot += f"<footer><ul>{links}</ul></footer>"
        b.logo = f'<div><a href="{self._site.main[0]}"><img alt="{self._site.name}"></a></div>'
        if self._site.other is not None:
            b.logo += f'<span><a href="{self._site.other.main[0]}">Deutsch / English</a></span>'

    def _add_sides(self, b: Blocks, url: str, section: Section | None) -> None:
        site, t, chance = self._site, self._template, self._chance
        some = chance.sample(site.pages, min(len(site.pages), chance.randint(3, 6)))
        links = [(self._href(each, url), self._said(each)) for each in some]
        if "news" in site.troubles:
            b.side.append(templates.menu(t, t.form, links, None))
        if "tags" in site.troubles:
            tags = chance.sample(WORDS, 8)
            b.side.append(
                "<p>"
                + " ".join(f'<a href="{site.base}tag/{tag}">{tag}</a>' for tag in tags)
                + "</p>"
            )
        if "days" in site.troubles:
            days = "".join(f'<td><a href="{site.base}?day={d}">{d}</a></td>' for d in range(1, 29))
            b.side.append(f"<table><tr>{days}</tr></table>")
        if "crumbs" in site.troubles:
            way = [site.main[0], *([section.head] if section and section.head != url else [])]
            b.crumbs = (
                "<p>"
                + " &gt; ".join(
                    f'<a href="{self._href(each, url)}">{self._said(each)}</a>' for each in way
                )
                + f" &gt; {site.title[url]}</p>"
            )

    def _content(self, url: str, section: Section | None) -> str:
        site, chance = self._site, self._chance
        parts = [f"<p>{site.title[url]} of {site.name}.</p>"]
        if section and section.head == url:
            parts.append(self._index(url, section.pages))
        elif url == site.main[0]:
            parts.append(self._index(url, chance.sample(site.pages, min(6, len(site.pages)))))
        if "related" in site.troubles or chance.random() < 0.4:
            near = section.pages if section and len(section.pages) > 2 else site.pages
            some = chance.sample(near, min(len(near), chance.randint(1, 3)))
            parts.extend(
                f'<p>See <a href="{self._href(each, url)}">{self._said(each)}</a>.</p>'
                for each in some
            )
        if chance.random() < 0.08:
            other = chance.choice(chance.choice(self._sites).pages)
            parts.append(f'<p>More <a href="{other}">elsewhere</a>.</p>')
        if section and "steps" in site.troubles and url in section.pages:
            at = section.pages.index(url)
            ends = [section.pages[n] for n in (at - 1, at + 1) if 0 <= n < len(section.pages)]
            steps = "".join(f'<a href="{self._href(e, url)}">{self._said(e)}</a> ' for e in ends)
            parts.append(f"<div>{steps}</div>")
        return "".join(parts)

    def _index(self, url: str, pages: list[str]) -> str:
        items = "".join(
            f'<li><a href="{self._href(each, url)}">{self._said(each)}</a></li>' for each in pages
        )
        return f"<ul>{items}</ul>"

    def _href(self, url: str, at: str) -> str:
        """An address as this site would write it."""
        chance, troubles = self._chance, self._site.troubles
        if url.startswith(self._site.base):
            if "case" in troubles and chance.random() < 0.3:
                head, slash, name = url.rpartition("/")
                url = head + slash + name.capitalize()
            if (
                "slashes" in troubles
                and url.endswith("/")
                and "~" not in url
                and chance.random() < 0.5
            ):
                url = url.rstrip("/") if self._site.form == "slashed" else url + "index.html"
            if "schemes" in troubles and chance.random() < 0.5:
                url = url.replace("http://", "https://")
            elif "relative" in troubles:
                url = "/" + url.split("/", 3)[3]
            if "sessions" in troubles and chance.random() < 0.8:
                url = _with_session(url, f"{random.Random(at).getrandbits(40):x}")
            if "fragments" in troubles and chance.random() < 0.3:
                url += "#top"
        return url


def _with_session(url: str, number: str) -> str:
    return f"{url}{'&' if '?' in url else '?'}PHPSESSID={number}"
