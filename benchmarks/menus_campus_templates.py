"""How the sites of a made-up campus are built: layouts and the forms of their lists of links."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

CURRENT = ("link", "classed", "plain", "left out")
FORMS = ("ul", "divs", "rows", "cells", "breaks", "pipes", "dl", "map", "bare", "spans")
LAYOUTS = ("modern", "table", "nameless", "right", "bottom", "frames")
PLACES = ("beside", "unfolded", "same slot", "second bar", "instead")
NESTING = frozenset({"ul", "divs", "dl"})

Link = tuple[str, str]  # address as written, words


@dataclass(frozen=True)
class Template:
    """What one generator does to all sites that are made with it."""

    layout: str
    form: str
    local_form: str
    place: str  # of the menus of sections
    current: str
    named: bool  # whether elements have classes and ids
    prefix: str
    wrapped: int  # elements around everything
    split: bool  # the main menu stands left and right of a logo
    open: bool  # all sections' menus are always shown below the items

    def classed(self, name: str) -> str:
        return f' class="{self.prefix}{name}"' if self.named else ""


@dataclass
class Blocks:
    """What stands on a page; each is HTML."""

    main: str = ""
    second: str = ""  # the other half of a main menu
    local: str = ""
    crumbs: str = ""
    content: str = ""
    title: str = ""
    logo: str = ""
    side: list[str] = field(default_factory=list)
    top: str = ""
    foot: str = ""


def drawn(chance: random.Random, prefix: str) -> Template:
    form = chance.choice(FORMS)
    place = chance.choices(PLACES, (4, 3, 2, 2, 1))[0]
    if place == "unfolded" and form not in NESTING:
        form = "ul"
    layout = chance.choices(LAYOUTS, (5, 3, 3, 2, 1, 0.5))[0]
    return Template(
        layout=layout,
        form=form,
        local_form=form if place in {"unfolded", "instead"} else chance.choice(FORMS[:7]),
        place=place,
        current=chance.choices(CURRENT, (5, 4, 3, 1))[0],
        named=layout != "nameless" and chance.random() < 0.65,
        prefix=prefix,
        wrapped=chance.randrange(3),
        split=chance.random() < 0.12,
        open=form in NESTING and place != "unfolded" and chance.random() < 0.15,
    )


def menu(
    template: Template,
    form: str,
    items: list[Link],
    current: str | None,
    inside: dict[str, str] | None = None,
    *,
    name: str = "menu",
) -> str:
    """A list of links in one of the forms; `inside` has what hangs below an item."""
    shown: list[str] = []
    for href, text in items:
        below = (inside or {}).get(href, "")
        if href == current and template.current == "left out" and not below:
            continue
        shown.append(_item(template, form, href, text, href == current) + below)
    return _wrapped(template, form, shown, name)


def _item(template: Template, form: str, href: str, text: str, here: bool) -> str:
    if form == "map":
        return f'<area shape="rect" coords="0,0,9,9" href="{href}" alt="{text}">'
    if here and template.current in {"plain", "left out"}:
        return f"<strong>{text}</strong>" if template.current == "plain" else ""
    mark = ' class="active"' if here and template.current == "classed" else ""
    return f'<a href="{href}"{mark}>{text}</a>'


_LISTS = {  # what is around all items, and around each
    "ul": ("<ul{}>|</ul>", "<li>|</li>"),
    "divs": ("<div{}>|</div>", "<div>|</div>"),
    "rows": ("<table{}>|</table>", "<tr><td>|</td></tr>"),
    "cells": ("<table{}><tr>|</tr></table>", "<td>|</td>"),
    "breaks": ("<p{}>|</p>", "|<br>"),
    "pipes": ("<p{}>|</p>", "| &middot; "),
    "dl": ("<dl{}>|</dl>", "<dd>|</dd>"),
    "map": ('<img src="m.gif" usemap="#m"><map name="m">|</map>', "|"),
    "spans": ("<div{}>|</div>", "<span>|</span>"),
    "bare": ("|", "|"),
}


def _wrapped(template: Template, form: str, shown: list[str], name: str) -> str:
    (before, after), (one, other) = (each.split("|") for each in _LISTS[form])
    inside = "".join(one + each + other for each in shown)
    return before.format(template.classed(name)) + inside + after


def laid_out(template: Template, blocks: Blocks) -> str:
    """The whole page."""
    body = _LAYOUTS[template.layout](template, blocks)
    for _ in range(template.wrapped):
        body = f"<div>{body}</div>"
    head = f"<head><title>{blocks.title}</title></head>"
    return f"<html>{head}<body>{blocks.top}{body}{blocks.foot}</body></html>"


def _modern(t: Template, b: Blocks) -> str:
    bar = "" if t.place == "beside" else b.local
    side = b.local if t.place == "beside" else ""
    return (
        f"<header{t.classed('head')}><div>{b.main}</div>{b.logo}"
        + (f"<div>{b.second}</div>" if b.second else "")
        + f"</header>{_kept(t, 'sub', bar)}{b.crumbs}<div{t.classed('wrap')}>"
        f"<aside{t.classed('side')}>{side}{''.join(b.side)}</aside>"
        f"<main><h1>{b.title}</h1>{b.content}</main></div>"
    )


def _kept(t: Template, name: str, inside: str) -> str:
    return f"<div{t.classed(name)}>{inside}</div>" if inside else ""


def _table(t: Template, b: Blocks) -> str:
    return (
        f"<table><tr><td colspan=2>{b.logo}{b.crumbs}</td></tr><tr><td{t.classed('left')}>"
        f"{b.main}{b.second}{b.local}{''.join(b.side)}</td><td><h1>{b.title}</h1>{b.content}</td>"
        "</tr></table>"
    )


def _nameless(_: Template, b: Blocks) -> str:
    column = f"<div>{b.local}</div>" if b.local else ""
    return (
        f"<div>{b.logo}</div><div>{b.main}</div>"
        + (f"<div>{b.second}</div>" if b.second else "")
        + f"<div>{b.crumbs}</div>{column}<div><h2>{b.title}</h2>{b.content}</div>"
        f"<div>{''.join(b.side)}</div>"
    )


def _right(t: Template, b: Blocks) -> str:
    return (
        f"<div{t.classed('top')}>{b.logo}{b.main}{b.second}</div>{b.crumbs}"
        f"<div{t.classed('text')}><h1>{b.title}</h1>{b.content}</div>"
        f"<div{t.classed('right')}>{_kept(t, 'box', b.local)}"
        + "".join(_kept(t, "box", each) for each in b.side)
        + "</div>"
    )


def _bottom(_: Template, b: Blocks) -> str:
    return (
        f"<center>{b.logo}</center>{b.crumbs}<h1>{b.title}</h1>{b.content}{''.join(b.side)}<hr>"
        f"<div>{b.local}</div><center>{b.main}{b.second}</center>"
    )


def _frames(_: Template, b: Blocks) -> str:
    return (
        '<frameset cols="20,80"><frame src="about:blank"><noframes>'
        f"{b.main}{b.second}<hr>{b.local}{b.crumbs}<div>{b.content}</div></noframes></frameset>"
    )


_LAYOUTS = {
    "modern": _modern,
    "table": _table,
    "nameless": _nameless,
    "right": _right,
    "bottom": _bottom,
    "frames": _frames,
}
