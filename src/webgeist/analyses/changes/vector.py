"""A page as 64 numbers: how far two of them are apart tells how much of the content changed. Pure.

Every word of the content, with the one before it, adds a random direction of its own (the same on
every machine): what both versions have cancels out, and what only one has is left. So one capture
can be compared with a thousand others without opening any.
"""

from __future__ import annotations

from hashlib import blake2b
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from webgeist.analyses.changes.noise import plain, steady, tokens

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webgeist.analyses.changes.portrait import Passage, Portrait

SIZE = 64
_INSIDE = 2  # of the three nested regions of content
_LINKED = 0.5
_SENTENCE = 8


def vector(page: Portrait) -> NDArray[np.float32]:
    """What is kept of a page. Zeros where it has no content."""
    amounts: dict[str, float] = {}
    for passage in page.passages:
        if weight := _weight(passage):
            _count(amounts, passage, weight)
    if not amounts:
        return np.zeros(SIZE, np.float32)
    directions = np.unpackbits(
        np.frombuffer(b"".join(_digest(words) for words in amounts), np.uint8)
    ).reshape(-1, SIZE)
    signs = directions.astype(np.float32) * 2 - 1
    return np.asarray(np.array(list(amounts.values()), np.float32) @ signs / sqrt(SIZE), np.float32)


def _weight(passage: Passage) -> float:
    """How much a passage counts: prose of the content, little of the rest of it, nothing else."""
    if passage.within < _INSIDE or passage.picture or passage.linked >= _LINKED:
        return 0.0
    return 1.0 if passage.words >= _SENTENCE else 0.3


def _count(amounts: dict[str, float], passage: Passage, weight: float) -> None:
    words = [word for word in tokens(steady(plain(passage.text))[0]) if not word.startswith("#")]
    for before, word in zip(["", *words], words, strict=False):
        key = f"{before} {word}"
        amounts[key] = amounts.get(key, 0.0) + weight


def _digest(words: str) -> bytes:
    return blake2b(words.encode(), digest_size=SIZE // 8).digest()


def apart(one: NDArray[np.floating], others: NDArray[np.floating]) -> NDArray[np.float64]:
    """About how many words of the content differ between a page and each of others (n, 64)."""
    found: NDArray[np.float64] = ((others - one) ** 2).sum(axis=-1).astype(np.float64)
    return found
