# ruff: noqa: E501 - markup is easier to read in one line
"""List pages made of the records corpus: real values, in the markup and among the furniture of
sites of many kinds. Where each row is, is known.

The corpus has a folder per subject, one per site below it, and `groundtruth/` with the values.
"""

from __future__ import annotations

import html
import os
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from benchmarks.list_templates import SEEN, UNSEEN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.list_templates import Record, Template

_MOST_ROWS = 24
_FEWEST_ROWS = 8


@dataclass(frozen=True)
class ListPage:
    """A page and how it was made."""

    site: str
    template: str
    html: str
    rows: int

    @property
    def name(self) -> str:
        return f"{self.site}-{self.template}"


def corpus() -> Path:
    """The records corpus. SystemExit where it is missing."""
    folder = Path(os.environ.get("WEBGEIST_CORPORA", "corpora"), "records")
    if not (folder / "groundtruth").is_dir():
        raise SystemExit(
            f"no records corpus in {folder}: set WEBGEIST_CORPORA to its parent folder"
        )
    return folder


def list_pages(folder: Path, *, unseen: bool) -> Iterator[ListPage]:
    """Pages of every other site: those to look at while building, or those that are `unseen`.

    Both their sites and their templates differ.
    """
    sites = sorted(path.name for path in folder.glob("*/*-*") if path.is_dir())
    templates = UNSEEN if unseen else SEEN
    for number, site in enumerate(sites[unseen::2]):
        records = _records(folder, site)
        for shift in (0, 3, 6):
            names = list(templates)
            name = names[(number + shift) % len(names)]
            yield _page(site, name, templates[name], records)


def _records(folder: Path, site: str) -> list[Record]:
    """A record per page of the site; the column with the most different values is the title."""
    subject = site.partition("-")[0]
    columns = {
        path.stem.removeprefix(f"{site}-").replace("_", " "): _column(path)
        for path in sorted((folder / "groundtruth" / subject).glob(f"{site}-*.txt"))
    }
    title = max(columns, key=lambda name: len(set(columns[name].values()) - {""}))
    order = [title, *(name for name in columns if name != title)]
    found: dict[str, Record] = {}
    for page in sorted(next(iter(columns.values()))):
        record = [(name, columns[name].get(page, "")) for name in order]
        if record[0][1] and (folder / subject / site / f"{page}.htm").exists():
            found.setdefault(record[0][1], record)
    return list(found.values())


def _column(path: Path) -> dict[str, str]:
    values: dict[str, str] = {}
    for line in path.read_text("utf-8-sig").splitlines()[2:]:
        page, _, rest = line.partition("\t")
        first = rest.split("\t")[1] if "\t" in rest else ""
        text = " ".join(html.unescape(first).split())
        values[page] = "" if text == "<NULL>" else text[:200]
    return values


def _page(site: str, name: str, template: Template, records: list[Record]) -> ListPage:
    random = Random(f"{site} {name}")
    count = min(len(records), random.randint(_FEWEST_ROWS, _MOST_ROWS))
    body = _furnished(template(records[:count], random), site, random)
    title = f"{site.partition('-')[2].title()} {site.partition('-')[0]} list"
    page = f"<!doctype html><html><head><title>{title}</title><style>{_STYLE}</style></head><body>{body}</body></html>"
    return ListPage(site, name, page, count)


_STYLE = (
    "body{font:14px sans-serif;margin:0}nav li,.crumbs a,.pages a{display:inline-block;margin:4px}"
    ".side{float:left;width:180px}.main{margin-left:200px}.card,.record,article{border:1px solid #ccc;margin:6px;padding:6px}"
    ".line{display:flex}.col{width:200px;border:1px solid #ddd;margin:4px}.col span{display:block}footer div{display:inline-block;width:200px;vertical-align:top}"
    ".flex{display:flex}.one{border:1px solid #999;margin:8px}"
)


def _links(random: Random, count: int, tag: str = "li") -> str:
    return "".join(f"<{tag}><a href=#>{_phrase(random)}</a></{tag}>" for _ in range(count))


def _phrase(random: Random) -> str:
    words = (
        "home",
        "about",
        "contact",
        "news",
        "deals",
        "reviews",
        "forum",
        "help",
        "account",
        "blog",
        "jobs",
    )
    return " ".join(random.sample(words, random.randint(1, 2))).title()


def _furnished(listed: str, site: str, random: Random) -> str:
    """The list among menus, filters, page numbers, and what else stands on such pages."""
    header = f"<header><h1>{html.escape(site)}</h1><nav><ul>{_links(random, random.randint(4, 10))}</ul></nav></header>"
    side = (
        f"<div class=side><h4>Filter</h4><ul>{_links(random, random.randint(5, 14))}</ul>"
        f"<h4>Brands</h4>{''.join(f'<label><input type=checkbox> {_phrase(random)} ({n})</label><br>' for n in range(random.randint(3, 9)))}</div>"
    )
    above = "<div class=crumbs><a href=#>Home</a> &gt; <a href=#>All</a> &gt; List</div><h2>Results</h2><p>Sorted by name.</p>"
    pages = f"<div class=pages>{''.join(f'<a href=#>{n}</a>' for n in range(1, 9))}<a href=#>Next</a></div>"
    related = "".join(f"<div class=rel><a href=#>{_phrase(random)}</a></div>" for _ in range(4))
    footer = (
        "<footer>"
        + "".join(
            f"<div><h5>{_phrase(random)}</h5><ul>{_links(random, random.randint(4, 7))}</ul></div>"
            for _ in range(3)
        )
        + "<p>Copyright</p></footer>"
    )
    if random.random() < 0.3:  # a page laid out by a table
        return (
            f"{header}<table width=100%><tr><td width=180 valign=top>{side}</td>"
            f"<td valign=top>{above}{listed}{pages}</td></tr></table>{footer}"
        )
    return f"{header}{side}<div class=main>{above}{listed}{pages}<h4>Related</h4>{related}</div>{footer}"
