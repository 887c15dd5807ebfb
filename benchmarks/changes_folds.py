"""Scores from models that never saw the service, and how sure their figures are."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.changes_learning import learn, read
from webgeist.analyses.changes.evidence import evidence
from webgeist.analyses.changes.items import items

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from benchmarks.changes_corpus import Sample
    from webgeist.analyses.changes.model import Model

    Floats = NDArray[np.floating[Any]]

FOLDS = 6
_ROUNDS = 500  # of the bootstrap
_WEIGHTS = {"clean": 1.0, "doubtful": 0.5, "same-text": 0.3}
_ASIDE = 4  # one of so many services was set aside while the model was being made


def set_aside(service: str) -> bool:
    """Whether a service was not looked at while evidence and method were chosen."""
    return int(sha256(service.encode()).hexdigest(), 16) % _ASIDE == 0


def bags_of(samples: Sequence[Sample]) -> list[Floats]:
    """The evidence of each pair: a row for each changed passage."""
    return [evidence(s.before, s.after, items(s.before, s.after)) for s in samples]


def learned(samples: Sequence[Sample], bags: Sequence[Floats], chosen: Sequence[int]) -> Model:
    """A model from the chosen pairs: the judgement from those of terms, what content looks like
    from generated ones. Services with many pairs do not outvote the others.
    """
    often = Counter(s.service for s in samples)
    judged = [n for n in chosen if samples[n].status != "generated"]
    made = [n for n in chosen if samples[n].status == "generated"]
    model = learn(
        [bags[n] for n in judged],
        [samples[n].important for n in judged],
        [3 * _WEIGHTS[samples[n].status] / sqrt(often[samples[n].service]) for n in judged],
    )
    return replace(
        model, reader=read([bags[n] for n in made], [samples[n].important for n in made])
    )


def folds(
    samples: Sequence[Sample], bags: Sequence[Floats]
) -> Iterator[tuple[Model, Sequence[int]]]:
    """For each fold a model from the other folds' services, and the pairs that it never saw."""
    fold = {**_fold(samples, made=False), **_fold(samples, made=True)}
    for number in range(FOLDS):
        train = [n for n, s in enumerate(samples) if fold[s.service] != number]
        unseen = [n for n, s in enumerate(samples) if fold[s.service] == number]
        yield learned(samples, bags, train), unseen


def unlooked(samples: Sequence[Sample], bags: Sequence[Floats]) -> tuple[Model, list[int]]:
    """A model from all services but those that were set aside, and the pairs of these."""
    aside = [n for n, s in enumerate(samples) if s.status != "generated" and set_aside(s.service)]
    rest = sorted(set(range(len(samples))) - set(aside))
    return learned(samples, bags, rest), aside


def _fold(samples: Sequence[Sample], *, made: bool) -> dict[str, int]:
    """Services are divided the same way, whether or not there are generated pairs beside them."""
    services = sorted({s.service for s in samples if (s.status == "generated") == made})
    random.Random(0).shuffle(services)
    return {service: number % FOLDS for number, service in enumerate(services)}


def interval(samples: Sequence[Sample], scores: Floats, statuses: tuple[str, ...]) -> list[float]:
    """AUC, and where 95% of it lie if other services had been drawn."""
    chosen = [n for n, s in enumerate(samples) if s.status in statuses]
    return spread(
        [samples[n].service for n in chosen],
        np.array([samples[n].important for n in chosen]),
        scores[chosen],
    )


def spread(groups: Sequence[str], truth: NDArray[np.bool_], scores: Floats) -> list[float]:
    """AUC, and where 95% of it lie if other groups had been drawn."""
    members: dict[str, list[int]] = {}
    for number, group in enumerate(groups):
        members.setdefault(group, []).append(number)
    names, draw, found = sorted(members), random.Random(1), []
    for _ in range(_ROUNDS):
        drawn = [n for name in draw.choices(names, k=len(names)) for n in members[name]]
        if 0 < truth[drawn].sum() < len(drawn):
            found.append(auc(truth[drawn], scores[drawn]))
    low, high = np.percentile(found, [2.5, 97.5])
    return [round(float(v), 4) for v in (auc(truth, scores), low, high)]


def auc(truth: NDArray[np.bool_], scores: Floats) -> float:
    yes, no = scores[truth], scores[~truth]
    above = (yes[:, None] > no[None]).mean() + (yes[:, None] == no[None]).mean() / 2
    return float(above)
