"""Pagers that were written by hand, as frameworks and sites in many languages make them.

`data/pagers/*.txt` has what stands around a page's list, with what is true of each link. See there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lxml import html

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parent / "data" / "pagers"
_MARK = re.compile(r"(<\w+) :([a-z-]+)([+!]?)")
_WORDS = [
    "Oak and linen for long evenings",
    "A quiet corner of the yard",
    "What the harbour master said",
    "Three ways to mend a kettle",
    "Notes from the reading room",
    "Bread without any hurry",
    "The last ferry of the year",
    "A lamp that needs no oil",
    "Small repairs in winter",
]
_TEXT = "It was late when the rain stopped, and most of those who had come were still talking. " * 9


@dataclass(frozen=True)
class PagerPage:
    """`labels` are (xpath, label), `following` the XPaths of what leads to the following page."""

    name: str
    url: str
    html: str
    labels: frozenset[tuple[str, str]]
    following: frozenset[str]


FILES = ("frameworks.txt", "languages.txt", "others.txt", "more.txt")


def pager_pages(file: str) -> Iterator[PagerPage]:
    """The pages of one file of the folder."""
    for section in (FOLDER / file).read_text("utf-8").split("\n=== ")[1:]:
        head, _, body = section.partition("\n")
        name, url, kind, *rest = (part.strip() for part in head.split("|"))
        language, _, direction = (rest[0] if rest else "en").partition(" ")
        yield _page(name, url, _whole(_list(kind) + _filled(body), language, direction))


def _page(name: str, url: str, marked: str) -> PagerPage:
    tree = html.document_fromstring(_MARK.sub(r'\1 truth="\2\3"', marked)).getroottree()
    told = ((tree.getpath(each), each.get("truth")) for each in tree.iter())
    truth = {xpath: label for xpath, label in told if label}
    labels = frozenset((xpath, label.rstrip("+!")) for xpath, label in truth.items())
    following = {x for x, label in truth.items() if label in {"next", "load-more"} or "+" in label}
    return PagerPage(name, url, _MARK.sub(r"\1", marked), labels, frozenset(following))


def _whole(body: str, language: str, direction: str) -> str:
    menu = "".join(f"<li><a href='/{word}'>{word.title()}</a></li>" for word in ("about", "help"))
    return (
        f"<!doctype html><html lang={language} dir={direction or 'ltr'}><head><meta charset=utf-8>"
        f"<title>Things</title></head><body><header><a href='/'>Things</a><ul>{menu}</ul></header>"
        f"<main>{body}</main><footer><a href='/terms'>Terms</a> © 2023</footer></body></html>"
    )


def _list(kind: str) -> str:
    rows = list(enumerate(_WORDS, 1))
    if kind == "goods":
        return "".join(
            f"<div class=product><a href='/p/{700 + k}'>{words}</a> <b>{k}9.90</b></div>"
            for k, words in rows
        )
    if kind == "table":
        cells = "".join(f"<tr><td>{k}<td><a href='/row/{k}'>{w}</a><td>20{k}" for k, w in rows)
        return f"<table>{cells}</table>"
    if kind == "replies":
        return "".join(
            f"<div id=p{k}><a href='/u/{k}'>{w}</a> <a href='#p{k}'>#{k}</a>{_TEXT}</div>"
            for k, w in rows
        )
    if kind == "article":
        return f"<h1>{_WORDS[0]}</h1><p>{_TEXT}</p><p>{_TEXT}</p>"
    if kind == "none":
        return ""
    shown = {"posts": f"<p>{_TEXT[:170]}</p>", "results": "<cite>a.example</cite>", "index": ""}
    return "".join(f"<h3><a href='/{k}-thing'>{w}</a></h3>{shown[kind]}" for k, w in rows)


def _filled(body: str) -> str:
    days = "".join(f"<td><a href='/2023/05/{d:02}/'>{d}</a>" for d in range(1, 32))
    letters = " ".join(f"<a href='/glossary/{c}'>{c.upper()}</a>" for c in "acdefghijklmnop")
    threads = "".join(
        f"<li><a href='showthread.php?t={k}9'>{w}</a> (<a href='showthread.php?t={k}9&page=1'>1</a>"
        f" <a href='showthread.php?t={k}9&page=2'>2</a>)"
        for k, w in enumerate(_WORDS, 3)
    )
    teasers = "".join(
        f"<h3>{w}</h3><p>{_TEXT[:90]} <a href='/news/{k}'>Read more »</a></p>"
        for k, w in enumerate(_WORDS)
    )
    voted = "".join(
        f"<li><a href='/vote?id={k}'>▲</a> <a href='/item?id={k}'>{w}</a> <a href='/item?id={k}#c'>"
        f"{k * 7} comments</a>"
        for k, w in enumerate(_WORDS, 40)
    )
    counted = "".join(
        f"<tr><td><a href='/f/{k}'>{w}</a><td><a href='/f/{k}/topics'>{k * 31}</a>"
        f"<td><a href='/f/{k}/last'>»</a>"
        for k, w in enumerate(_WORDS, 2)
    )
    picked = "".join(f"<td><a class=ui-state-default href='#'>{d}</a>" for d in range(1, 31))
    chart = "".join(f"<li><a href='/song/{k}'>{k}</a> {w}" for k, w in enumerate(_WORDS, 1))
    known = {
        "picked": picked,
        "chart": chart,
        "days": days,
        "letters": letters,
        "threads": threads,
        "teasers": teasers,
    }
    known |= {"voted": voted, "counted": counted}
    return re.sub(r"\{(\w+)\}", lambda found: known[found[1]], body)
