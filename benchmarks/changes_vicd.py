"""The paper's table again, on our pairs: its four variants, one split, a small effort.

Needs PyTorch, the extra `train`. WEBGEIST_VICD_ROUNDS says how often each network sees all pairs.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.changes_pictures import (
    attended,
    evidence_of,
    examples,
    figures,
    learned,
    parts,
    pixel_difference,
    unseen_answers,
)
from webgeist.analyses.changes.logistic import best_odds
from webgeist.analyses.changes.vicd.training import VARIANTS, Effort, learn, scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from benchmarks.changes_pictures import Pair

_SPLIT = 4  # a quarter of the companies and repositories is tested with


def run(some: Sequence[Pair]) -> dict[str, Any]:
    """AUC of each variant on companies and repositories that it never saw."""
    rounds = int(os.environ.get("WEBGEIST_VICD_ROUNDS", "4"))
    known, unseen = parts(some, _SPLIT)[0]
    seen = examples(some)
    tested = [some[n] for n in unseen]
    told: dict[str, Any] = {"pairs": [len(known), len(unseen)], "rounds": rounds}
    told["pixel difference"] = figures(tested, np.array([pixel_difference(p) for p in tested]))
    told["webgeist"] = figures(tested, _ours(some, known)[unseen])
    for variant in VARIANTS:
        made = learn([seen[n] for n in known], variant, 0, Effort(epochs=rounds))
        told[variant] = figures(tested, scores(made, [seen[n] for n in unseen], variant))
        print(variant, told[variant], flush=True)
    return told


def _ours(some: Sequence[Pair], known: Sequence[int]) -> NDArray[np.float64]:
    """The odds of each pair's most likely line, by our model learned from the same pairs."""
    bags = evidence_of(attended(some, unseen_answers(some)))
    model = learned(some, bags, known)
    return np.array([best_odds(model.chances(bag), 1)[0] for bag in bags])
