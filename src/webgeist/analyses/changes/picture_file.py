"""A picture from a file, to be compared as a capture's own."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from PIL import Image, UnidentifiedImageError

from webgeist.capture.screenshot import Area, Screenshot, ScreenshotInfo
from webgeist.errors import LimitError, NotFoundError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

_SUFFIXES = frozenset({".png", ".jpg", ".jpeg"})
_FORMATS = {"PNG": "png", "JPEG": "jpeg"}
_MOST_PIXELS = 400_000_000


def is_picture(path: Path) -> bool:
    """By its name."""
    return path.suffix.lower() in _SUFFIXES


def open_picture(path: Path, most_pixels: int = _MOST_PIXELS) -> Screenshot:
    """A PNG or JPEG file. It is not decoded before it is known to be small enough."""
    try:
        data = path.read_bytes()
        with Image.open(io.BytesIO(data), formats=tuple(_FORMATS)) as image:
            (width, height), format_ = image.size, _FORMATS[image.format or ""]
    except OSError as error:
        if isinstance(error, UnidentifiedImageError):
            raise UsageError(f"{path} is no PNG or JPEG picture") from error
        raise NotFoundError(f"cannot read {path}: {error.strerror}") from error
    if width * height > most_pixels:
        raise LimitError(f"{path} has {width} x {height} pixels", remedy="give a smaller picture")
    area = Area(0, 0, width, height)
    return Screenshot(ScreenshotInfo(format_, width, height, cut=False, areas=(area,)), (data,))
