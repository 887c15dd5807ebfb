"""One node of a stored page, and the picture of a part of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from webgeist.capture.screenshot import Area
from webgeist.errors import NotFoundError

if TYPE_CHECKING:
    import pyarrow as pa
    from PIL.Image import Image

    from webgeist.capture.screenshot import Screenshot

_BOX = ("x", "y", "width", "height")


class Styled(Protocol):
    """A page, or what it is unpacked from."""

    @property
    def nodes(self) -> pa.Table: ...

    def style(self, node: int) -> dict[str, str]: ...


@dataclass(frozen=True)
class StoredNode:
    """A node: the columns of `nodes` by name, and all its computed longhands, if it has layout."""

    capture: str
    columns: dict[str, Any]
    styles: dict[str, str]

    def __getitem__(self, column: str) -> Any:
        return self.columns[column]

    @property
    def node(self) -> int:
        number: int = self.columns["node"]
        return number

    @property
    def box(self) -> tuple[float, float, float, float] | None:
        """x, y, width and height in CSS pixels of the page; None without layout."""
        x, y, width, height = (self.columns[name] for name in _BOX)
        return None if x is None else (x, y, width, height)


def stored_node(capture: str, page: Styled | None, node: int) -> StoredNode:
    """A node of a page. NotFoundError where the page has no such node."""
    count = 0 if page is None else page.nodes.num_rows
    if page is None or not 0 <= node < count:
        remedy = f"its nodes are 0 to {count - 1}" if count else "it has no page"
        raise NotFoundError(f"capture {capture} has no node {node}", remedy=remedy)
    (columns,) = page.nodes.slice(node, 1).to_pylist()
    columns["attributes"] = dict(columns["attributes"] or ())
    return StoredNode(capture, columns, page.style(node))


def cropped(
    capture: str, screenshot: Screenshot | None, box: tuple[float, float, float, float]
) -> Image:
    """The part of a picture that a box covers. NotFoundError where there is nothing of it."""
    if screenshot is None:
        raise NotFoundError(f"capture {capture} has no screenshot")
    area = _within(box, screenshot.info.width, screenshot.info.height)
    if area.width < 1 or area.height < 1:
        size = f"{screenshot.info.width}x{screenshot.info.height} pixels"
        raise NotFoundError(f"capture {capture} shows nothing there", remedy=f"it has {size}")
    return screenshot.image(area)


def _within(box: tuple[float, float, float, float], width: int, height: int) -> Area:
    """Whole pixels that cover the box, and none outside of the picture."""
    x, y, across, down = box
    left, top = max(0, math.floor(x)), max(0, math.floor(y))
    right, bottom = min(width, math.ceil(x + across)), min(height, math.ceil(y + down))
    return Area(left, top, right - left, bottom - top)
