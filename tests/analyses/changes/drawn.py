"""Pictures of pages for tests, drawn without a browser."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from tests.analyses.changes.pages import LAST, MORE, PROSE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

TEXT = (PROSE, MORE, LAST, PROSE[::-1], MORE[::-1], LAST[::-1])


def drawn(
    lines: Sequence[str] = TEXT,
    *,
    menu: Sequence[str] = ("Home", "Sport", "Weather"),
    footer: str = "Imprint",
    top: int = 0,
    width: int = 1280,
    height: int = 900,
) -> NDArray[np.uint8]:
    """A page's brightness: a menu, a column of text and a footer, all of it moved by `top`."""
    image = Image.new("L", (width, height), "white")
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(18)
    for number, entry in enumerate(menu):
        pen.text((40 + 160 * number, 20 + top), entry, "navy", font)
    for number, line in enumerate(lines):
        pen.text((200, 120 + top + 40 * number), line, "black", font)
    pen.text((200, height - 60), footer, "grey", font)
    return np.asarray(image)


def encoded(pixels: NDArray[np.uint8], form: str = "PNG") -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, form, quality=85)
    return buffer.getvalue()


def decoded(data: bytes) -> NDArray[np.uint8]:
    with Image.open(io.BytesIO(data)) as image:
        return np.asarray(image.convert("L"))
