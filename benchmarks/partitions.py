"""How well two partitions of the same things agree. Each figure alone can be won by a trivial
partition; together they cannot.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    Labels = Sequence[Hashable]

SMALL = 5  # things in a true cluster that macro F1 looks at


def _pairs(counts: Counter[object]) -> int:
    return sum(n * (n - 1) // 2 for n in counts.values())


def rand(found: Labels, true: Labels) -> float:
    """The share of pairs that both put together or both keep apart."""
    total = len(true) * (len(true) - 1) // 2
    both = _pairs(Counter(zip(found, true, strict=True)))
    alone = _pairs(Counter(found)) + _pairs(Counter(true))
    return (total + 2 * both - alone) / total if total else 1.0


def adjusted_rand(found: Labels, true: Labels) -> float:
    """The same, so that partitions by chance have 0 (Hubert and Arabie 1985)."""
    total = len(true) * (len(true) - 1) // 2
    both = _pairs(Counter(zip(found, true, strict=True)))
    one, other = _pairs(Counter(found)), _pairs(Counter(true))
    expected = one * other / total if total else 0.0
    most = (one + other) / 2
    return (both - expected) / (most - expected) if most != expected else 1.0


def b_cubed(found: Labels, true: Labels) -> float:
    """The F of mean precision and mean recall of each thing's cluster (Bagga and Baldwin 1998)."""
    both = Counter(zip(found, true, strict=True))
    sizes, true_sizes = Counter(found), Counter(true)
    if not both:
        return 1.0
    precision = sum(n * n / sizes[a] for (a, _), n in both.items()) / len(true)
    recall = sum(n * n / true_sizes[b] for (_, b), n in both.items()) / len(true)
    return 2 * precision * recall / (precision + recall)


def macro_f1(found: Labels, true: Labels, smallest: int = SMALL) -> float:
    """The best F1 that any cluster has with a true one, averaged over true ones that are large."""
    both = Counter(zip(found, true, strict=True))
    sizes, true_sizes = Counter(found), Counter(true)
    best: dict[Hashable, float] = {}
    for (a, b), n in both.items():
        best[b] = max(best.get(b, 0.0), 2 * n / (sizes[a] + true_sizes[b]))
    large = [best[name] for name, size in true_sizes.items() if size >= smallest]
    return sum(large) / len(large) if large else 1.0
