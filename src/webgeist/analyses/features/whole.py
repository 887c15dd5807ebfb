"""What a page is as a whole: one row of its size, structure, content and colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webgeist.analyses.analysis import Analysis
from webgeist.analyses.features.columns import COLOUR, Feature
from webgeist.analyses.features.table import features

if TYPE_CHECKING:
    from webgeist.analyses.analysis import Subject

_FLOAT, _INT = pa.float32(), pa.int32()

WHOLE = (
    Feature("width", _FLOAT, "px", ""),
    Feature("height", _FLOAT, "px", ""),
    Feature("aspectRatio", _FLOAT, "", "width by height"),
    Feature("nodes", _INT, "", "nodes of the DOM"),
    Feature("depth", _INT, "", "of the DOM's deepest node, from 0"),
    Feature("blocks", _INT, "", "blocks of the visual hierarchy, the page included"),
    Feature("level", _INT, "", "of the deepest block, from 0"),
    Feature("leaves", _INT, "", "blocks that hold no others"),
    Feature("images", _INT, "", "image blocks"),
    Feature("links", _INT, "", "links that can be seen"),
    Feature("words", _INT, "", "words that can be seen"),
    Feature("fonts", _INT, "", "different families that texts are set in"),
    Feature("contrast", _FLOAT, "1-21", "median of its texts"),
    Feature("textDensity", _FLOAT, "0-1", "share of its area under boxes of text"),
    Feature("edgeShare", _FLOAT, "0-1", "share of pixels on edges"),
    Feature("whitespace", _FLOAT, "0-1", "share of pixels in the most frequent colour, off edges"),
    Feature("palette", pa.list_(COLOUR), "", "up to five dominant colours and their shares"),
)
SCHEMA = pa.schema([pa.field(each.name, each.type) for each in WHOLE])
_OF_THE_PAGE = (
    *("width", "height", "aspectRatio", "images", "links", "words"),
    *("textDensity", "edgeShare", "whitespace", "palette"),
)


def whole(subject: Subject) -> pa.Table:
    """One row; none for a page that shows nothing."""
    found, rows = subject.hierarchy, features(subject)
    if not rows.num_rows:
        return SCHEMA.empty_table()
    first: dict[str, Any] = rows.slice(0, 1).select(_OF_THE_PAGE).to_pylist()[0]
    fonts = rows["font"].combine_chunks().drop_null()
    row = first | {
        "nodes": len(subject.page),
        "depth": len(subject.page.levels) - 1,
        "blocks": len(found),
        "level": int(found.depth.max()),
        "leaves": int((found.end == np.arange(len(found)) + 1).sum()),
        "fonts": pc.count_distinct(fonts.cast(pa.string())).as_py(),
        "contrast": pc.quantile(rows["contrast"], 0.5)[0].as_py(),
    }
    return pa.Table.from_pylist([row], schema=SCHEMA)


WHOLE_ANALYSIS = Analysis("pages", "1", SCHEMA, whole)
