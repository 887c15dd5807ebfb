"""The map of a site: its pages as a tree, and the forms in which it is shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webgeist.analyses.menus.result import Mined, Site

MOST_LOCATIONS = 50_000  # that one sitemap.xml may have, by its standard
_MOST_BRANCHES = 12  # of a place in a picture; the rest is counted
_DEEPEST = 3  # level of a picture
_ROW, _STEP, _WIDTH = 22, 28, 760  # pixels
_LONGEST = 72  # characters of a name


@dataclass(eq=False)
class Branch:
    """A place on the map, with the places below it."""

    text: str
    url: str
    page: bool = False  # whether the page itself was brought
    below: dict[str, Branch] = field(default_factory=dict)

    def count(self) -> int:
        """Pages at and below this place."""
        return self.page + sum(each.count() for each in self.below.values())


def site_tree(mined: Mined, site: Site) -> Branch:
    """The pages of a site by their places: menus' items in the order of the menus first."""
    first = mined.places[site.pages[0]][0] if site.pages else None
    root = Branch(first.text if first else site.entry, site.entry)
    for menu in mined.menus:
        if menu.site == site.id:
            for item in menu.items:
                if item.url in mined.places:
                    _grow(root, mined, item.url)
    for url in site.pages:
        _grow(root, mined, url).page = True
    return root


def _grow(root: Branch, mined: Mined, url: str) -> Branch:
    """The branch of a page; those above it are made where they are missing."""
    at = root
    for crumb in mined.places[url][1:]:
        if crumb.url not in at.below:
            at.below[crumb.url] = Branch(crumb.text, crumb.url)
        at = at.below[crumb.url]
    return at


# --- forms -------------------------------------------------------------------------------------


def tree_json(branch: Branch) -> dict[str, Any]:
    below = [tree_json(each) for each in branch.below.values()]
    return {"text": branch.text, "url": branch.url, "pages": branch.count(), "below": below}


def tree_lines(branch: Branch) -> list[str]:
    """The map for people, a place in a line."""
    return ["  " * depth + text for depth, text, _ in _rows(branch)]


def sitemap_xml(mined: Mined, sites: Sequence[Site]) -> str:
    """All pages of sites as a sitemap.xml (sitemaps.org); the higher a page, the more it counts."""
    urls = [url for site in sites for url in site.pages][:MOST_LOCATIONS]
    rows = [
        f"  <url><loc>{escape(url)}</loc><priority>{_priority(mined, url):.1f}</priority></url>"
        for url in urls
    ]
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    head = ['<?xml version="1.0" encoding="UTF-8"?>', f'<urlset xmlns="{space}">']
    return "\n".join([*head, *rows, "</urlset>", ""])


def _priority(mined: Mined, url: str) -> float:
    return max(0.1, 1.0 - 0.2 * (len(mined.places.get(url, ())) - 1))


def mermaid(trees: Sequence[Branch]) -> str:
    """The maps as one Mermaid flowchart."""
    lines = ["flowchart LR"]
    above: list[str] = []
    for number, (depth, text, _) in enumerate(row for tree in trees for row in _rows(tree)):
        del above[depth:]
        above.append(f"n{number}")
        lines.append(f'  n{number}["{_quoted(text)}"]')
        if depth:
            lines.append(f"  {above[depth - 1]} --> n{number}")
    return "\n".join([*lines, ""])


def _quoted(text: str) -> str:
    """Mermaid's own escapes begin with #."""
    text = text.replace("#", "#35;").replace('"', "#quot;")
    return _printable(text).replace("<", "#lt;").replace(">", "#gt;")


def svg(trees: Sequence[Branch]) -> str:
    """The maps as a picture: places below each other, lines from each to what it belongs to."""
    rows = [row for tree in trees for row in _rows(tree)]
    height = _ROW * (len(rows) + 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}"',
        ' font-family="sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
    ]
    last: dict[int, int] = {}
    for number, (depth, text, strong) in enumerate(rows):
        y = _ROW * (number + 1)
        parts.extend(_svg_row(depth, y, text, strong=strong, above=last.get(depth - 1)))
        last[depth] = y
    return "\n".join([*parts, "</svg>", ""])


def _svg_row(depth: int, y: int, text: str, *, strong: bool, above: int | None) -> Iterator[str]:
    x = 16 + _STEP * depth
    if depth and above is not None:
        line = f"M{x - _STEP + 4} {above + 4}V{y}H{x - 6}"
        yield f'<path d="{line}" fill="none" stroke="#9aa4b2"/>'
    weight = ' font-weight="bold"' if strong else ""
    yield f'<circle cx="{x}" cy="{y}" r="4" fill="{"#1f5fbf" if strong else "#7c8796"}"/>'
    yield f'<text x="{x + 10}" y="{y + 4}" fill="#1b1f24"{weight}>{escape(_printable(text))}</text>'


def _printable(text: str) -> str:
    """XML knows no control characters, however they are written."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _rows(branch: Branch, depth: int = 0) -> Iterator[tuple[int, str, bool]]:
    """Depth, words, and whether there is more below, for each place that is shown."""
    count = branch.count()
    name = " ".join(branch.text.split()) or branch.url
    name = name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
    below = list(branch.below.values())
    yield depth, f"{name} ({count:,})" if below and count else name, bool(below)
    if depth == _DEEPEST:
        return
    shown = below[:_MOST_BRANCHES]
    for each in shown:
        yield from _rows(each, depth + 1)
    if len(below) > len(shown):
        rest = sum(each.count() for each in below[_MOST_BRANCHES:])
        yield depth + 1, f"… and {len(below) - len(shown):,} more ({rest:,} pages)", False
