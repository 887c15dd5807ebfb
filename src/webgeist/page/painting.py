"""What each node adds to a page's picture: where it is seen, and whether it paints anything.

Everything is worked out level by level for all nodes of a depth at once. A box is cut to the clips
above it: those of ancestors that hide what overflows, as far as its position lets them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import pyarrow.compute as pc

from webgeist.page.colours import parse_colour
from webgeist.page.model import ELEMENT, TEXT

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from webgeist.page.model import Page

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.floating]
    Ints = NDArray[np.integer]

IMAGES = ("img", "svg", "canvas", "video", "object", "embed")
CONTROLS = ("input", "select", "textarea", "progress", "meter", "audio")
FRAMES = ("iframe", "frame", "fencedframe")
_SIDES = ("left", "top", "right", "bottom")
_FLOW, _ABSOLUTE, _FIXED = range(3)  # whose clips count: all, those of positioned ones, none
_POSITIONS = {"absolute": _ABSOLUTE, "fixed": _FIXED}
# Properties that make an element hold its absolute, or even its fixed, descendants.
_HOLDING = ("transform", "perspective", "filter", "rotate", "scale", "translate")
_UNSEEN = 1 / 255  # an opacity below which no colour changes by a step


@dataclass(frozen=True)
class Painting:
    """For every node of a page. Lengths are CSS pixels of the page.

    `seen` is what is left of its box (left, top, right, bottom), zeros where nothing is. `paints`:
    it shows something of its own there. `opaque`: nothing behind it shows through. `order` ranks
    nodes by when they are painted, an ancestor before its descendants. `layer` is the nearest node
    at a fixed place on the screen that it moves with, or -1.
    """

    seen: Floats
    paints: Bools
    opaque: Bools
    order: Ints
    layer: Ints

    @property
    def visible(self) -> Bools:
        """The nodes with any area that can be seen."""
        return (self.seen[:, 2] > self.seen[:, 0]) & (self.seen[:, 3] > self.seen[:, 1])


def painting(page: Page, *, unrolled: bool = False) -> Painting:
    """What the nodes of a page paint, and where. `unrolled`: as if whatever can be scrolled were as
    large as what is in it.
    """
    own = _Own(page, _hides_for_good if unrolled else _hides)
    extent = (np.inf, np.inf) if unrolled else (page.documents[0].width, page.documents[0].height)
    seen, layer, order, opacity = _descend(page, own, extent)
    hidden = own.hidden | (opacity < _UNSEEN) | ~np.isfinite(seen).all(axis=1)
    seen[hidden | (seen[:, 2] <= seen[:, 0]) | (seen[:, 3] <= seen[:, 1])] = 0
    shown = seen[:, 2] > seen[:, 0]
    texts = own.has_text
    paints = shown & (texts | ~own.text & (own.painted | own.replaced))
    opaque = shown & own.solid & (opacity >= 1)
    ranks = np.lexsort((np.arange(len(page)), order))
    place = np.empty(len(page), np.int32)
    place[ranks] = np.arange(len(page), dtype=np.int32)
    return Painting(seen.astype(np.float32), paints, opaque, place, layer)


class _Own:
    """What the styles of each node say, before its ancestors have a say."""

    def __init__(self, page: Page, hides: Callable[[str], bool]) -> None:
        box = page.boxes.astype(np.float64)
        self.box = np.column_stack(
            [box[:, 0], box[:, 1], box[:, 0] + box[:, 2], box[:, 1] + box[:, 3]]
        )
        self.text = page.type == TEXT  # its style is a copy of its parent's
        self.has_text = _has_text(page)
        self.replaced = page.named(*IMAGES, *CONTROLS, *FRAMES)
        # The page's own root and body hand their overflow on to the window.
        self.windowed = page.named("html", "body") & (page.document == 0)
        self.position = self._position(page)
        self.holds_absolute, self.holds_fixed = self._holding(page)
        self.clips = self._clips(page, hides)
        self.opacity = np.where(self.text, 1.0, page.values("opacity", _number, 1.0))
        self.hidden = np.isnan(box[:, 0]) | page.values("visibility", _is_hidden, True)
        self.hidden |= ~self.text & _clipped_away(page)
        alpha = page.values("background-color", _alpha, 0.0)
        round_ = np.maximum.reduce(
            [page.values(f"border-{corner}-radius", _pixels, 0.0) for corner in _CORNERS]
        )
        self.painted = (alpha > 0) | page.values("background-image", _is_some, False)
        self.painted |= page.values("box-shadow", _is_some, False) | _has_border(page)
        self.solid = ~self.text & (alpha >= 1) & (round_ < 1)

    def _position(self, page: Page) -> Ints:
        found = page.values("position", lambda text: _POSITIONS.get(text, _FLOW), _FLOW)
        return np.where(self.text, _FLOW, found).astype(np.int32)

    def _holding(self, page: Page) -> tuple[Bools, Bools]:
        fixed = np.logical_or.reduce([page.values(name, _is_some, False) for name in _HOLDING])
        positioned = page.values("position", lambda text: text != "static", False)
        return fixed | positioned, fixed

    def _clips(self, page: Page, hides: Callable[[str], bool]) -> tuple[Bools, Bools]:
        """Which nodes hide what overflows them, to the sides and to top and bottom."""
        block = (page.type == ELEMENT) & page.values("display", _clips_at_all, False)
        frames = page.named(*FRAMES) & hides("auto")
        across, down = (
            frames | block & ~self.windowed & page.values(f"overflow-{axis}", hides, False)
            for axis in "xy"
        )
        return across, down


def _descend(
    page: Page, own: _Own, extent: tuple[float, float]
) -> tuple[Floats, Ints, Ints, Floats]:
    """What is left of each box below all clips; its layer, time of painting and opacity."""
    size = len(page)
    whole = (0.0, 0.0, *extent)
    clip = np.empty((size + 1, 3, 4))  # for what is below a node: by position; the last is no node
    clip[-1] = whole
    seen = np.zeros((size, 4))
    layer = np.full(size + 1, -1, np.int32)
    order = np.append(page.paint_order, 0)
    opacity = np.append(own.opacity, 1.0)
    for nodes in page.levels:
        above = page.parent[nodes]  # -1, the last, for a root
        cut = clip[above, own.position[nodes]]
        seen[nodes] = _meet(own.box[nodes], cut)
        clip[nodes] = _inner(own, nodes, clip[above], cut)
        fixed = own.position[nodes] == _FIXED
        layer[nodes] = np.where(fixed, nodes, layer[above])
        order[nodes] = np.maximum(order[nodes], order[above])
        opacity[nodes] *= opacity[above]
    return seen, layer[:-1], order[:-1], opacity[:-1]


def _inner(own: _Own, nodes: Ints, above: Floats, cut: Floats) -> Floats:
    """The clips for what is below these nodes."""
    inside = cut.copy()
    for hides, (low, high) in zip(own.clips, ((0, 2), (1, 3)), strict=True):
        which = hides[nodes]
        box = own.box[nodes[which]]
        inside[which, low] = np.maximum(inside[which, low], box[:, low])
        inside[which, high] = np.minimum(inside[which, high], box[:, high])
    inner = above.copy()
    inner[:, _FLOW] = inside
    absolute, fixed = own.holds_absolute[nodes], own.holds_fixed[nodes]
    inner[absolute, _ABSOLUTE] = inside[absolute]
    inner[fixed, _FIXED] = inside[fixed]
    return inner


def _meet(one: Floats, other: Floats) -> Floats:
    low = np.maximum(one[:, :2], other[:, :2])
    return np.column_stack([low, np.minimum(one[:, 2:], other[:, 2:])])


def _has_text(page: Page) -> Bools:
    """Text nodes and pseudo-elements with something other than white space in them."""
    trimmed = pc.utf8_trim_whitespace(page.nodes["rendered_text"])
    found: Bools = pc.fill_null(pc.greater(pc.utf8_length(trimmed), 0), False).to_numpy()
    return found


def _has_border(page: Page) -> Bools:
    """Whether any side has a border, or the outside an outline, that can be seen."""
    sides = [f"border-{side}" for side in _SIDES] + ["outline"]
    seen = [
        (page.values(f"{side}-width", _pixels, 0.0) > 0)
        & page.values(f"{side}-style", _is_drawn, False)
        & (page.values(f"{side}-color", _alpha, 0.0) > 0)
        for side in sides
    ]
    found: Bools = np.logical_or.reduce(seen)
    return found


def _clipped_away(page: Page) -> Bools:
    """Elements that only screen readers find, by the two usual ways."""
    by_rectangle = page.values("clip", _is_empty_rectangle, False)
    absolute = page.values("position", lambda text: text in _POSITIONS, False)
    by_path = page.values("clip-path", lambda text: text in _NO_PATHS, False)
    found: Bools = (by_rectangle & absolute) | by_path
    return found


_CORNERS = ("top-left", "top-right", "bottom-right", "bottom-left")
_NO_PATHS = frozenset(
    {"inset(50%)", "inset(100%)", "circle(0px)", "circle(0%)", "circle(0px at 50% 50%)"}
)


@lru_cache(maxsize=4096)
def _alpha(text: str) -> float:
    colour = parse_colour(text)
    return 1.0 if colour is None else colour.alpha  # in a space unknown to us it is one still


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 1.0


def _pixels(text: str) -> float:
    first = text.split(maxsplit=1)[0] if text else ""
    number = first.removesuffix("px").removesuffix("%")
    try:
        return float(number)
    except ValueError:
        return 0.0


def _is_hidden(text: str) -> bool:
    return text != "visible"


def _is_some(text: str) -> bool:
    return text != "none"


def _is_drawn(text: str) -> bool:
    return text not in ("none", "hidden")


def _hides(text: str) -> bool:
    return text != "visible"


def _hides_for_good(text: str) -> bool:
    return text in ("hidden", "clip")


def _clips_at_all(text: str) -> bool:
    return text not in ("inline", "contents")


def _is_empty_rectangle(text: str) -> bool:
    if not text.startswith("rect("):
        return False
    top, right, bottom, left = (_pixels(part) for part in _sides(text))
    return bottom <= top or right <= left


def _sides(text: str) -> list[str]:
    parts = text.removeprefix("rect(").removesuffix(")").replace(",", " ").split()
    return parts if len(parts) == len(_SIDES) else ["0px", "1px", "1px", "0px"]
