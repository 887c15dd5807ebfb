"""Demographics: how a repository looks as a whole, as tables that pictures are drawn from.

These are the Webzeitgeist paper's figures 5 to 7, for any repository. Each is one or several
queries; whoever wants another one writes it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from webgeist.errors import UsageError
from webgeist.query.ask import ask
from webgeist.query.schema import schema
from webgeist.repository.streaming import nearest

if TYPE_CHECKING:
    from collections.abc import Callable

    from webgeist.repository.release import Release

_CELLS = 24
_MAPS = 6  # names that have a map of their own
_ONE_EACH = "(^|[ \t\n\r\f]){}([ \t\n\r\f]|$)"  # a word in a list of words, as regular expression


class Form(StrEnum):
    """How a table is drawn."""

    COLOURS = "colours"
    BARS = "bars"
    GALLERY = "gallery"  # bars beside the pictures that their values name
    HISTOGRAM = "histogram"
    MAP = "map"


@dataclass(frozen=True)
class Panel:
    """One table, and how it is drawn. `unit` belongs to its values."""

    title: str
    form: Form
    table: pa.Table
    unit: str = ""


@dataclass(frozen=True)
class Stats:
    """What is known of one side of a repository's design."""

    name: str
    release: int
    panels: tuple[Panel, ...]

    def named(self) -> list[str]:
        """The values whose pictures belong into a gallery."""
        shown = [panel.table for panel in self.panels if panel.form is Form.GALLERY]
        return [value for table in shown for value in table.column("value").to_pylist()]


def stats(release: Release, name: str, *, limit: int = 40) -> Stats:
    """One of `NAMES`. `limit` is how many values are listed. UsageError: there is no such one, or
    the release lacks the analyses that it needs.
    """
    if name not in _MADE:
        raise UsageError(f"there are no statistics of {name[:40]}", remedy=nearest(name, _MADE))
    needed = {"layout": "@visual", "complexity": "@visual"}.get(name)
    if needed and needed not in schema(release).scopes:
        raise UsageError(f"{name} needs blocks", remedy="webgeist analyse, then webgeist publish")
    return Stats(name, release.number, tuple(_MADE[name](release, limit)))


def _table(release: Release, query: dict[str, Any]) -> pa.Table:
    return ask(release, query).table


def _colours(release: Release, limit: int) -> list[Panel]:
    text = {"$from": "@text", "$cdf": {"of": "@styles.color", "limit": limit}}
    behind = {
        "$from": "@styles",
        "$where": {"background-color": {"$alpha": {"$gt": 0}}},
        "$cdf": {"of": "background-color", "limit": limit},
    }
    return [
        Panel("Text colours, of texts", Form.COLOURS, _table(release, text)),
        Panel("Background colours, of nodes that have one", Form.COLOURS, _table(release, behind)),
    ]


def _fonts(release: Release, limit: int) -> list[Panel]:
    found = _table(release, {"$from": "@text", "$top": "@styles.font-family"})
    counts: Counter[str] = Counter()
    for row in found.to_pylist():
        counts[_first_family(row["value"])] += row["count"]
    return [Panel("First font families, of texts", Form.BARS, _counted(counts, limit))]


def _first_family(families: str) -> str:
    return families.partition(",")[0].strip().strip("\"'")


def _counted(counts: Counter[str], limit: int) -> pa.Table:
    total = max(1, counts.total())
    most = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:limit]
    return pa.table(
        {
            "value": pa.array([value for value, _ in most], pa.string()),
            "count": pa.array([count for _, count in most], pa.int64()),
            "share": pa.array([count / total for _, count in most], pa.float64()),
        }
    )


def _sizes(release: Release, _: int) -> list[Panel]:
    query = {"$from": "@text", "$histogram": {"of": "@styles.font-size", "width": 1}}
    return [Panel("Type sizes, of texts", Form.HISTOGRAM, _table(release, query), "px")]


def _cursors(release: Release, limit: int) -> list[Panel]:
    query = {"$from": "@styles", "$top": {"of": "cursor", "limit": limit}}
    return [Panel("Cursors, of nodes", Form.GALLERY, _table(release, query))]


def _tags(release: Release, limit: int) -> list[Panel]:
    query = {
        "$from": "@dom",
        "$where": {"nodeType": 1, "pseudo": None},
        "$top": {"of": "name", "limit": limit},
    }
    return [Panel("Elements", Form.BARS, _table(release, query))]


def _classes(release: Release, limit: int) -> list[Panel]:
    """Frequent names of classes, ids, and where on pages they are: the paper's figure 7."""
    panels: list[Panel] = []
    for name, title in (("class", "Class names"), ("id", "Ids")):
        words: Counter[str] = Counter()
        for row in _table(release, {"$from": "@dom", "$top": name}).to_pylist():
            for word in set(row["value"].split()):
                words[word] += row["count"]
        listed = _counted(words, limit)
        panels.append(Panel(title, Form.BARS, listed))
        frequent = listed["value"].to_pylist()[:_MAPS]
        panels += [_map(release, name, word) for word in frequent]
    return panels


def _map(release: Release, attribute: str, word: str) -> Panel:
    escaped = "".join(letter if letter.isalnum() else f"[{letter}]" for letter in word)
    escaped = escaped.replace("[\\]", "\\\\").replace("[^]", "\\^").replace("[]]", "\\]")
    where = {attribute: {"$regex": _ONE_EACH.format(escaped)}}
    query = {"$from": "@dom", "$where": where, "$heatmap": {"columns": _CELLS, "rows": _CELLS}}
    mark = "." if attribute == "class" else "#"
    return Panel(f"Where {mark}{word} is", Form.MAP, _table(release, query))


def _layout(release: Release, _: int) -> list[Panel]:
    shapes = {
        "$from": "@visual",
        "$histogram": {"of": "aspectRatio", "width": 0.25, "range": [0, 10]},
    }
    seen = {
        "$from": "@styles",
        "$where": {"opacity": {"$lt": 1}},
        "$histogram": {"of": "opacity", "width": 0.05, "range": [0, 1]},
    }
    blocks = {
        "$from": "@visual",
        "$where": {"kind": {"$ne": "box"}},
        "$heatmap": {"columns": _CELLS, "rows": _CELLS},
    }
    return [
        Panel("Width by height, of blocks", Form.HISTOGRAM, _table(release, shapes)),
        Panel("Opacity below 1, of nodes", Form.HISTOGRAM, _table(release, seen)),
        Panel("Where texts, images and controls are", Form.MAP, _table(release, blocks)),
    ]


def _complexity(release: Release, _: int) -> list[Panel]:
    panels = []
    for title, column, step in (
        ("Depth of the DOM, of pages", "depth", {"width": 1}),
        ("Depth of the visual hierarchy, of pages", "level", {"width": 1}),
        ("Nodes of the DOM, of pages", "nodes", {"bins": 40}),
        ("Blocks, of pages", "blocks", {"bins": 40}),
    ):
        query = {"$histogram": {"of": column, **step}}
        panels.append(Panel(title, Form.HISTOGRAM, _table(release, query)))
    return panels


_MADE: dict[str, Callable[[Release, int], list[Panel]]] = {
    "colours": _colours,
    "fonts": _fonts,
    "sizes": _sizes,
    "cursors": _cursors,
    "tags": _tags,
    "classes": _classes,
    "layout": _layout,
    "complexity": _complexity,
}
NAMES = tuple(_MADE)
