"""Differences between pages as lines for people: which node, what was, what is. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from webgeist.page.compare import KINDS, STATE
from webgeist.page.model import ELEMENT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webgeist.page.compare import Change, Difference
    from webgeist.page.model import Page

_SHOWN = 80  # characters of a text
_PROPERTIES = 3  # of a style in one line


@dataclass(frozen=True)
class NodeDifference:
    """`what` is removed, added or one of `KINDS`; the node's path is that on its own page."""

    what: str
    path: str
    before: str | None
    after: str | None

    def __str__(self) -> str:
        told = [text for text in (self.before, self.after) if text is not None]
        return f"{self.what} {self.path}: {' → '.join(told)}"


def tell(difference: Difference, before: Page, after: Page, most: int = 10) -> list[NodeDifference]:
    """The first differences, those first that say most: whole subtrees, texts … boxes at last."""
    lines: list[NodeDifference] = []
    for line in _lines(difference, before, after):
        if len(lines) == most:
            break
        lines.append(line)
    return lines


def _lines(difference: Difference, before: Page, after: Page) -> Iterator[NodeDifference]:
    for node in _roots(difference.removed, before):
        yield NodeDifference("removed", path(before, node), _subtree(before, node), None)
    for node in _roots(difference.added, after):
        yield NodeDifference("added", path(after, node), None, _subtree(after, node))
    for kind in KINDS:
        for change in difference.changed:
            if kind in change.kinds:
                told = _told(kind, change, before, after)
                yield NodeDifference(kind, path(after, change.after), *told)


def _roots(nodes: tuple[int, ...], page: Page) -> Iterator[int]:
    """The nodes that are not below another one of them."""
    end = 0
    for node in nodes:
        if node >= end:
            yield node
            end = int(page.end[node])


def _subtree(page: Page, node: int) -> str:
    size = int(page.end[node]) - node
    text = page.text(node) if page.type[node] == ELEMENT else page.texts[node] or ""
    return f"{size:,} node{'s' if size > 1 else ''}{f' “{_short(text)}”' if text.strip() else ''}"


def path(page: Page, node: int) -> str:
    """Where a node is, as in html/body/div#main/p[2]; numbers only among siblings of one name."""
    steps = [_step(page, node)]
    while (node := int(page.parent[node])) > 0:  # the page's own document goes without saying
        steps.append(_step(page, node))
    return "/".join(reversed(steps))


def _step(page: Page, node: int) -> str:
    name = page.names[node]
    if id_ := page.attributes(node).get("id"):
        return f"{name}#{_short(id_)}"
    beside = (page.parent == page.parent[node]) & (page.type == page.type[node])
    same = [other for other in np.flatnonzero(beside).tolist() if page.names[other] == name]
    return f"{name}[{same.index(node) + 1}]" if len(same) > 1 else name


def _told(kind: str, change: Change, before: Page, after: Page) -> tuple[str, str]:
    match kind:
        case "text":
            return _texts(before, change.before), _texts(after, change.after)
        case "box":
            return _box(before, change.before), _box(after, change.after)
        case "attributes":
            values = before.attributes(change.before), after.attributes(change.after)
        case "style":
            values = before.style(change.before), after.style(change.after)
        case _:
            values = _state(before, change.before), _state(after, change.after)
    return _unequal(*values), _unequal(*reversed(values))


def _texts(page: Page, node: int) -> str:
    rendered: str | None = page.nodes["rendered_text"][node].as_py()
    return _short(rendered or page.texts[node] or "")


def _box(page: Page, node: int) -> str:
    x, y, width, height = (round(float(side), 2) for side in page.boxes[node])
    return "no box" if np.isnan(x) else f"{width:g}x{height:g} at {x:g},{y:g}"


def _state(page: Page, node: int) -> dict[str, str]:
    row = page.nodes.slice(node, 1).select(list(STATE)).to_pylist()[0]
    return {name: str(value) for name, value in row.items() if value not in (None, False)}


def _unequal(values: dict[str, str], others: dict[str, str]) -> str:
    """What of `values` the others have not, or not so."""
    told = [f"{name}={_short(v)}" for name, v in values.items() if others.get(name) != v]
    return ", ".join(told[:_PROPERTIES]) + (" …" if len(told) > _PROPERTIES else "") or "none"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
