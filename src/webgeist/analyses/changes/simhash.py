"""SimHash of a page's words (Charikar 2002), the measure that VICD is compared with. Pure."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

_BITS = 64


def simhash(words: Iterable[str]) -> int:
    """64 bits that are alike for texts with much the same words."""
    counts = Counter(words)
    if not counts:
        return 0
    digests = b"".join(hashlib.blake2b(word.encode(), digest_size=8).digest() for word in counts)
    bits = np.unpackbits(np.frombuffer(digests, np.uint8).reshape(-1, 8), axis=1)
    votes = (bits.astype(np.int64) * 2 - 1).T @ np.array(list(counts.values()))
    return int.from_bytes(np.packbits(votes > 0).tobytes())


def distance(one: int, other: int) -> float:
    """Share of the bits that differ."""
    return (one ^ other).bit_count() / _BITS
