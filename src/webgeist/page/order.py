"""Several documents, one page: frames' documents take their place below the frame's element."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    Ints = NDArray[np.int32]


@dataclass(frozen=True)
class PageOrder:
    """All nodes of a page in document order.

    `order` says where each one stood in the concatenated documents; `owner` gives for each document
    the node of the frame that shows it (-1 for the page itself).
    """

    order: Ints
    document: Ints
    parent: Ints
    end: Ints
    depth: Ints
    owner: Ints


def merge_documents(parents: Sequence[Ints], frames: Sequence[Mapping[int, int]]) -> PageOrder:
    """Put documents together. `parents` count within each; `frames` maps a node to its document."""
    starts = np.concatenate([[0], np.cumsum([len(part) for part in parents])]).astype(np.int32)
    shown = {child for part in frames for child in part.values()}
    roots = [0, *(number for number in range(1, len(parents)) if number not in shown)]
    pieces = [
        piece for root in roots for piece in _pieces(root, [_ends(p) for p in parents], frames)
    ]
    order = np.concatenate(
        [np.arange(starts[d] + first, starts[d] + last) for d, first, last in pieces]
    ).astype(np.int32)
    document = np.repeat([d for d, _, _ in pieces], [last - first for _, first, last in pieces])
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)

    parent = np.concatenate([np.where(p >= 0, p + starts[d], -1) for d, p in enumerate(parents)])
    owner = np.full(len(parents), -1, np.int32)
    for d, part in enumerate(frames):
        for node, child in part.items():
            parent[starts[child]] = starts[d] + node
            owner[child] = place[starts[d] + node]
    parent = np.where(parent >= 0, place[parent], -1)[order].astype(np.int32)
    return PageOrder(
        order, document.astype(np.int32), parent, _ends(parent), _depths(parent), owner
    )


def _pieces(
    document: int, ends: Sequence[Ints], frames: Sequence[Mapping[int, int]]
) -> Iterator[tuple[int, int, int]]:
    """(document, first, last) runs of nodes; a frame's document follows the frame's own subtree."""
    position = 0
    for node, child in sorted(
        frames[document].items(), key=lambda item: (ends[document][item[0]], -item[0])
    ):
        cut = int(ends[document][node])
        yield document, position, cut
        yield from _pieces(child, ends, frames)
        position = cut
    yield document, position, len(ends[document])


def below(marked: NDArray[np.bool_], end: Ints) -> NDArray[np.bool_]:
    """Which nodes have a marked one above them."""
    steps = np.zeros(len(end) + 1, np.int32)
    steps[1:] += marked
    np.subtract.at(steps, end[marked], 1)
    return np.cumsum(steps[:-1]) > 0


def _ends(parent: Ints) -> Ints:
    """For nodes in document order: one past the last descendant of each."""
    ends = list(range(1, len(parent) + 1))
    above = parent.tolist()
    for node in range(len(ends) - 1, 0, -1):
        up = above[node]
        if up >= 0 and ends[up] < ends[node]:
            ends[up] = ends[node]
    return np.array(ends, np.int32)


def _depths(parent: Ints) -> Ints:
    depths: list[int] = []
    for up in parent.tolist():
        depths.append(0 if up < 0 else depths[up] + 1)
    return np.array(depths, np.int32)
