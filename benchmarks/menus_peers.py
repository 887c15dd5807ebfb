"""Other ways to divide a host: trivial ones, folders, and clustering."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webgeist.analyses.menus.tree import LinkTree

_DIMENSIONS = 256  # that words and links are hashed to, for k-means
_ROUNDS = 8
Floats = NDArray[np.float32]


def one(trees: Sequence[LinkTree]) -> list[str]:
    """Everything is one site."""
    return [""] * len(trees)


def folder(trees: Sequence[LinkTree], depth: int) -> list[str]:
    """By the first folders of the address."""
    return ["/".join(urlsplit(tree.url).path.split("/")[: depth + 1]) for tree in trees]


def by_links(trees: Sequence[LinkTree], clusters: int) -> list[int]:
    """Bisecting k-means over what pages link to."""
    return bisecting((_links(tree) for tree in trees), clusters)


def by_words(trees: Sequence[LinkTree], clusters: int) -> list[int]:
    """Bisecting k-means over the words of addresses."""
    return bisecting((re.split(r"[./]", tree.url) for tree in trees), clusters)


def _links(tree: LinkTree) -> list[str]:
    return [link.url for link in tree.links.values() if link.url]


def bisecting(bags: Iterable[Iterable[str]], clusters: int) -> list[int]:
    """The largest cluster is split in two until there are enough."""
    vectors = _hashed(bags)
    labels = np.zeros(len(vectors), dtype=np.int64)
    chance = np.random.default_rng(1)
    while labels.max() + 1 < clusters:
        largest = int(np.bincount(labels).argmax())
        members = np.flatnonzero(labels == largest)
        second = _second_half(vectors[members], chance)
        if not 0 < second.sum() < len(members):
            break
        labels[members[second]] = labels.max() + 1
    found: list[int] = labels.tolist()
    return found


def _hashed(bags: Iterable[Iterable[str]]) -> Floats:
    rows = []
    for bag in bags:
        row = np.zeros(_DIMENSIONS, dtype=np.float32)
        for word in set(bag):
            seed = np.frombuffer(word.encode()[-64:].rjust(8, b"."), np.uint8).astype(np.uint64)
            row[
                int((seed * np.arange(1, len(seed) + 1, dtype=np.uint64) ** 3).sum()) % _DIMENSIONS
            ] += 1
        rows.append(row / (np.linalg.norm(row) or 1))
    return np.array(rows, dtype=np.float32)


def _second_half(vectors: Floats, chance: np.random.Generator) -> NDArray[np.bool_]:
    centres = vectors[chance.choice(len(vectors), 2, replace=False)]
    nearest = np.zeros(len(vectors), dtype=np.int64)
    for _ in range(_ROUNDS):
        nearest = (vectors @ centres.T).argmax(axis=1)
        if not 0 < nearest.sum() < len(nearest):
            break
        centres = np.array([vectors[nearest == n].mean(axis=0) for n in (0, 1)])
        centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    second: NDArray[np.bool_] = nearest == 1
    return second
