"""The windows that pages are seen through."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from webgeist.errors import UsageError

_SIZE = re.compile(r"([1-9]\d{1,4})x([1-9]\d{1,4})", re.ASCII)
_LARGEST = 16_384


@dataclass(frozen=True)
class Viewport:
    """Size in CSS pixels; `scale` is device pixels per CSS pixel. Screenshots are in CSS pixels."""

    name: str
    width: int
    height: int
    scale: float = 1.0
    mobile: bool = False

    def metrics(self) -> dict[str, Any]:
        """As `Emulation.setDeviceMetricsOverride` takes it."""
        return {
            "width": self.width,
            "height": self.height,
            "deviceScaleFactor": self.scale,
            "mobile": self.mobile,
        }


VIEWPORTS = {
    viewport.name: viewport
    for viewport in (
        Viewport("desktop", 1280, 960),
        Viewport("laptop", 1440, 900),
        Viewport("tablet", 820, 1180, scale=2, mobile=True),
        Viewport("mobile", 390, 844, scale=2, mobile=True),
    )
}


def parse_viewport(text: str) -> Viewport:
    """A viewport by name, or WIDTHxHEIGHT."""
    if text in VIEWPORTS:
        return VIEWPORTS[text]
    match = _SIZE.fullmatch(text)
    if match and max(int(match[1]), int(match[2])) <= _LARGEST:
        return Viewport(text, int(match[1]), int(match[2]))
    names = ", ".join(VIEWPORTS)
    raise UsageError(
        f"{text!r} is no viewport", remedy=f"use {names} or WIDTHxHEIGHT, for example 1280x960"
    )
