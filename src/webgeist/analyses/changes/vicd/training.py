"""Teaches VICD's network its four variants: pairs or triplets, Euclidean or cosine.

`2_eu` and `2_cos` have two branches and the contrastive loss; `3_eu` and `3_cos` have three and the
triplet loss. Needs PyTorch, the extra `train`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from webgeist.analyses.changes.vicd.network import SIZES, batch, network
from webgeist.analyses.changes.vicd.pictures import triplets

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from webgeist.analyses.changes.vicd.network import Network
    from webgeist.analyses.changes.vicd.pictures import Example

VARIANTS = ("2_eu", "2_cos", "3_eu", "3_cos")
_MARGIN = {"2_eu": 2.0, "2_cos": 1.0, "3_eu": 1.0, "3_cos": 0.5}


@dataclass(frozen=True)
class Effort:
    """How long it learns: rounds over all examples, of so many at a time."""

    epochs: int = 10
    size: int = 16
    rate: float = 0.0005
    sizes: tuple[int, int, int] = SIZES


def learn(
    examples: Sequence[Example],
    variant: str,
    seed: int,
    effort: Effort | None = None,
    on_epoch: Callable[[int, float], None] = lambda _, __: None,
) -> Network:
    """A network taught with these pairs. `on_epoch` is told each round's number and mean loss."""
    import torch

    effort = effort or Effort()
    made = network(seed, effort.sizes)
    made.train(on=True)
    optimiser = torch.optim.Adam(made.parameters(), lr=effort.rate)
    draw = random.Random(seed)  # noqa: S311 - which example comes when
    steps = _pairs(examples) if variant.startswith("2") else _triplets(examples)
    for epoch in range(effort.epochs):
        draw.shuffle(steps)
        losses = []
        for start in range(0, len(steps) - 1, effort.size):
            loss = _loss(made, variant, steps[start : start + effort.size])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            losses.append(float(loss.detach()))
        on_epoch(epoch, float(np.mean(losses)) if losses else 0.0)
    made.train(on=False)
    return made


def _pairs(examples: Sequence[Example]) -> list[tuple[Any, ...]]:
    return [(each.before, each.after, float(each.important)) for each in examples]


def _triplets(examples: Sequence[Example]) -> list[tuple[Any, ...]]:
    return [(each.anchor, each.same, each.other) for each in triplets(examples)]


def _loss(made: Network, variant: str, steps: Sequence[tuple[Any, ...]]) -> Any:
    import torch

    columns = list(zip(*steps, strict=True))
    margin, pictures = _MARGIN[variant], 2 if variant.startswith("2") else 3
    found = made.vectors(batch([p for column in columns[:pictures] for p in column]))
    parts = found.split(len(steps))
    near = distance(parts[0], parts[1], variant)
    if pictures == 2:  # noqa: PLR2004 - branches
        important = torch.tensor(columns[2])
        apart = torch.clamp(margin - near, min=0)
        return ((1 - important) * near**2 + important * apart**2).mean() / 2
    return torch.clamp(near - distance(parts[0], parts[2], variant) + margin, min=0).mean()


def distance(one: Any, other: Any, variant: str) -> Any:
    """Between the vectors of two batches, row by row."""
    from torch.nn import functional

    if variant.endswith("cos"):
        return 1 - functional.cosine_similarity(one, other)
    return functional.pairwise_distance(one, other)


def scores(made: Network, examples: Sequence[Example], variant: str) -> NDArray[np.float64]:
    """How far the versions of each pair are apart; more is more likely important."""
    import torch

    found = []
    with torch.no_grad():
        for each in examples:
            one, other = made.vectors(batch([each.before, each.after])).split(1)
            found.append(float(distance(one, other, variant)))
    return np.array(found)
