"""The visual hierarchy: the blocks that a person sees, each inside the one that it lies in.

After Webzeitgeist (Kumar et al. 2013, "Feature Post-processes"): nodes that add nothing to the
picture are dropped, and the others hang below what visually contains them, which need not be an
ancestor. The paper tells no more of it; which nodes count, and how overlays are treated, is ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from webgeist.page.painting import painting
from webgeist.page.sketch import KINDS, Kind, Sketch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webgeist.page.model import Page

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.floating]
    Ints = NDArray[np.integer]


__all__ = ["Hierarchy", "Kind", "hierarchy"]


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """The blocks of a page: those below block b are `range(b + 1, end[b])`. Block 0 is the page.

    `node` is the node that a block shows, `also` tells of further nodes (block, node) with the same
    box that were joined with it. Boxes are left, top, right, bottom, cut to what is seen.
    """

    node: Ints
    parent: Ints
    end: Ints
    depth: Ints
    order: Ints  # among its siblings
    kind: NDArray[np.uint8]
    box: Floats
    also: Ints  # pairs, sorted
    owner: Ints  # for each node of the page: the innermost block that shows it, or -1
    paints: Bools  # for each node of the page: whether it shows something that can be seen

    def __len__(self) -> int:
        return len(self.node)

    def kinds(self) -> list[Kind]:
        return [KINDS[number] for number in self.kind]


def hierarchy(page: Page) -> Hierarchy:
    """The visual hierarchy of a page. One that shows nothing at all has no blocks."""
    painted = painting(page)
    roots = np.flatnonzero(page.named("html") & (page.document == 0) & ~np.isnan(page.boxes[:, 0]))
    if not len(roots) or page.documents[0].width <= 0 or page.documents[0].height <= 0:
        return _empty(len(page))
    sketch = Sketch(page, painted, int(roots[0]))
    sketch.join_wrappers()
    sketch.settle()
    return _numbered(page, sketch)


def _numbered(page: Page, sketch: Sketch) -> Hierarchy:
    """The blocks in the order of a walk: a block, then what is in it by its place in the page."""
    nodes = np.flatnonzero(sketch.kept)
    node, parent, depth = _walk(nodes, sketch.parent, sketch.root)
    place = np.full(len(page) + 1, -1, np.int32)
    place[node] = np.arange(len(node), dtype=np.int32)
    parents = np.where(parent >= 0, place[parent], -1).astype(np.int32)
    joined = _final(sketch.joined, sketch.kept)
    pairs = np.flatnonzero(joined >= 0)
    also = np.column_stack([place[joined[pairs]], pairs]).astype(np.int32)
    return Hierarchy(
        node=node,
        parent=parents,
        end=_ends(depth),
        depth=depth,
        order=_sibling_order(parents),
        kind=sketch.kind[node],
        box=sketch.box[node],
        also=also[np.lexsort(also.T[::-1])],
        owner=_owners(page, sketch, place, joined),
        paints=sketch.paints,
    )


def _walk(nodes: Ints, parent: Ints, root: int) -> tuple[Ints, Ints, Ints]:
    below: dict[int, list[int]] = {}
    for node in nodes.tolist():
        if node != root:
            below.setdefault(int(parent[node]), []).append(node)
    found: list[tuple[int, int, int]] = []
    waiting = [(root, -1, 0)]
    while waiting:
        node, above, depth = waiting.pop()
        found.append((node, above, depth))
        waiting += [(child, node, depth + 1) for child in reversed(below.get(node, ()))]
    columns = np.array(found, np.int32).reshape(-1, 3)
    return columns[:, 0].copy(), columns[:, 1].copy(), columns[:, 2].copy()


def _ends(depth: Ints) -> Ints:
    """One past the last block below each: where the next one stands that is no deeper."""
    ends = np.full(len(depth), len(depth), np.int32)
    open_: list[int] = []
    for block, level in enumerate(depth.tolist()):
        while open_ and depth[open_[-1]] >= level:
            ends[open_.pop()] = block
        open_.append(block)
    return ends


def _sibling_order(parent: Ints) -> Ints:
    seen: dict[int, int] = {}
    order = []
    for above in parent.tolist():
        order.append(seen.get(above, 0))
        seen[above] = order[-1] + 1
    return np.array(order, np.int32)


def _final(joined: Ints, kept: Bools) -> Ints:
    """Where chains of joined nodes end; -1 for those that were dropped there."""
    final = joined.copy()
    while len(more := np.flatnonzero((final >= 0) & ~kept[final])):
        final[more] = joined[final[more]]
    return final


def _owners(page: Page, sketch: Sketch, place: Ints, joined: Ints) -> Ints:
    """Each node's own block, the one it was joined with, or that of its nearest ancestor."""
    owner = np.where(sketch.kept, place[:-1], np.where(joined >= 0, place[joined], -1))
    owner = np.append(owner, -1).astype(np.int32)
    for nodes in page.levels:
        owner[nodes] = np.where(owner[nodes] >= 0, owner[nodes], owner[page.parent[nodes]])
    return owner[:-1]


def _empty(nodes: int) -> Hierarchy:
    none = np.zeros(0, np.int32)
    return Hierarchy(
        node=none,
        parent=none,
        end=none,
        depth=none,
        order=none,
        kind=np.zeros(0, np.uint8),
        box=np.zeros((0, 4), np.float32),
        also=np.zeros((0, 2), np.int32),
        owner=np.full(nodes, -1, np.int32),
        paints=np.zeros(nodes, bool),
    )
