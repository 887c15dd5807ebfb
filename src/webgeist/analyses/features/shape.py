"""The last 28 numbers of a descriptor: place, size, content, structure and colours of a block.

The paper's figure 3 has 33 such values and its text counts 28. Left out are five that follow from
others by multiplication: `x`, `area`, `areaOfParent`, `areaOfPage`, `edgePixels`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray


class Shape(NamedTuple):
    """A feature, and how it is brought to 0..1. `most` is what becomes 1; more is cut."""

    name: str
    form: str
    most: float

    @property
    def rule(self) -> str:
        return _RULES[self.form].format(most=self.most)


_NARROWEST = 1e-9  # a ratio whose logarithm can be taken
_RULES = {
    "share": "as it is, 0 to {most:g}",
    "count": "log(1 + v) / log(1 + {most:g})",
    "ratio": "0.5 + log2(v) / {most:g}: a square is 0.5",
}

SHAPE = (
    Shape("y", "count", 100_000),
    *(Shape(name, "share", 1) for name in ("fractionalX", "fractionalY")),
    *(Shape(name, "share", 1) for name in ("leftSidedness", "topSidedness")),
    *(Shape(name, "count", 10_000) for name in ("width", "height")),
    Shape("aspectRatio", "ratio", 16),
    *(Shape(f"{side}OfParent", "share", 1) for side in ("height", "width")),
    *(Shape(f"{side}OfPage", "share", 1) for side in ("height", "width")),
    *(Shape(name, "count", 1_000) for name in ("images", "links")),
    Shape("words", "count", 10_000),
    *(Shape(name, "count", 1_000) for name in ("children", "siblings", "siblingOrder")),
    Shape("fractionalSiblingOrder", "share", 1),
    Shape("level", "count", 30),
    Shape("fractionalLevel", "share", 1),
    *(Shape(f"average{channel}", "share", 255) for channel in "RGB"),
    *(Shape(f"frequent{channel}", "share", 255) for channel in "RGB"),
    Shape("edgeShare", "share", 1),
)


def shape(features: pa.Table) -> NDArray[np.float32]:
    """One row of 28 numbers from 0 to 1 for each row of a table of features."""
    columns = [_scaled(each, _numbers(features, each.name)) for each in SHAPE]
    return np.column_stack(columns).astype(np.float32)


def _numbers(features: pa.Table, name: str) -> NDArray[Any]:
    numbers: NDArray[Any] = np.nan_to_num(features.column(name).to_numpy().astype(np.float64))
    return numbers


def _scaled(each: Shape, values: NDArray[Any]) -> NDArray[Any]:
    scaled = values / each.most
    if each.form == "count":
        scaled = np.log1p(np.maximum(values, 0)) / np.log1p(each.most)
    if each.form == "ratio":
        scaled = 0.5 + np.log2(np.maximum(values, _NARROWEST)) / each.most
    cut: NDArray[Any] = np.clip(scaled, 0, 1)
    return cut
