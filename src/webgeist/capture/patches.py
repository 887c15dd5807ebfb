"""Puts pictures of parts of a page into the tiles that lack them."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webgeist.capture.screenshot import Area


@dataclass(frozen=True)
class Patch:
    """A picture of a part of a page, without loss."""

    area: Area
    picture: bytes


def finished(tile: bytes, area: Area, patches: Iterable[Patch], kind: str, quality: int) -> bytes:
    """A tile, given without loss, with what the patches show of its area; in the wanted format."""
    with Image.open(io.BytesIO(tile)) as opened:
        canvas = opened.convert("RGB")
    for patch in patches:
        if patch.area.meets(area):
            with Image.open(io.BytesIO(patch.picture)) as part:
                place = (patch.area.x - area.x, patch.area.y - area.y)
                canvas.paste(part.convert("RGB"), place)
    return _encoded(canvas, kind, quality)


def _encoded(image: Image.Image, kind: str, quality: int) -> bytes:
    buffer = io.BytesIO()
    if kind == "jpeg":
        image.save(buffer, "JPEG", quality=quality)
    else:
        image.save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()
