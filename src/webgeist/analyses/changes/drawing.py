"""Two versions of a page side by side, with what changed drawn on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from webgeist.analyses.changes.items import Kind

if TYPE_CHECKING:
    from webgeist.analyses.changes.change import Change
    from webgeist.analyses.changes.regions import Region
    from webgeist.capture.screenshot import Screenshot

    Box = tuple[float, float, float, float]

_COLOURS = {
    Kind.ADDED: (24, 140, 60),
    Kind.REMOVED: (214, 39, 40),
    Kind.EDITED: (31, 90, 220),
    Kind.MOVED: (150, 60, 190),
    Kind.RESTYLED: (150, 150, 150),
}
_GAP = 16  # pixels between the versions
_IMPORTANT = 5  # pixels of the line around a region that counts
_OTHER = 1
_MARGIN = 3  # pixels between a region and its line
_TALLEST = 20_000  # pixels of the picture


def draw_change(before: Screenshot, after: Screenshot, change: Change) -> Image.Image:
    """The first version on the left, the second on the right. Lines around what counts as content
    are thick; added is green, removed red, edited blue, moved violet, restyled grey.
    """
    left, right = _drawn(before, change, first=True), _drawn(after, change, first=False)
    height = max(left.height, right.height)
    canvas = Image.new("RGB", (left.width + _GAP + right.width, height), (60, 60, 60))
    canvas.paste(left, (0, 0))
    canvas.paste(right, (left.width + _GAP, 0))
    return canvas


def _drawn(shot: Screenshot, change: Change, *, first: bool) -> Image.Image:
    image = shot.image()
    image = image.crop((0, 0, image.width, min(image.height, _TALLEST)))
    draw = ImageDraw.Draw(image)
    for region in reversed(change.regions):
        box = region.before if first else region.after
        if box is not None:
            _frame(draw, box, region, image.width)
    return image


def _frame(draw: ImageDraw.ImageDraw, box: Box, region: Region, width: int) -> None:
    left, top, right, bottom = box
    line = _IMPORTANT if region.chance >= 0.5 else _OTHER  # noqa: PLR2004 - more likely than not
    frame = (
        max(0, left - _MARGIN),
        max(0, top - _MARGIN),
        min(width - 1, right + _MARGIN),
        bottom + _MARGIN,
    )
    draw.rectangle(frame, None, _COLOURS[region.kind], line)
