"""Makes the model that webgeist comes with, and the card that says what it is worth.

Learns to judge from all pairs of terms, and what content looks like from all generated ones. How
good that is, what a score means and what the threshold costs comes from folds: each pair is scored
by a model that never saw its service (of generated pairs: its host). The same pages make the same
model.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from benchmarks.changes_folds import FOLDS, bags_of, folds, interval, learned, unlooked
from webgeist.analyses.changes.logistic import best_odds

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from benchmarks.changes_corpus import Sample
    from webgeist.analyses.changes.model import Model

    Floats = NDArray[np.floating[Any]]

_THRESHOLD = 0.7
_OTHERS = (0.5, 0.6, 0.8, 0.9)  # thresholds whose price is told beside it


def train(terms: Sequence[Sample], generated: Sequence[Sample], out: Path | None) -> dict[str, Any]:
    """The card's figures; the model is written to `out`."""
    samples = [*terms, *generated]
    bags = bags_of(samples)
    chances = _unseen(samples, bags)
    shape = _calibrated(samples, learned(samples, bags, range(len(samples))), chances)
    scores = np.array([shape.score(each) for each in chances])
    figures = _figures(samples, scores)
    figures["set aside"] = _set_aside(samples, bags, shape)
    model = replace(shape, version="5", card=_card(terms, generated, figures))
    if out is not None:
        out.write_text(json.dumps(model.to_json(), indent=1) + "\n", "utf-8")
    return figures


def _unseen(samples: Sequence[Sample], bags: Sequence[Floats]) -> list[Floats]:
    """The chances of each pair's passages, by a model that never saw the service."""
    found: list[Floats] = [np.zeros(0)] * len(samples)
    for model, unseen in folds(samples, bags):
        for n in unseen:
            found[n] = model.chances(bags[n])
    return found


def _calibrated(samples: Sequence[Sample], model: Model, chances: Sequence[Floats]) -> Model:
    """The model whose score of a pair of terms is how often such pairs are important."""
    sure = [n for n, s in enumerate(samples) if _sure(s) and len(chances[n])]
    rows = np.array([best_odds(chances[n], 2) for n in sure])
    found = LogisticRegression(C=10).fit(rows, [samples[n].important for n in sure])
    one, two, constant = (float(v) for v in (*found.coef_[0], found.intercept_[0]))
    pair = (round(one, 4), round(max(two, 0.0), 4), round(constant, 4))
    return replace(model, pair=pair, threshold=_THRESHOLD)


def _sure(sample: Sample) -> bool:
    return sample.status == "clean" or (sample.status == "same-text" and not sample.important)


def _figures(samples: Sequence[Sample], scores: Floats) -> dict[str, Any]:
    return {
        "auc": {
            "clean": interval(samples, scores, ("clean",)),
            "clean and doubtful": interval(samples, scores, ("clean", "doubtful")),
            "generated": interval(samples, scores, ("generated",)),
        },
        "threshold": {str(t): _price(samples, scores, t) for t in sorted((_THRESHOLD, *_OTHERS))},
    }


def _set_aside(samples: Sequence[Sample], bags: Sequence[Floats], shape: Model) -> dict[str, Any]:
    """Figures of the services that nobody looked at while evidence and method were chosen."""
    model, aside = unlooked(samples, bags)
    model = replace(model, pair=shape.pair)
    some = [samples[n] for n in aside]
    scores = np.array([model.score(model.chances(bags[n])) for n in aside])
    return {
        "services": len({s.service for s in some}),
        "clean": interval(some, scores, ("clean",)),
        "clean and doubtful": interval(some, scores, ("clean", "doubtful")),
        "threshold": _price(some, scores, _THRESHOLD),
    }


def _price(samples: Sequence[Sample], scores: Floats, threshold: float) -> dict[str, float]:
    """Shares of unimportant pairs that raise an alarm, and of important ones that do."""

    def share(important: bool, *, made: bool) -> float:
        chosen = [
            n
            for n, s in enumerate(samples)
            if s.important == important and (s.status == "generated" if made else _sure(s))
        ]
        return round(float((scores[chosen] >= threshold).mean()), 4) if chosen else 0.0

    return {
        "false alarms": share(False, made=False),
        "found": share(True, made=False),
        "generated: false alarms": share(False, made=True),
        "generated: found": share(True, made=True),
    }


def _card(
    terms: Sequence[Sample], generated: Sequence[Sample], figures: dict[str, Any]
) -> dict[str, Any]:
    services, hosts = (len({s.service for s in some}) for some in (terms, generated))
    return {
        "made by": "python -m benchmarks changes --only train --out FILE",
        "learned from": (
            f"{len(terms)} pairs of versions of terms and policies of {services} services, judged "
            f"as a whole by a third party; {len(generated)} generated pairs of article pages of "
            f"{hosts} hosts: one passage edited, added or removed, in the article or not"
        ),
        "method": (
            "logistic regression on changed passages of terms; of an important pair the most "
            "likely passages count (multiple-instance learning, four rounds). Beside it the "
            "reader, learned from the generated pairs alone: what the passage is and where it "
            "stands, not what happened to it; it adds or takes 1 at most from the logarithm of odds"
        ),
        "split": (
            f"the figures are from {FOLDS} folds; no service, company or host is on both sides. "
            "AUC with its 95% interval by bootstrap over services or hosts. A quarter of the "
            "services (by a hash of their name) was set aside while evidence and method were "
            "chosen; their figures are from a model that was learned from the others"
        ),
        "figures": figures,
        "threshold": (
            f"{_THRESHOLD}; its price and that of others is in the figures: alarms for pairs "
            "without a change of content, and important changes found"
        ),
        "left out on purpose": (
            "dates, order of versions, amount of change elsewhere, file names, pictures"
        ),
        "known failures": (
            "pages whose whole text counts as content (footers, menus); reordered lists of links; "
            "edits of nothing but a link's address; related articles inside the content; relative "
            "dates in words that no list has. Generated pairs are not rendered anew"
        ),
    }
