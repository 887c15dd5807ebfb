"""Teaches the network that finds the content on a picture, from pages whose elements are known.

What is content comes from the page's elements alone, without anything learned: the part of the
page that holds most of its prose (`webgeist.analyses.changes.content`), links left out. The same
pictures make the same network. Needs PyTorch, the extra `train`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from webgeist.analyses.changes.attention import CELL, WIDE, seen

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from webgeist.analyses.changes.portrait import Portrait

    Cells = NDArray[np.uint8]
    Floats = NDArray[np.float32]

UNKNOWN = 255  # nothing stands there
_INSIDE, _LINKED = 2, 0.5  # of the three nested regions of content; share of letters in links
_ROWS = 384  # of a part that is learned from
_STEPS, _SIZE, _RATE = 300, 8, 4e-3
_CHANNELS = 24
_REACH = (1, 2, 4, 8)  # dilations
_MOST = 6_000  # rows of a picture


@dataclass(frozen=True, eq=False)
class Lesson:
    """A picture as the network sees it, and which of its cells are content (0, 1 or UNKNOWN)."""

    group: str
    grey: NDArray[np.uint8]
    cells: Cells


def cells_of(page: Portrait, height: int) -> Cells:
    """Which cells of a page's picture, reduced to `height` rows, are content."""
    made = np.full((-(-height // CELL), WIDE // CELL), UNKNOWN, np.uint8)
    scale = WIDE / CELL / max(page.width, 1.0)
    shown = [p for p in page.passages if p.seen and p.box[2] > p.box[0] and p.box[3] > p.box[1]]
    for each in sorted(shown, key=lambda p: -(p.box[2] - p.box[0]) * (p.box[3] - p.box[1])):
        left, top, right, bottom = (edge * scale for edge in each.box)
        rows = slice(int(top), max(int(top) + 1, -int(-bottom // 1)))
        columns = slice(int(left), max(int(left) + 1, -int(-right // 1)))
        made[rows, columns] = each.within >= _INSIDE and each.linked < _LINKED
    return made


def taught(lessons: Sequence[Lesson], seed: int = 0, steps: int = _STEPS) -> Any:
    """A network that learned from these pictures; no group counts more for having many."""
    import torch

    torch.manual_seed(seed)
    draw, network = random.Random(seed), _network()
    optimiser = torch.optim.Adam(network.parameters(), lr=_RATE)
    rates = torch.optim.lr_scheduler.OneCycleLR(optimiser, _RATE, total_steps=steps)
    groups: dict[str, list[Lesson]] = {}
    for lesson in lessons:
        groups.setdefault(lesson.group, []).append(lesson)
    for _ in range(steps):
        chosen = draw.choices(sorted(groups), k=_SIZE)
        loss = _loss(network, [_part(draw.choice(groups[name]), draw) for name in chosen])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        rates.step()
    return network.eval()


def answers(network: Any, grey: NDArray[np.uint8]) -> Floats:
    """What `attention` gives, of a network that is not shipped."""
    import torch

    with torch.no_grad():
        return np.asarray(network(torch.from_numpy(seen(grey)[None]))[0].numpy(), np.float32)


def export(network: Any, out: Path) -> None:
    import torch

    example = torch.zeros(1, 3, _ROWS, WIDE)
    rows = torch.export.Dim("rows", min=1, max=100_000)
    program = torch.onnx.export(
        network,
        (example,),
        dynamo=True,
        input_names=["picture"],
        output_names=["content"],
        dynamic_shapes=({2: rows},),
        verbose=False,
    )
    assert program is not None
    program.save(str(out), external_data=False)


def accuracy(lessons: Sequence[Lesson], found: Sequence[Floats]) -> float:
    """The share of cells that were told right, mean of content and the rest, mean of pictures."""
    shares = []
    for lesson, cells in zip(lessons, found, strict=True):
        truth = lesson.cells[: len(cells)]
        sides = [(cells[truth == side] >= 0.5) == side for side in (0, 1) if (truth == side).any()]
        if sides:
            shares.append(np.mean([side.mean() for side in sides]))
    return round(float(np.mean(shares)), 4)


def _part(lesson: Lesson, draw: random.Random) -> tuple[Floats, Cells]:
    """Some rows, often the first or the last ones: what is not content stands there."""
    grey, cells = lesson.grey[:_MOST], lesson.cells
    last = max(len(grey) - _ROWS, 0)
    first = min(draw.choice((0, last, draw.randint(0, last), draw.randint(0, last))), last)
    first -= first % CELL
    planes = np.zeros((3, _ROWS, WIDE), np.float32)
    shown = grey[first : first + _ROWS]
    planes[:, : len(shown)] = seen(shown, first, len(lesson.grey))
    truth = np.full((_ROWS // CELL, WIDE // CELL), UNKNOWN, np.uint8)
    known = cells[first // CELL :][: len(truth)]
    truth[: len(known)] = known
    return planes, truth


def _loss(network: Any, parts: Sequence[tuple[Floats, Cells]]) -> Any:
    import torch
    from torch.nn import functional

    planes, cells = (torch.from_numpy(np.stack(each)) for each in zip(*parts, strict=True))
    known = cells != UNKNOWN
    truth = cells[known].float()
    weight = 2 - truth  # there is less of what is not content
    loss = functional.binary_cross_entropy(network(planes)[known], truth, weight, reduction="sum")
    return loss / weight.sum()


def _network() -> Any:
    import torch
    from torch import nn
    from torch.nn import functional

    class Content(nn.Module):  # type: ignore[misc]
        """Two steps down to cells, then four dilated ones; a row's mean tells of its columns."""

        def __init__(self) -> None:
            super().__init__()
            self.first = nn.Conv2d(3, 16, 3, stride=2, padding=1)
            self.second = nn.Conv2d(16, _CHANNELS, 3, stride=2, padding=1)
            self.reach = nn.ModuleList(
                nn.Conv2d(_CHANNELS, _CHANNELS, 3, padding=(d, min(d, 4)), dilation=(d, min(d, 4)))
                for d in _REACH
            )
            self.row = nn.Conv1d(_CHANNELS, _CHANNELS, 9, padding=4)
            self.last = nn.Conv2d(_CHANNELS, 1, 1)

        def forward(self, planes: Any) -> Any:
            found = functional.relu(self.second(functional.relu(self.first(planes))))
            for number, layer in enumerate(self.reach):
                found = found + functional.relu(layer(found))
                if number == 1:
                    found = found + functional.relu(self.row(found.mean(3))).unsqueeze(3)
            return torch.sigmoid(self.last(found)[:, 0])

    return Content()
