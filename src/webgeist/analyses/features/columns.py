"""The features of blocks: name, unit and meaning of each. docs/analyses.md is made from this.

Names are those of the Webzeitgeist paper's queries where it shows them (`aspectRatio`,
`leftSidedness`, `topSidedness`); the others follow their manner.
"""

from __future__ import annotations

from typing import NamedTuple

import pyarrow as pa

_FLOAT, _INT = pa.float32(), pa.int32()
COLOUR = pa.struct(
    [*(pa.field(name, pa.uint8()) for name in "rgb"), pa.field("share", pa.float32())]
)


class Feature(NamedTuple):
    """One column. What needs the picture is null without one."""

    name: str
    type: pa.DataType
    unit: str
    meaning: str


POSITION = (
    Feature("x", _FLOAT, "px", "left edge"),
    Feature("y", _FLOAT, "px", "top edge"),
    Feature("fractionalX", _FLOAT, "0-1", "left edge, of the page's width"),
    Feature("fractionalY", _FLOAT, "0-1", "top edge, of the page's height"),
    Feature("leftSidedness", _FLOAT, "0-1", "share of its width in the left half of the page"),
    Feature("topSidedness", _FLOAT, "0-1", "share of its height in the upper half of the page"),
)
DIMENSION = (
    Feature("area", _FLOAT, "px²", "width times height"),
    Feature("width", _FLOAT, "px", ""),
    Feature("height", _FLOAT, "px", ""),
    Feature("aspectRatio", _FLOAT, "", "width by height"),
    Feature("areaOfParent", _FLOAT, "0-1", "share of the parent block's area; 1 for the page"),
    Feature("areaOfPage", _FLOAT, "0-1", "share of the page's area"),
    Feature("heightOfParent", _FLOAT, "0-1", ""),
    Feature("heightOfPage", _FLOAT, "0-1", ""),
    Feature("widthOfParent", _FLOAT, "0-1", ""),
    Feature("widthOfPage", _FLOAT, "0-1", ""),
)
CONTENT = (
    Feature("images", _INT, "", "image blocks in it, itself included"),
    Feature("links", _INT, "", "links that can be seen in it"),
    Feature("words", _INT, "", "words that can be seen in it; each ideograph is one"),
)
STRUCTURE = (
    Feature("children", _INT, "", "blocks right below it"),
    Feature("siblings", _INT, "", "other blocks with the same parent"),
    Feature("siblingOrder", _INT, "", "its place among those, from 0"),
    Feature("fractionalSiblingOrder", _FLOAT, "0-1", "the same, of the last place; 0 alone"),
    Feature("level", _INT, "", "depth in the hierarchy, 0 for the page"),
    Feature("fractionalLevel", _FLOAT, "0-1", "the same, of the deepest block's"),
)
VISION = (
    *(Feature(f"average{c}", _FLOAT, "0-255", f"mean of channel {c}") for c in "RGB"),
    *(
        Feature(f"frequent{c}", pa.uint8(), "0-255", f"most frequent colour, channel {c}")
        for c in "RGB"
    ),
    Feature("edgePixels", pa.int64(), "px", "pixels on edges (Canny, thresholds 100 and 200)"),
    Feature("edgeShare", _FLOAT, "0-1", "the same, of all pixels"),
)
TODAY = (
    Feature(
        "contrast",
        _FLOAT,
        "1-21",
        "of a text block: WCAG contrast of its text colour with the block's most frequent colour",
    ),
    Feature("whitespace", _FLOAT, "0-1", "share of pixels in the most frequent colour, off edges"),
    Feature("textDensity", _FLOAT, "0-1", "share of its area under boxes of text"),
    Feature(
        "font",
        pa.dictionary(_INT, pa.string()),
        "",
        "the first family in the `font-family` that most of its words have; null without",
    ),
    Feature("palette", pa.list_(COLOUR), "", "up to five dominant colours and their shares"),
)
FEATURES = (*POSITION, *DIMENSION, *CONTENT, *STRUCTURE, *VISION, *TODAY)
SCHEMA = pa.schema(
    [
        pa.field("block", pa.int32(), nullable=False),
        *(pa.field(feature.name, feature.type) for feature in FEATURES),
    ]
)
