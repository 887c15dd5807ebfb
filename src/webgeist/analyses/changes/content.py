"""Where a page's content is: the part that holds its prose, whatever its tags are called. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webgeist.page.model import Page

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.floating]
    Ints = NDArray[np.integer]

_SENTENCE = 8  # words: what has fewer is a label or a heading
_LINKED = 0.5  # share of letters in links above which words lead away rather than tell
_LITTLE = 100  # words of prose, from which labels say nothing about where the content is
_SHARES = (0.96, 0.8, 0.5)  # of the prose that each nested region holds


def prose(words: Ints, linked: Floats, boilerplate: Bools) -> Floats:
    """How many words of each passage speak for content: sentences outside of links; a tenth of
    them where the markup says that this is a menu, a footer, an ad or a consent banner. Where few
    sentences are left, as on a page of a shop, labels and numbers speak too.
    """
    unlinked = np.where(linked < _LINKED, words, 0).astype(float)
    unlinked *= np.where(boilerplate, 0.1, 1.0)
    told = np.where(words >= _SENTENCE, unlinked, 0.0)
    lacking = max(0.0, 1.0 - float(told.sum()) / _LITTLE)
    return told + lacking * (unlinked - told)


def regions(page: Page, nodes: Ints, amount: Floats) -> list[tuple[int, int]]:
    """Nested regions of content as runs of nodes (first, last): the deepest subtrees that hold
    nearly all, most, and half of the prose. `nodes` are the passages' (sorted), `amount` the prose.
    """
    total = float(amount.sum())
    if total <= 0:
        return [(0, len(page))] * len(_SHARES)
    sums = np.concatenate([[0.0], np.cumsum(amount)])
    below = (
        sums[np.searchsorted(nodes, page.end)] - sums[np.searchsorted(nodes, np.arange(len(page)))]
    )
    found = []
    for share in _SHARES:
        holding = np.flatnonzero(below >= share * total)
        deepest = int(holding[-1])  # the last in document order is the deepest: each holds the next
        found.append((deepest, int(page.end[deepest])))
    return found
