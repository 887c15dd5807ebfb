"""Computed CSS colours as sRGB numbers.

Chromium serialises legacy colours as rgb() and rgba(), and modern ones in the space in which they
were written. Conversions follow CSS Color 4; what lies outside sRGB is clipped, as on a screen.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_CALL = re.compile(r"(rgba?|color|oklab|oklch|lab|lch)\(([^()]*)\)")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?", re.IGNORECASE)
_OPAQUE_PARTS, _ALL_PARTS = 3, 4

_Triple = tuple[float, float, float]
_Matrix = tuple[_Triple, _Triple, _Triple]

_OKLAB_TO_LMS: _Matrix = (
    (1.0, 0.3963377773761749, 0.2158037573099136),
    (1.0, -0.1055613458156586, -0.0638541728258133),
    (1.0, -0.0894841775298119, -1.2914855480194092),
)
_LMS_TO_LINEAR: _Matrix = (
    (4.0767416360759583, -3.3077115392580629, 0.2309699031821043),
    (-1.2684379732850315, 2.6097573492876882, -0.3413193760026570),
    (-0.0041960761386756, -0.7034186179359362, 1.7076146940746117),
)
_XYZ_D50_TO_LINEAR: _Matrix = (
    (3.1341358529001178, -1.6173863321612538, -0.4906619460083532),
    (-0.978795502912089, 1.916254567259524, 0.03344273116131949),
    (0.07195537988411677, -0.2289768264158322, 1.405386058324125),
)
_P3_TO_LINEAR: _Matrix = (
    (1.2249401762805598, -0.2249401762805597, 0.0),
    (-0.0420569547096881, 1.0420569547096881, 0.0),
    (-0.0196375545903344, -0.0786360455506319, 1.0982736001409663),
)
_D50 = (0.9642956764295677, 1.0, 0.8251046025104602)
_WHOLES: dict[str, _Triple] = {
    "rgb": (255.0, 255.0, 255.0),
    "rgba": (255.0, 255.0, 255.0),
    "lab": (100.0, 125.0, 125.0),
    "lch": (100.0, 150.0, 360.0),
    "oklab": (1.0, 0.4, 0.4),
    "oklch": (1.0, 0.4, 360.0),
}
_KAPPA, _EPSILON = 24389 / 27, 6 / 29


class Colour(NamedTuple):
    """Channels 0 to 255, alpha 0 to 1."""

    r: int
    g: int
    b: int
    alpha: float


def parse_colour(text: str) -> Colour | None:
    """The colour, or None where the text is none or its space is not known here."""
    match = _CALL.fullmatch(text.strip())
    if match is None:
        return None
    name, inside = match[1], match[2]
    words = inside.replace(",", " ").replace("/", " ").split()
    space = words.pop(0) if name == "color" and words else name
    numbers = [_number(word, index, space) for index, word in enumerate(words)]
    if len(numbers) not in (_OPAQUE_PARTS, _ALL_PARTS) or None in numbers:
        return None
    first, second, third, alpha = [number or 0.0 for number in [*numbers, 1.0][:_ALL_PARTS]]
    convert = _TO_SRGB.get(space)
    if convert is None:
        return None
    red, green, blue = convert((first, second, third))
    return Colour(_byte(red), _byte(green), _byte(blue), min(1.0, max(0.0, alpha)))


def _number(word: str, index: int, space: str) -> float | None:
    """One part; `none` is 0, a percentage is of what the space calls whole."""
    if word == "none":
        return 0.0
    bare = word.removesuffix("%").removesuffix("deg")
    if not _NUMBER.fullmatch(bare):
        return None
    return float(bare) * (_whole(index, space) / 100 if word.endswith("%") else 1.0)


def _whole(index: int, space: str) -> float:
    if index == _OPAQUE_PARTS:
        return 1.0
    return _WHOLES.get(space, (1.0, 1.0, 1.0))[index]


def _from_oklab(parts: _Triple) -> _Triple:
    cubed = _triple(part**3 for part in _times(_OKLAB_TO_LMS, parts))
    return _encoded(_times(_LMS_TO_LINEAR, cubed))


def _from_lab(parts: _Triple) -> _Triple:
    lightness, a, b = parts
    middle = (lightness + 16) / 116
    ratios = (_lab_ratio(middle + a / 500), _lab_ratio(middle), _lab_ratio(middle - b / 200))
    xyz = _triple(ratio * white for ratio, white in zip(ratios, _D50, strict=True))
    return _encoded(_times(_XYZ_D50_TO_LINEAR, xyz))


def _lab_ratio(part: float) -> float:
    return part**3 if part > _EPSILON else (116 * part - 16) / _KAPPA


def _rectangular(parts: _Triple) -> _Triple:
    lightness, chroma, hue = parts
    angle = math.radians(hue)
    return lightness, chroma * math.cos(angle), chroma * math.sin(angle)


def _times(matrix: _Matrix, vector: _Triple) -> _Triple:
    return _triple(sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)


def _encoded(linear: _Triple) -> _Triple:
    return _triple(map(_encode, linear))


def _encode(linear: float) -> float:
    size = abs(linear)
    encoded = 12.92 * size if size <= 0.0031308 else 1.055 * size ** (1 / 2.4) - 0.055  # noqa: PLR2004  sRGB's own
    return math.copysign(encoded, linear)


def _decode(encoded: float) -> float:
    size = abs(encoded)
    linear = size / 12.92 if size <= 0.04045 else ((size + 0.055) / 1.055) ** 2.4  # noqa: PLR2004  sRGB's own
    return math.copysign(linear, encoded)


def _byte(part: float) -> int:
    return min(255, max(0, math.floor(part * 255 + 0.5)))


def _triple(parts: Iterable[float]) -> _Triple:
    first, second, third = parts
    return first, second, third


# From a space's parts to channels of 0 to 1, or beyond where the colour lies outside sRGB.
_TO_SRGB: dict[str, Callable[[_Triple], _Triple]] = {
    "rgb": lambda parts: _triple(part / 255 for part in parts),
    "rgba": lambda parts: _triple(part / 255 for part in parts),
    "srgb": lambda parts: parts,
    "srgb-linear": _encoded,
    "display-p3": lambda parts: _encoded(_times(_P3_TO_LINEAR, _triple(map(_decode, parts)))),
    "oklab": _from_oklab,
    "oklch": lambda parts: _from_oklab(_rectangular(parts)),
    "lab": _from_lab,
    "lch": lambda parts: _from_lab(_rectangular(parts)),
}
