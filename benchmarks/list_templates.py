# ruff: noqa: E501 - markup is easier to read in one line
"""Lists as sites write them: the same records in many kinds of markup.

Each template gives the HTML of a list. The rows stand between comments, `<!--row 3-->` and
`<!--/row 3-->`, which no program that looks for rows gets to see. A record is (name, value) pairs;
the first is its title, and values may be missing.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    Record = list[tuple[str, str]]
    Template = Callable[[list[Record], Random], str]


def _row(number: int, html: str) -> str:
    return f"<!--row {number}-->{html}<!--/row {number}-->"


def _rows(records: list[Record], draw: Callable[[Record], str]) -> list[str]:
    return [_row(number, draw(record)) for number, record in enumerate(records)]


def _values(record: Record) -> list[str]:
    return [escape(value) for _, value in record]


def table(records: list[Record], _: Random) -> str:
    heads = "".join(f"<th>{escape(name)}</th>" for name, _ in records[0])
    rows = _rows(records, lambda r: f"<tr>{''.join(f'<td>{v}</td>' for v in _values(r))}</tr>")
    return f"<table border=1><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def old_table(records: list[Record], _: Random) -> str:
    """The header is a row of bold cells; lines alternate, some are empty."""
    heads = "".join(f"<td><b>{escape(name)}</b></td>" for name, _ in records[0])
    rows = []
    for number, record in enumerate(records):
        cells = "".join(f"<td><font size=2>{v or '&nbsp;'}</font></td>" for v in _values(record))
        colour = ' bgcolor="#eeeeee"' if number % 2 else ""
        rows.append(_row(number, f"<tr{colour}>{cells}</tr>"))
    return f"<table cellpadding=3><tr bgcolor=#cccccc>{heads}</tr>{''.join(rows)}</table>"


def cards(records: list[Record], _: Random) -> str:
    def draw(record: Record) -> str:
        title, *rest = _values(record)
        fields = "".join(f'<p class="f{n}">{v}</p>' for n, v in enumerate(rest) if v)
        return f'<div class="card"><h3><a href="#">{title}</a></h3>{fields}</div>'

    return f'<div class="results">{"".join(_rows(records, draw))}</div>'


def soup(records: list[Record], _: Random) -> str:
    """No class anywhere, and missing values leave no trace."""

    def draw(record: Record) -> str:
        return f"<div>{''.join(f'<div>{v}</div>' for v in _values(record) if v)}</div>"

    return f"<div>{''.join(_rows(records, draw))}</div>"


def items(records: list[Record], _: Random) -> str:
    def draw(record: Record) -> str:
        title, *rest = _values(record)
        return f"<li><a href='#'>{title}</a> {' · '.join(v for v in rest if v)}</li>"

    return f"<ul>{''.join(_rows(records, draw))}</ul>"


def definitions(records: list[Record], _: Random) -> str:
    def draw(record: Record) -> str:
        title, *rest = _values(record)
        return f"<dt>{title}</dt>{''.join(f'<dd>{v}</dd>' for v in rest if v)}"

    return f"<dl>{''.join(_rows(records, draw))}</dl>"


def two_lines(records: list[Record], _: Random) -> str:
    def draw(record: Record) -> str:
        title, *rest = _values(record)
        small = " | ".join(f"<span>{v}</span>" for v in rest if v)
        return (
            f'<tr class="athing"><td class="rank">*</td><td class="title"><a href="#">{title}</a></td></tr>'
            f'<tr><td></td><td class="subtext">{small or "-"}</td></tr><tr class="spacer" style="height:5px"></tr>'
        )

    return f"<table><tbody>{''.join(_rows(records, draw))}</tbody></table>"


def flat(records: list[Record], _: Random) -> str:
    """A heading and paragraphs for each, without anything around them."""

    def draw(record: Record) -> str:
        title, *rest = _values(record)
        return f"<h3>{title}</h3>{''.join(f'<p>{v}</p>' for v in rest if v)}"

    return f"<div id=list>{''.join(_rows(records, draw))}</div>"


def grid(records: list[Record], _: Random) -> str:
    def draw(record: Record) -> str:
        title, *rest = _values(record)
        fields = "".join(f"<span class=field>{v}</span>" for v in rest if v)
        return (
            f'<div class="col"><img src="x.gif" width=80 height=50><h4>{title}</h4>{fields}</div>'
        )

    drawn = _rows(records, draw)
    lines = [
        f'<div class="line">{"".join(drawn[at : at + 3])}</div>' for at in range(0, len(drawn), 3)
    ]
    return f'<div class="grid">{"".join(lines)}</div>'


def table_grid(records: list[Record], _: Random) -> str:
    def draw(record: Record) -> str:
        title, *rest = _values(record)
        return f"<td valign=top><a href=#><b>{title}</b></a><br>{'<br>'.join(v for v in rest if v)}</td>"

    drawn = _rows(records, draw)
    lines = [f"<tr>{''.join(drawn[at : at + 4])}</tr>" for at in range(0, len(drawn), 4)]
    return f"<table cellspacing=8>{''.join(lines)}</table>"


def groups(records: list[Record], random: Random) -> str:
    """Lists with a heading above each."""

    def draw(record: Record) -> str:
        title, *rest = _values(record)
        fields = "".join(f"<em>{v}</em> " for v in rest if v)
        return f"<li><strong>{title}</strong> {fields}</li>"

    drawn, html = _rows(records, draw), ""
    while drawn:
        size = random.randint(2, 6)
        html += f"<h2>Group {len(drawn)}</h2><ul>{''.join(drawn[:size])}</ul>"
        drawn = drawn[size:]
    return f"<div class=groups>{html}</div>"


def headed(records: list[Record], random: Random) -> str:
    """Headings as items of the same list, now and then."""

    def draw(record: Record) -> str:
        title, *rest = _values(record)
        return f"<li class=entry><a href=#>{title}</a><div>{' / '.join(v for v in rest if v)}</div></li>"

    drawn = _rows(records, draw)
    places = sorted(random.sample(range(1, len(drawn)), 3))
    for shift, place in enumerate(places):
        drawn.insert(place + shift, f"<li class=head><h3>Part {shift}</h3></li>")
    return f"<ul class=all>{''.join(drawn)}</ul>"


def labelled(records: list[Record], _: Random) -> str:
    def draw(record: Record) -> str:
        pairs = "".join(
            f"<div><span>{escape(name)}:</span> <span>{escape(value)}</span></div>"
            for name, value in record
            if value
        )
        return f"<div class=record>{pairs}</div>"

    return f"<div class=records>{''.join(_rows(records, draw))}</div>"


def tagged(records: list[Record], random: Random) -> str:
    """Each row has a list of its own."""

    def draw(record: Record) -> str:
        title, *rest = _values(record)
        tags = "".join(f"<li>{word}</li>" for word in random.sample(_WORDS, random.randint(1, 5)))
        fields = "".join(f"<div class=v{n}>{v}</div>" for n, v in enumerate(rest) if v)
        return f"<article><h2>{title}</h2>{fields}<ul class=tags>{tags}</ul></article>"

    return f"<section>{''.join(_rows(records, draw))}</section>"


_WORDS = ["new", "sale", "used", "top", "green", "fast", "quiet", "small", "large", "rare"]


def with_ads(records: list[Record], random: Random) -> str:
    def draw(record: Record) -> str:
        title, *rest = _values(record)
        fields = "".join(f"<span>{v}</span>" for v in rest if v)
        return f'<article class="hit"><h3>{title}</h3><div class="meta">{fields}</div></article>'

    drawn = _rows(records, draw)
    for place in random.sample(range(2, len(drawn)), 2):
        drawn.insert(
            place, '<div class="ad"><iframe width=300 height=60></iframe>Advertisement</div>'
        )
    return f"<div>{''.join(drawn)}</div>"


def lines(records: list[Record], _: Random) -> str:
    """Nothing but inline elements and line breaks."""

    def draw(record: Record) -> str:
        title, *rest = _values(record)
        return f"<a href=#>{title}</a> <span>{', '.join(v for v in rest if v) or '-'}</span><br>"

    return f"<div class=text>{''.join(_rows(records, draw))}</div>"


def utility(records: list[Record], random: Random) -> str:
    """Utility classes that differ from row to row, and wrappers around everything."""

    def draw(record: Record) -> str:
        title, *rest = _values(record)
        extra = random.choice(["", " bg-gray-50", " bg-yellow-50 ring-1", " opacity-90"])
        fields = "".join(
            f'<div class="text-sm text-gray-{n}00">{v}</div>' for n, v in enumerate(rest) if v
        )
        badge = '<span class="badge px-1">New</span>' if random.random() < 0.3 else ""
        return (
            f'<div class="p-4 flex{extra}"><div class="w-16"><img src=x width=60 height=40></div>'
            f'<div class="flex-1"><div class="flex"><a class="font-bold" href="#">{title}</a>{badge}</div>{fields}</div></div>'
        )

    return f'<div class="mx-auto"><div class="divide-y">{"".join(_rows(records, draw))}</div></div>'


def roles(records: list[Record], _: Random) -> str:
    def draw(record: Record) -> str:
        title, *rest = _values(record)
        fields = "".join(f"<x-field>{v}</x-field>" for v in rest if v)
        return f"<x-item role=listitem><a href=#>{title}</a>{fields}</x-item>"

    return f"<x-list role=list>{''.join(_rows(records, draw))}</x-list>"


def wrapped_links(records: list[Record], _: Random) -> str:
    """The whole card is a link, each in a wrapper."""

    def draw(record: Record) -> str:
        title, *rest = _values(record)
        fields = "".join(f"<small>{v}</small>" for v in rest if v)
        return f'<div><a href="#"><div><span>{title}</span></div><div>{fields}</div></a></div>'

    return f"<div><div>{''.join(_rows(records, draw))}</div></div>"


def tables_of_one(records: list[Record], _: Random) -> str:
    """A small table for each record, with names in the first column."""

    def draw(record: Record) -> str:
        rows = "".join(
            f"<tr><th align=left>{escape(name)}</th><td>{escape(value)}</td></tr>"
            for name, value in record
            if value
        )
        return f"<table class=one>{rows}</table>"

    return f"<center>{''.join(_rows(records, draw))}</center>"


SEEN: dict[str, Template] = {
    each.__name__: each
    for each in (table, cards, soup, definitions, two_lines, grid, groups, labelled, tagged, lines)
}
UNSEEN: dict[str, Template] = {
    each.__name__: each
    for each in (
        old_table,
        items,
        flat,
        table_grid,
        headed,
        with_ads,
        utility,
        roles,
        wrapped_links,
        tables_of_one,
    )
}
