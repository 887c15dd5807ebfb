"""Where blocks are, how large they are, and how they stand in the hierarchy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webgeist.page.hierarchy import Hierarchy

    Columns = dict[str, NDArray[Any]]


def geometry(found: Hierarchy) -> Columns:
    """The features of position and dimension of all blocks. Block 0 is the page."""
    box = found.box.astype(np.float64)
    width, height = box[:, 2] - box[:, 0], box[:, 3] - box[:, 1]
    whole = box[0, 2:] - box[0, :2] if len(box) else np.ones(2)
    up = np.maximum(found.parent, 0)
    area = width * height
    return {
        "x": box[:, 0],
        "y": box[:, 1],
        "fractionalX": box[:, 0] / whole[0],
        "fractionalY": box[:, 1] / whole[1],
        "leftSidedness": _share_before(box[:, 0], width, whole[0] / 2),
        "topSidedness": _share_before(box[:, 1], height, whole[1] / 2),
        "area": area,
        "width": width,
        "height": height,
        "aspectRatio": width / height,
        "areaOfParent": area / area[up],
        "areaOfPage": area / (whole[0] * whole[1]),
        "heightOfParent": height / height[up],
        "heightOfPage": height / whole[1],
        "widthOfParent": width / width[up],
        "widthOfPage": width / whole[0],
    }


def _share_before(start: NDArray[Any], length: NDArray[Any], line: float) -> NDArray[Any]:
    """How much of each stretch lies before a line."""
    share: NDArray[Any] = np.clip((line - start) / length, 0, 1)
    return share


def structure(found: Hierarchy) -> Columns:
    """The features of structure."""
    parent = found.parent
    children = np.bincount(parent[parent >= 0], minlength=len(parent))
    siblings = np.where(parent >= 0, children[np.maximum(parent, 0)] - 1, 0)
    deepest = max(int(found.depth.max(initial=0)), 1)
    return {
        "children": children,
        "siblings": siblings,
        "siblingOrder": found.order,
        "fractionalSiblingOrder": found.order / np.maximum(siblings, 1),
        "level": found.depth,
        "fractionalLevel": found.depth / deepest,
    }
