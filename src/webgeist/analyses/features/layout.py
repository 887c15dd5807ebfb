"""What each of the 1,679 numbers of a descriptor means: 691 + 960 + 28, as in Webzeitgeist.

The first 691 tell of the block's element: its name, and its computed styles. Numbers are scaled to
0..1 between two bounds, other properties have a place for each of their frequent values and one for
all others. Which values have a place depends on the repository; a layout is made from it once, kept
as a file, and named by its contents. Then follow GIST and what is known of the block's shape, place
and colours, by rules that are the same everywhere.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pydantic import TypeAdapter, ValidationError

from webgeist.analyses.features import gabor, gist
from webgeist.analyses.features.shape import SHAPE
from webgeist.errors import DamagedError
from webgeist.repository.typed import COLOURS, LENGTHS, parse_length, parse_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from webgeist.page.model import Page

FORMAT = 1
STYLES, GIST = 691, gist.LENGTH
LENGTH = STYLES + GIST + len(SHAPE)
NAME = "element"  # the element's name is a property among others
NUMBERS: dict[str, Callable[[str], float | None]] = {
    **dict.fromkeys(LENGTHS, parse_length),
    **dict.fromkeys(("font-weight", "opacity", "z-index"), parse_number),
}
CHANNELS = ("r", "g", "b", "alpha")
_LOGICAL = ("inline-size", "block-size", "-inline-", "-block-", "-inline", "-block")
_RESOLVED = ("transform-origin", "perspective-origin", "d", "x", "y", "cx", "cy", "r", "rx", "ry")
_LOW, _HIGH = 0.01, 0.99  # of all nodes lie below; what is beyond is cut
_LONGEST = 100  # characters of a value that can have a place


@dataclass(frozen=True)
class Scale:
    """A number of a style, scaled so that `low` is 0 and `high` is 1."""

    property: str
    channel: str | None
    low: float
    high: float


@dataclass(frozen=True)
class Choice:
    """The values of a property that have a place each; one more is for all other values."""

    property: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Layout:
    """The first part of a descriptor: scales, then choices, then places that are not used."""

    format: int
    captures: int  # that it was made from
    scales: tuple[Scale, ...]
    choices: tuple[Choice, ...]

    @property
    def version(self) -> str:
        return sha256(dump(self)).hexdigest()[:16]

    def explain(self, place: int) -> str:
        """What a number of a descriptor means, in words."""
        if not 0 <= place < LENGTH:
            raise IndexError(f"a descriptor has the numbers 0 to {LENGTH - 1}")
        if place < STYLES:
            return self._explain_style(place)
        if place < STYLES + GIST:
            return _explain_gist(place - STYLES)
        feature = SHAPE[place - STYLES - GIST]
        return f"{feature.name}, {feature.rule}"

    def _explain_style(self, place: int) -> str:
        if place < len(self.scales):
            scale = self.scales[place]
            what = scale.property + (f", channel {scale.channel}" if scale.channel else "")
            return f"{what}: {scale.low:g} is 0, {scale.high:g} is 1"
        place -= len(self.scales)
        for choice in self.choices:
            if place < len(choice.values):
                return f"{choice.property} is {choice.values[place]}"
            if place == len(choice.values):
                return f"{choice.property} has another value"
            place -= len(choice.values) + 1
        return "not used"


def _explain_gist(place: int) -> str:
    colour, rest = divmod(place, GIST // 3)
    filter_, cell = divmod(rest, gabor.CELLS**2)
    for scale, orientations in enumerate(gabor.ORIENTATIONS):
        if filter_ < orientations:
            angle = f"orientation {filter_ + 1} of {orientations}"
            row, column = divmod(cell, gabor.CELLS)
            return f"GIST of {'RGB'[colour]}, scale {scale + 1}, {angle}, cell {row},{column}"
        filter_ -= orientations
    raise AssertionError(place)


_LAYOUT = TypeAdapter(Layout)


def dump(layout: Layout) -> bytes:
    return _LAYOUT.dump_json(layout, indent=1)


def parse(raw: bytes, name: str) -> Layout:
    """DamagedError where the file is none, or of a newer webgeist."""
    try:
        layout = _LAYOUT.validate_json(raw)
    except ValidationError as error:
        raise DamagedError(f"{name} is damaged: {error.errors()[0]['msg']}") from error
    if layout.format > FORMAT:
        raise DamagedError(f"{name} is of a newer webgeist", remedy="update webgeist")
    return layout


# --- making one ----------------------------------------------------------------------------------


class Census:
    """Which values the styles of many pages have, and how often."""

    def __init__(self) -> None:
        self.captures = 0
        self._counts: dict[str, Counter[str]] = defaultdict(Counter)

    def add(self, page: Page) -> None:
        self.captures += 1
        for table in (page.styles_inherited, page.styles_own):
            weights = table.column("nodes").to_numpy()
            for name in table.column_names[2:]:
                _count(self._counts[name], table.column(name), weights)
        shown = page.nodes.filter(pc.is_valid(page.nodes["x"]))["name"]
        _count(self._counts[NAME], shown.cast(pa.string()), np.ones(len(shown)))

    def layout(self) -> Layout:
        scales = tuple(self._scales())
        room = STYLES - len(scales)
        return Layout(FORMAT, self.captures, scales, _choices(self._others(), room))

    def _scales(self) -> Iterable[Scale]:
        for name, read in NUMBERS.items():
            numbers = {
                value: count
                for text, count in self._counts.get(name, {}).items()
                if (value := read(text)) is not None
            }
            low, high = _bounds(numbers)
            yield Scale(name, None, low, high)
        for name in COLOURS:
            for channel in CHANNELS:
                yield Scale(name, channel, 0.0, 1.0 if channel == "alpha" else 255.0)

    def _others(self) -> Mapping[str, Counter[str]]:
        return {
            name: counts
            for name, counts in self._counts.items()
            if name not in NUMBERS and name not in COLOURS and not _repeats(name)
        }


def _repeats(name: str) -> bool:
    """Properties that say in other words, or pixels, what others say. Most colours beside those
    with a scale are the text's again.
    """
    again = name.endswith("-color") or name.startswith("-webkit-")
    return again or name in _RESOLVED or any(part in name for part in _LOGICAL)


def _count(counts: Counter[str], column: pa.ChunkedArray, weights: np.ndarray) -> None:
    encoded = column.combine_chunks().dictionary_encode()
    numbers = np.bincount(encoded.indices.to_numpy(), weights, len(encoded.dictionary))
    for text, number in zip(encoded.dictionary.to_pylist(), numbers.tolist(), strict=True):
        counts[text] += int(number)


def _bounds(numbers: Mapping[float, int]) -> tuple[float, float]:
    """The values between which nearly all lie."""
    if not numbers:
        return 0.0, 1.0
    values = np.array(sorted(numbers))
    shares = np.cumsum([numbers[value] for value in values.tolist()])
    low, high = (
        float(values[np.searchsorted(shares, share * shares[-1])]) for share in (_LOW, _HIGH)
    )
    return (low, high) if high > low else (low, low + 1.0)


def _choices(counts: Mapping[str, Counter[str]], room: int) -> tuple[Choice, ...]:
    """The values that tell most, until there is no more room; each property takes one place more.

    A value tells as much as a coin that falls as often: one that half of all nodes have most, one
    that nearly all or hardly any have least.
    """
    told = sorted(
        (
            (-_entropy(count / sum(values.values())), name, text)
            for name, values in counts.items()
            if len(values) > 1
            for text, count in values.items()
            if len(text) <= _LONGEST
        ),
    )
    chosen: dict[str, list[str]] = {}
    for _, name, text in told:
        needed = 1 if name in chosen else 2
        if needed <= room:
            chosen.setdefault(name, []).append(text)
            room -= needed
    return tuple(Choice(name, tuple(sorted(chosen[name]))) for name in sorted(chosen))


def _entropy(share: float) -> float:
    if share <= 0 or share >= 1:
        return 0.0
    return -share * math.log2(share) - (1 - share) * math.log2(1 - share)
