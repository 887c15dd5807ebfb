"""Lists as sites write them, in more kinds of markup, among what else stands on such pages.

Each function gives the markup of the same vessels; what is no part of a row says "between".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Vessel(NamedTuple):
    name: str
    built: str
    port: str
    about: str


_NAMES = [
    "Heron",
    "Petrel",
    "Gannet",
    "Curlew",
    "Plover",
    "Dunlin",
    "Osprey",
    "Avocet",
    "Godwit",
    "Turnstone",
    "Redshank",
]
_PORTS = ["Leith", "Hull", "Cork", "", "Brest", "Vigo", "Bergen", "", "Gdansk", "Ghent", "Porto"]
_WORDS = [
    "A",
    "sound",
    "vessel",
    "that",
    "was",
    "refitted",
    "twice",
    "and",
    "has",
    "carried",
    "timber,",
    "salt",
    "and",
    "grain",
    "since",
    "then",
]
VESSELS = [
    Vessel(name, str(1890 + 7 * n), port, " ".join(_WORDS[: 5 + n]))
    for n, (name, port) in enumerate(zip(_NAMES, _PORTS, strict=True))
]


def _fields(vessel: Vessel, form: str) -> str:
    """What is known of it besides the name, each in a form with {}."""
    return "".join(form.format(each) for each in vessel[1:] if each)


def separated() -> str:
    """Rules and clearing elements between the rows."""
    rows = [
        f"<div class=post><h2><a href=#>{v.name}</a></h2>{_fields(v, '<span>{}</span> ')}</div>"
        for v in VESSELS
    ]
    return "<div>" + "<div class=clear></div><hr>".join(rows) + "</div>"


def sponsored() -> str:
    """The first rows have more in them than the others."""
    more = "<em>Sponsored</em><ul><li><a href=#>Shop</a></li><li><a href=#>News</a></li></ul>"
    rows = "".join(
        f"<div class='hit {'top' if n < 2 else ''}'><h3><a href=#>{v.name}</a></h3><cite>{v.built} {v.port}</cite><p>{v.about}</p>{more if n < 2 else ''}</div>"
        for n, v in enumerate(VESSELS)
    )
    return f"<div id=results>{rows}</div>"


def posts() -> str:
    """Paragraphs and tags, of which each row has another number."""
    rows = ""
    for n, v in enumerate(VESSELS):
        paragraphs = "".join(f"<p>{v.about} {k}.</p>" for k in range(1 + n % 4))
        tags = " ".join(f"<a href=#>tag {n} {k}</a>" for k in range(1 + n % 3))
        rows += f"<article class='entry post-{n}'><header><h2><a href=#>{v.name}</a></h2><time>{v.built}</time></header>{paragraphs}<footer>Tags: {tags}</footer></article>"
    return f"<main>{rows}</main>"


def ruled_table() -> str:
    """A rule in a line of its own below each row, and headings now and then."""
    rows = ""
    for n, v in enumerate(VESSELS):
        rows += "<tr><td colspan=4><b>between parts</b></td></tr>" * (n in (4, 8))
        rows += f"<tr><td>{v.name}</td><td>{v.built}</td><td>{v.port}</td><td><a href=#>{v.about}</a></td></tr><tr><td colspan=4><hr></td></tr>"
    return f"<table><tr><th>Name</th><th>Built</th><th>Port</th><th>About</th></tr>{rows}</table>"


def grouped_table() -> str:
    rows = ""
    for n, v in enumerate(VESSELS):
        rows += f"<tr class=group><td colspan=4><b>between {n}</b></td></tr>" * (n % 5 == 0)
        rows += f"<tr><td>{v.name}</td><td>{v.built}</td><td>{v.port}</td><td>{v.about}</td></tr>"
    return f"<table><caption>All</caption>{rows}</table>"


def shop_table() -> str:
    """Tables for layout: a picture, words, a price, and coloured lines between."""
    rows = "".join(
        f"<tr><td><a href=#><img src=x width=80 height=60></a></td><td><a href=#><b>{v.name}</b></a><br>{_fields(v, '<font size=2>{}</font><br>')}</td><td><b>${v.built}</b><br><input type=button value=Buy></td></tr><tr><td colspan=3 height=1 bgcolor=#ccc></td></tr>"
        for v in VESSELS
    )
    return f"<table width=100%>{rows}</table>"


def table_each() -> str:
    return "<br>".join(
        f"<table width=100%><tr><td rowspan=4><img src=x width=50 height=50></td><td><a href=#>{v.name}</a></td></tr>{_fields(v, '<tr><td>{}</td></tr>')}</table>"
        for v in VESSELS
    )


def products() -> str:
    rows = ""
    for n, v in enumerate(VESSELS):
        old = "<del>$9,000</del>" * (n % 3 == 0)
        stars = f"<div class=stars>{'<i>*</i>' * (1 + n % 5)}<span>({n})</span></div>" * (
            n % 4 != 1
        )
        rows += f"<li class='product{' sale' if old else ''}'><a href=#><img src=x width=150 height=120></a><h3><a href=#>{v.name}</a></h3>{stars}<div class=price>{old}<ins>${v.built}</ins></div><button>Add</button></li>"
    return f"<ul class=products style='display:flex;flex-wrap:wrap'>{rows}</ul>"


def named_fields() -> str:
    rows = "".join(
        f"<section><h4>{v.name}</h4><dl><dt>Built</dt><dd>{v.built}</dd>"
        + f"<dt>Port</dt><dd>{v.port}</dd>" * bool(v.port)
        + f"<dt>About</dt><dd>{v.about}</dd></dl></section>"
        for v in VESSELS
    )
    return f"<div>{rows}</div>"


def bare_cells() -> str:
    """Cells below each other, with nothing around a row."""
    rows = "".join(
        f"<div class=name>{v.name}</div><div class=built>{v.built}</div>"
        + f"<div class=port>{v.port}</div>" * bool(v.port)
        + f"<div class=about>{v.about}</div>"
        for v in VESSELS
    )
    return f"<div>{rows}</div>"


def bare_lines() -> str:
    rows = "<hr>".join(f"<b>{v.name}</b><br>{v.built}<br>{v.about}<br>" for v in VESSELS)
    return f"<div>{rows}</div>"


def citations() -> str:
    return "<h3>Papers</h3>" + "".join(
        f"<p><a href=#>{v.name}</a>, <i>{v.built} {v.about}</i>. [<a href=#>pdf</a>]{' [<a href=#>bib</a>]' * (n % 3 > 0)}</p>"
        for n, v in enumerate(VESSELS)
    )


def block_table() -> str:
    """A table of div elements, with a header."""
    head = "<div class='line head'><div>Name</div><div>Built</div><div>between</div></div>"
    rows = "".join(
        f"<div class=line><div>{v.name}</div><div>{v.built}</div><div>{v.port or '&nbsp;'}</div></div>"
        for v in VESSELS
    )
    return f"<style>.line{{display:flex}}.line div{{width:30%}}</style><div>{head}{rows}</div>"


def columns_of_cards() -> str:
    cards = [
        f"<div style='width:33%'><div class='card'><img src=x width=200 height=90><div><h5>{v.name}</h5>{_fields(v, '<p>{}</p>')}<a href=#>Go</a></div></div></div>"
        for v in VESSELS
    ]
    lines = [cards[at : at + 3] for at in range(0, len(cards), 3)]
    return "".join(f"<div class=row style='display:flex'>{''.join(line)}</div>" for line in lines)


def lists_in_rows() -> str:
    rows = ""
    for n, v in enumerate(VESSELS):
        tags = "".join(f"<li class=tag>tag {n} {k}</li>" for k in range(n % 4))
        rows += f"<li class='job{' new' if n % 3 == 0 else ''}'><div><h3>{v.name}</h3><span>{n} d</span></div><ul class=facts>{_fields(v, '<li class=fact>{}</li>')}</ul>{f'<ul class=tags>{tags}</ul>' if tags else ''}</li>"
    return f"<ul class=jobs>{rows}</ul>"


def days() -> str:
    rows = ""
    for n, v in enumerate(VESSELS):
        rows += f"<h3>between days {n}</h3>" * (n % 4 == 0)
        rows += (
            f"<div class=event><b>{v.name}</b> <span>{v.built}</span> <span>{v.about}</span></div>"
        )
    return f"<div>{rows}</div>"


LISTS: dict[str, Callable[[], str]] = {
    each.__name__: each
    for each in (
        separated,
        sponsored,
        posts,
        ruled_table,
        grouped_table,
        shop_table,
        table_each,
        products,
        named_fields,
        bare_cells,
        bare_lines,
        citations,
        block_table,
        columns_of_cards,
        lists_in_rows,
        days,
    )
}


def _links(count: int, word: str) -> str:
    return "".join(f"<li><a href=#>{word} {n}</a></li>" for n in range(count))


def among_furniture(listed: str) -> str:
    """A page with a menu, filters, a list at the side, page numbers, proposals and a footer."""
    minis = "".join(
        f"<div class=mini><img src=x width=40 height=40><a href=#>Story {n} of this week</a> <i>{n} June</i></div>"
        for n in range(6)
    )
    filters = "".join(
        f"<label><input type=checkbox> Kind {n} <span>({n * 3})</span></label><br>"
        for n in range(7)
    )
    related = "".join(
        f"<div style='width:150px'><img src=x width=120 height=80><a href=#>Also {n}</a></div>"
        for n in range(4)
    )
    foot = "".join(
        f"<div style='float:left;width:20%'><h6>Part {n}</h6><ul>{_links(6, 'Link')}</ul></div>"
        for n in range(4)
    )
    return (
        f"<ul>{_links(7, 'Topic')}</ul><div style='display:flex'><div style='width:240px'><form>{filters}</form>{minis}</div>"
        f"<div style='flex:1'><h1>All vessels</h1><p>Sorted by name. There are many of them here.</p>{listed}"
        f"<div>{''.join(f'<a href=#>{n}</a> ' for n in range(1, 9))}</div></div></div>"
        f"<div style='display:flex'>{related}</div><div id=foot>{foot}</div>"
    )
