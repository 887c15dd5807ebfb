"""The features of all blocks of a page, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from webgeist.analyses.analysis import Analysis
from webgeist.analyses.features.columns import COLOUR, SCHEMA
from webgeist.analyses.features.content import Content
from webgeist.analyses.features.contrast import contrast
from webgeist.analyses.features.geometry import geometry, structure
from webgeist.analyses.features.vision import look

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webgeist.analyses.analysis import Subject
    from webgeist.analyses.features.vision import Vision


def features(subject: Subject) -> pa.Table:
    """A row for each block. Columns that need the picture are null where there is none."""
    return subject.shared("features", lambda: _features(subject))


def _features(subject: Subject) -> pa.Table:
    found = subject.hierarchy
    content = Content(subject.page, found)
    columns: dict[str, Any] = {"block": np.arange(len(found), dtype=np.int32)}
    columns |= geometry(found) | content.columns() | structure(found)
    columns["textDensity"] = content.text_density()
    columns["font"] = pa.array(content.fonts(), pa.string()).dictionary_encode()
    if subject.capture.screenshot is not None:
        columns |= _seen(look(subject.picture, subject.boxes), content.colours())
        columns["edgePixels"] = columns["edgePixels"] * subject.reduced**2
    return pa.table([_column(columns, field, len(found)) for field in SCHEMA], schema=SCHEMA)


def _column(columns: dict[str, Any], field: pa.Field, rows: int) -> pa.Array:
    if field.name not in columns:
        return pa.nulls(rows, field.type)
    values = columns[field.name]
    if isinstance(values, np.ndarray):
        return pa.array(values, from_pandas=True).cast(field.type)
    return values


def _seen(vision: Vision, text_colours: NDArray[np.float64]) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    for place, channel in enumerate("RGB"):
        columns[f"average{channel}"] = vision.average[:, place]
        columns[f"frequent{channel}"] = vision.frequent[:, place]
    columns["edgePixels"] = vision.edges
    columns["edgeShare"] = vision.edge_share
    columns["whitespace"] = vision.whitespace
    columns["contrast"] = _contrast(text_colours, vision.frequent)
    columns["palette"] = _palettes(vision)
    return columns


def _contrast(text: NDArray[np.float64], behind: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Null where there is no text."""
    found = np.full(len(text), np.nan)
    said = ~np.isnan(text[:, 0])
    found[said] = contrast(text[said], behind[said])
    return found


def _palettes(vision: Vision) -> pa.Array:
    used = vision.palette_shares > 0
    parts = [np.ascontiguousarray(vision.palette[..., place][used]) for place in range(3)]
    shares = vision.palette_shares[used].astype(np.float32)
    colours = pa.StructArray.from_arrays(
        [*map(pa.array, parts), pa.array(shares)], fields=list(COLOUR)
    )
    offsets = np.concatenate([[0], np.cumsum(used.sum(axis=1))]).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), colours)


FEATURES_ANALYSIS = Analysis("features", "1", SCHEMA, features)
