"""Pages made by hand, without a browser: boxes and styles as told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from webgeist.page.model import Document, Page
from webgeist.page.schema import NODES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Node = tuple[str, int, str | None, dict[str, str]]  # name, parent, text, attributes
Box = tuple[float, float, float, float]


def make_page(nodes: Sequence[Node], boxes: Sequence[Box | None] | None = None) -> Page:
    """Nodes in document order below a root that is given with them."""
    ends = list(range(1, len(nodes) + 1))
    depth = [0] * len(nodes)
    for number, (_, parent, _, _) in enumerate(nodes):
        depth[number] = 0 if parent < 0 else depth[parent] + 1
    for number in range(len(nodes) - 1, 0, -1):
        parent = nodes[number][1]
        ends[parent] = max(ends[parent], ends[number])
    rows = []
    for number, (name, parent, text, attributes) in enumerate(nodes):
        box = boxes[number] if boxes else None
        is_text = name == "#text"
        rows.append(
            {
                "node": number,
                "document": 0,
                "parent": None if parent < 0 else parent,
                "end": ends[number],
                "depth": depth[number],
                "type": 3 if is_text else 1,
                "name": name,
                "text": text,
                "attributes": list(attributes.items()),
                "x": box[0] if box else None,
                "y": box[1] if box else None,
                "width": box[2] if box else None,
                "height": box[3] if box else None,
                "stacking_context": False,
                "style_inherited": 0,
                "style_own": 0,
                "checked": False,
                "selected": False,
                "clickable": name == "a",
            }
        )
    inherited = pa.table(
        {
            "style": pa.array([0], pa.int32()),
            "nodes": pa.array([len(nodes)], pa.int32()),
            "color": ["red"],
            "direction": ["ltr"],
        }
    )
    own = pa.table(
        {
            "style": pa.array([0], pa.int32()),
            "nodes": pa.array([len(nodes)], pa.int32()),
            "display": ["inline"],
        }
    )
    url = "https://example.org/list"
    document = Document(url, url, "", "en", "UTF-8", None, 0, 0, 1280, 2000)
    return Page(pa.Table.from_pylist(rows, schema=NODES), inherited, own, (document,))


@pytest.fixture
def page_of() -> Callable[..., Page]:
    return make_page
