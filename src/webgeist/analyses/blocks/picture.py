"""A learned tree as a picture (SVG), as in figure 6 of the BERyL paper: questions are boxes, left
is yes, leaves say how likely the block type is and from how many examples that was learned.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webgeist.analyses.blocks.model import Model, Tree

_DEEPEST = 6  # levels that are drawn; below, a leaf stands for all that is left out
_WIDTH, _HEIGHT, _GAP = 170, 34, 46
_LETTERS = 26  # of a feature's name in a box


@dataclass
class _Box:
    """A node of the tree, with the middle of its box."""

    node: int
    depth: int
    x: float
    children: tuple[_Box, ...] = ()


def draw(model: Model, number: int = 0) -> str:
    """One tree of a model. Whatever names its features have, the picture holds no script."""
    tree = model.trees[number]
    free = [0.0]
    root = _place(tree, 0, 0, free)
    boxes = list(_all(root))
    width = free[0] * (_WIDTH + 12) + 12
    height = (max(box.depth for box in boxes) + 1) * (_HEIGHT + _GAP)
    shapes = "".join(_lines(box) for box in boxes)
    shapes += "".join(_box(model, tree, box) for box in boxes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
        f'viewBox="0 0 {width:.0f} {height}" font-family="sans-serif" font-size="11">'
        f"<title>{escape(model.block_type)}</title>{shapes}</svg>\n"
    )


def _place(tree: Tree, node: int, depth: int, free: list[float]) -> _Box:
    """Leaves stand side by side, each question above the middle of its answers."""
    if tree.feature[node] < 0 or depth >= _DEEPEST:
        free[0] += 1
        return _Box(node, depth, (free[0] - 0.5) * (_WIDTH + 12) + 6)
    children = tuple(
        _place(tree, child, depth + 1, free) for child in (tree.left[node], tree.right[node])
    )
    return _Box(node, depth, sum(child.x for child in children) / 2, children)


def _all(box: _Box) -> list[_Box]:
    return [box, *(each for child in box.children for each in _all(child))]


def _top(box: _Box) -> int:
    return box.depth * (_HEIGHT + _GAP) + 6


def _lines(box: _Box) -> str:
    drawn = ""
    for answer, child in zip(("yes", "no"), box.children, strict=False):
        start, end = _top(box) + _HEIGHT, _top(child)
        middle = (box.x + child.x) / 2
        drawn += (
            f'<line x1="{box.x:.1f}" y1="{start}" x2="{child.x:.1f}" y2="{end}" stroke="#666"/>'
        )
        drawn += f'<text x="{middle:.1f}" y="{(start + end) // 2}" fill="#666">{answer}</text>'
    return drawn


def _box(model: Model, tree: Tree, box: _Box) -> str:
    share, rows = tree.value[box.node], tree.rows[box.node]
    if box.children:
        name = model.features[tree.feature[box.node]]
        shown = name if len(name) <= _LETTERS else name[: _LETTERS - 1] + "…"
        words, whole, colour = f"{shown} ≤ {tree.threshold[box.node]:g}?", name, "#eef"
    else:
        words, whole = f"{share:.2f} of {rows}", f"{share:.4f} of {rows} examples"
        colour = "#cfc" if share >= 0.5 else "#fdd"
    left, top = box.x - _WIDTH / 2, _top(box)
    return (
        f'<g><title>{escape(whole)}</title><rect x="{left:.1f}" y="{top}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" rx="4" fill="{colour}" stroke="#333"/><text x="{box.x:.1f}" '
        f'y="{top + 21}" text-anchor="middle">{escape(words)}</text></g>'
    )
