"""Pictures of what analyses found: blocks drawn on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from webgeist.page.hierarchy import Kind

if TYPE_CHECKING:
    from webgeist.analyses.analysis import Subject

_COLOURS = {
    Kind.BOX: (214, 39, 40),
    Kind.TEXT: (31, 90, 220),
    Kind.IMAGE: (24, 140, 60),
    Kind.CONTROL: (150, 60, 190),
}
_WIDE = 3  # pixels of a line around a box; one around a leaf


def draw_blocks(subject: Subject) -> Image.Image:
    """The page's picture with a frame around each block, in the colour of its kind."""
    image = Image.fromarray(subject.picture)
    draw = ImageDraw.Draw(image)
    for box, kind in zip(subject.boxes.tolist(), subject.hierarchy.kinds(), strict=True):
        left, top, right, bottom = box
        if right > left and bottom > top:
            width = _WIDE if kind is Kind.BOX else 1
            draw.rectangle((left, top, right - 1, bottom - 1), None, _COLOURS[kind], width)
    return image
