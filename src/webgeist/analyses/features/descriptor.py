"""The descriptor of every block: one vector of all that is known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from webgeist.analyses.analysis import Analysis
from webgeist.analyses.features.crops import crops
from webgeist.analyses.features.gabor import SIZE
from webgeist.analyses.features.gist import gist
from webgeist.analyses.features.layout import (
    CHANNELS,
    GIST,
    LENGTH,
    NAME,
    NUMBERS,
    STYLES,
)
from webgeist.analyses.features.shape import shape
from webgeist.analyses.features.table import features
from webgeist.page.colours import parse_colour

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webgeist.analyses.analysis import Subject
    from webgeist.analyses.features.layout import Choice, Layout, Scale
    from webgeist.page.model import Page

    Floats = NDArray[np.float32]
    Halves = NDArray[np.float16]

VERSION = "1"
_AT_ONCE = 2_048
SCHEMA = pa.schema(
    [
        pa.field("block", pa.int32(), nullable=False),
        pa.field("descriptor", pa.list_(pa.float16(), LENGTH), nullable=False),
    ]
)


def descriptor_analysis(layout: Layout) -> Analysis:
    """The analysis that makes descriptors by a layout; its version names the layout."""
    version = f"{VERSION}-{layout.version}"

    def run(subject: Subject) -> pa.Table:
        return table(descriptors(subject, layout))

    return Analysis("descriptors", version, SCHEMA, run)


def descriptors(subject: Subject, layout: Layout) -> Halves:
    """One row of 1,679 numbers from 0 to 1 (GIST: from 0 on) for each block.

    Some blocks at a time: a page may have tens of thousands.
    """
    count = len(subject.hierarchy)
    found = np.zeros((count, LENGTH), np.float16)
    if count:
        found[:, STYLES + GIST :] = shape(features(subject))
    for start in range(0, count, _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        found[some, :STYLES] = styles(subject.page, subject.hierarchy.node[some], layout)
        cut = crops(subject.picture, subject.boxes[some], SIZE)
        found[some, STYLES : STYLES + GIST] = gist(cut)
    return found


def table(found: Halves) -> pa.Table:
    flat = pa.array(found.reshape(-1))
    columns = [
        pa.array(np.arange(len(found), dtype=np.int32)),
        pa.FixedSizeListArray.from_arrays(flat, LENGTH),
    ]
    return pa.Table.from_arrays(columns, schema=SCHEMA)


def styles(page: Page, nodes: NDArray[Any], layout: Layout) -> Floats:
    """The part that tells of elements and their styles, for some nodes."""
    found = np.zeros((len(nodes), STYLES), np.float32)
    for place, scale in enumerate(layout.scales):
        found[:, place] = _number(page, scale)[nodes]
    place, rows = len(layout.scales), np.arange(len(nodes))
    for choice in layout.choices:
        found[rows, place + _chosen(page, choice)[nodes]] = 1
        place += len(choice.values) + 1
    return found


def _number(page: Page, scale: Scale) -> NDArray[Any]:
    """0 where the style says no number: auto, percentages."""

    def read(text: str) -> float:
        value = _value(text, scale)
        if value is None:
            return 0.0
        return min(1.0, max(0.0, (value - scale.low) / (scale.high - scale.low)))

    return page.values(scale.property, read, 0.0)


def _value(text: str, scale: Scale) -> float | None:
    if scale.channel is None:
        return NUMBERS[scale.property](text)
    colour = parse_colour(text)
    return None if colour is None else colour[CHANNELS.index(scale.channel)]


def _chosen(page: Page, choice: Choice) -> NDArray[Any]:
    """The place of each node's value among those of a property; the last is for others."""
    places = {value: place for place, value in enumerate(choice.values)}
    other = len(choice.values)
    if choice.property != NAME:
        return page.values(choice.property, lambda text: places.get(text, other), other)
    column = page.nodes["name"].combine_chunks()
    of_name = np.array([places.get(name, other) for name in column.dictionary.to_pylist()])
    found: NDArray[Any] = of_name[column.indices.to_numpy()]
    return found
