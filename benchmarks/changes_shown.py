"""The model that webgeist comes with on page histories, which it never learned from.

Two labels: the corpus' own, any word changed anywhere on the page, menus and footers included; and
content against template: no changed word at all against twenty or more.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.changes_baselines import MEASURES
from benchmarks.changes_corpus import Sample, portraits
from benchmarks.changes_folds import spread
from benchmarks.changes_histories import histories
from webgeist.analyses.changes.compare import judge
from webgeist.analyses.changes.model import default_model

_MANY = 20  # words that are content for sure


def run() -> dict[str, Any]:
    known, targets = histories()
    files = {name: Path("histories") / f"{name}.page" for name in targets}
    seen = asyncio.run(portraits({files[name]: made for name, made in targets.items()}))
    words, samples = [], []
    for pair in known:
        before, after = (seen[files[name]] for name in pair.names)
        if before is not None and after is not None:
            words.append(pair.words)
            samples.append(Sample(pair.repository, "history", pair.words > 0, before, after))
    scores = {"webgeist": np.array([_score(s) for s in samples])}
    for name, measure in MEASURES.items():
        scores[name] = np.array([measure(s) for s in samples])
    return _figures(samples, np.array(words), scores)


def _score(sample: Sample) -> float:
    return judge(sample.before, sample.after, default_model()).score


def _figures(samples: list[Sample], words: Any, scores: dict[str, Any]) -> dict[str, Any]:
    groups = np.array([sample.service for sample in samples])
    sure = (words == 0) | (words >= _MANY)
    alarms = scores["webgeist"][words == 0] >= default_model().threshold
    return {
        "pairs": len(samples),
        "auc": {
            name: {
                "no word or 20": spread(groups[sure].tolist(), words[sure] > 0, found[sure]),
                "any word": spread(groups.tolist(), words > 0, found),
            }
            for name, found in scores.items()
        },
        "false alarms, no word changed": [int(alarms.sum()), len(alarms)],
    }
