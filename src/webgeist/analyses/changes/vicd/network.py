"""VICD's network as the paper has it. Needs PyTorch, the extra `train`.

Table 1: three times (reflection padding, convolution 3 by 3, ReLU; reflection padding, average of
3 by 3, normalisation) with 4, 8 and 8 channels at 100 by 100; then CBAM, channel before spatial
attention; then three dense layers to a page's vector. The paper does not give the dense layers'
sizes, nor which normalisation: here 512, 512, 64 and that of batches. CBAM's dense layer is asked
once for average and maximum together, which is the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from webgeist.analyses.changes.vicd.pictures import SIDE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

SIZES = (512, 512, 64)
_CHANNELS = (4, 8, 8)
_HIDDEN = 4  # of the channel attention


@dataclass(frozen=True, eq=False)
class Network:
    """Layers by the paper's names; `vectors` puts them together."""

    seeing: Any
    channel: Any
    spatial: Any
    dense: Any

    @property
    def parts(self) -> dict[str, Any]:
        return {
            "seeing": self.seeing,
            "channel": self.channel,
            "spatial": self.spatial,
            "dense": self.dense,
        }

    def parameters(self) -> list[Any]:
        return [weight for part in self.parts.values() for weight in part.parameters()]

    def vectors(self, pictures: Any) -> Any:
        """The page vectors of a batch of pictures: (n, 1, 100, 100) to (n, 64)."""
        seen = self.seeing(pictures)
        attended = seen * self._channels(seen)
        attended = attended * self._places(attended)
        return self.dense(attended.flatten(1))

    def _channels(self, seen: Any) -> Any:
        import torch

        both = torch.stack([seen.mean(dim=(2, 3)), seen.amax(dim=(2, 3))])
        return torch.sigmoid(self.channel(both).sum(dim=0))[:, :, None, None]

    def _places(self, seen: Any) -> Any:
        import torch

        both = torch.cat([seen.mean(dim=1, keepdim=True), seen.amax(dim=1, keepdim=True)], dim=1)
        return torch.sigmoid(self.spatial(both))

    def train(self, *, on: bool) -> None:
        for part in self.parts.values():
            part.train(on)

    def save(self, target: BinaryIO) -> None:
        """All weights as an NPZ file."""
        weights: dict[str, Any] = {
            f"{name}.{key}": value.numpy()
            for name, part in self.parts.items()
            for key, value in part.state_dict().items()
        }
        np.savez(target, **weights)

    def load(self, file: Path) -> None:
        """Weights of a file that `save` wrote."""
        import torch

        with np.load(file, allow_pickle=False) as weights:
            for name, part in self.parts.items():
                start = f"{name}."
                found = {
                    key.removeprefix(start): torch.from_numpy(weights[key])
                    for key in weights.files
                    if key.startswith(start)
                }
                part.load_state_dict(found)


def network(seed: int, sizes: Sequence[int] = SIZES) -> Network:
    """A network that has learned nothing. The same seed gives the same one."""
    import torch
    from torch import nn

    torch.manual_seed(seed)
    seeing: list[Any] = []
    for before, after in zip((1, *_CHANNELS), _CHANNELS, strict=False):
        seeing += [nn.ReflectionPad2d(1), nn.Conv2d(before, after, 3), nn.ReLU()]
        seeing += [nn.ReflectionPad2d(1), nn.AvgPool2d(3, stride=1), nn.BatchNorm2d(after)]
    last = _CHANNELS[-1]
    first, second, out = sizes
    return Network(
        nn.Sequential(*seeing),
        nn.Sequential(nn.Linear(last, _HIDDEN), nn.ReLU(), nn.Linear(_HIDDEN, last)),
        nn.Conv2d(2, 1, 7, padding=3),
        nn.Sequential(
            *(nn.Linear(last * SIDE * SIDE, first), nn.ReLU()),
            *(nn.Linear(first, second), nn.ReLU(), nn.Linear(second, out)),
        ),
    )


def batch(pictures: Sequence[NDArray[np.float32]]) -> Any:
    import torch

    return torch.from_numpy(np.stack(pictures)[:, None].copy())
