"""Draws webgeist-display, the sample web's own web font: `python -m webgeist.samples.fonts`.

Each glyph is a skeleton of straight lines and elliptical arcs in font units (baseline 0, x-height
500, capitals 700), given one stroke weight. Strokes stay separate contours that overlap: the
non-zero winding rule fills their union. Needs fontTools and brotli, which only developers have;
the font itself ships in the package.
"""

from __future__ import annotations

from itertools import pairwise
from math import atan2, ceil, cos, radians, sin
from pathlib import Path
from typing import Any, NamedTuple

FAMILY = "Webgeist Display"
TARGET = Path(__file__).parent / "static" / "fonts" / "webgeist-display.woff2"
WEIGHT = 92
HALF = WEIGHT / 2
CREATED = 3_850_000_000  # seconds since 1904; fixed, so that the same code writes the same file

# "l x y x y" is a line, "c x y rx ry from to" an arc, counter-clockwise, angles in degrees.
SKELETONS = {
    "A": "l 56 0 306 700;l 306 700 556 0;l 130 200 480 200",
    "B": "l 46 0 46 700;l 0 654 270 654;l 0 362 290 362;l 0 46 290 46;c 270 508 150 146 -90 90;c 290 204 170 158 -90 90",
    "C": "c 330 350 284 304 45 315",
    "D": "l 46 0 46 700;l 0 654 250 654;l 0 46 250 46;c 250 350 294 304 -90 90",
    "E": "l 46 0 46 700;l 0 654 430 654;l 0 355 400 355;l 0 46 430 46",
    "F": "l 46 0 46 700;l 0 654 420 654;l 0 335 380 335",
    "G": "c 330 350 284 304 45 360;l 360 350 660 350",
    "H": "l 46 0 46 700;l 534 0 534 700;l 46 350 534 350",
    "I": "l 46 0 46 700",
    "J": "l 330 170 330 700;c 188 190 142 144 190 360",
    "K": "l 46 0 46 700;l 92 270 470 700;l 210 400 490 0",
    "L": "l 46 0 46 700;l 0 46 400 46",
    "M": "l 46 0 46 700;l 654 0 654 700;l 54 700 350 150;l 350 150 646 700",
    "N": "l 46 0 46 700;l 524 0 524 700;l 56 700 514 0",
    "O": "c 330 350 284 304 0 360",
    "P": "l 46 0 46 700;l 0 654 280 654;l 0 310 280 310;c 280 482 180 172 -90 90",
    "Q": "c 330 350 284 304 0 360;l 400 210 600 -30",
    "R": "l 46 0 46 700;l 0 654 280 654;l 0 310 280 310;c 280 482 180 172 -90 90;l 270 330 470 0",
    "S": "c 245 508 180 146 25 270;c 245 204 200 158 -155 90",
    "T": "l 0 654 540 654;l 270 0 270 700",
    "U": "l 46 230 46 700;l 514 230 514 700;c 280 250 234 204 180 360",
    "V": "l 52 700 296 0;l 540 700 296 0",
    "W": "l 50 700 240 0;l 240 0 440 700;l 440 700 640 0;l 640 0 830 700",
    "X": "l 60 0 500 700;l 500 0 60 700",
    "Y": "l 56 700 290 300;l 524 700 290 300;l 290 0 290 360",
    "Z": "l 20 654 490 654;l 10 46 500 46;l 66 0 434 700",
    "a": "c 250 250 204 204 0 360;l 454 0 454 500",
    "b": "c 250 250 204 204 0 360;l 46 0 46 720",
    "c": "c 250 250 204 204 48 312",
    "d": "c 250 250 204 204 0 360;l 454 0 454 720",
    "e": "c 250 250 204 204 0 312;l 46 250 500 250",
    "f": "l 150 0 150 560;c 290 540 140 134 85 180;l 10 454 300 454",
    "g": "c 250 250 204 204 0 360;l 454 -10 454 500;c 258 -10 196 148 205 360",
    "h": "l 46 0 46 720;c 236 270 190 184 0 180;l 426 0 426 290",
    "i": "l 46 0 46 500;l 46 590 46 694",
    "j": "l 146 -10 146 500;c 30 -10 116 148 270 360;l 146 590 146 694",
    "k": "l 46 0 46 720;l 92 190 380 500;l 170 290 400 0",
    "l": "l 46 0 46 720",
    "m": "l 46 0 46 500;c 200 300 154 154 0 180;l 354 0 354 320;c 508 300 154 154 0 180;l 662 0 662 320",
    "n": "l 46 0 46 500;c 236 270 190 184 0 180;l 426 0 426 290",
    "o": "c 250 250 204 204 0 360",
    "p": "c 250 250 204 204 0 360;l 46 -200 46 500",
    "q": "c 250 250 204 204 0 360;l 454 -200 454 500",
    "r": "l 46 0 46 500;c 216 274 170 180 50 180",
    "s": "c 200 355 144 99 20 270;c 200 151 154 105 -160 90",
    "t": "l 140 170 140 650;c 270 170 130 124 180 280;l 0 454 290 454",
    "u": "l 426 0 426 500;c 236 230 190 184 180 360;l 46 210 46 500",
    "v": "l 50 500 232 0;l 414 500 232 0",
    "w": "l 48 500 190 0;l 190 0 340 500;l 340 500 490 0;l 490 0 632 500",
    "x": "l 60 0 400 500;l 400 0 60 500",
    "y": "l 424 500 152 -200;l 50 500 244 10",
    "z": "l 20 454 400 454;l 10 46 410 46;l 66 0 354 500",
    "0": "c 250 350 204 304 0 360",
    "1": "l 200 0 200 700;l 30 560 200 690",
    "2": "c 236 470 190 184 -38 165;l 396 380 82 46;l 20 46 450 46",
    "3": "c 220 508 170 146 -90 150;c 220 204 190 158 -150 90;l 150 362 230 362",
    "4": "l 360 0 360 700;l 20 180 470 180;l 70 180 336 700",
    "5": "l 96 330 96 700;l 50 654 420 654;c 230 226 204 180 -145 132",
    "6": "c 250 226 204 180 0 360;c 420 226 374 428 98 180",
    "7": "l 10 654 450 654;l 150 0 392 700",
    "8": "c 240 512 160 142 0 360;c 240 208 194 162 0 360",
    "9": "c 250 474 204 180 0 360;c 80 474 374 428 -82 0",
    ".": "l 50 0 50 104",
    ",": "l 84 104 36 -110",
    ":": "l 50 0 50 104;l 50 396 50 500",
    ";": "l 84 104 36 -110;l 84 396 84 500",
    "!": "l 46 220 46 700;l 46 0 46 104",
    "?": "c 200 500 164 154 -90 165;l 200 200 200 392;l 200 0 200 104",
    "'": "l 46 470 46 720",
    '"': "l 46 470 46 720;l 206 470 206 720",
    "\u2018": "l 96 490 24 704",
    "\u2019": "l 96 704 24 490",
    "“": "l 96 490 24 704;l 246 490 174 704",
    "”": "l 96 704 24 490;l 246 704 174 490",
    "-": "l 0 280 260 280",
    "\u2013": "l 0 280 440 280",
    "—": "l 0 280 760 280",
    "_": "l 0 -60 500 -60",
    "(": "c 300 290 254 490 125 235",
    ")": "c -100 290 254 490 -55 55",
    "[": "l 46 -120 46 740;l 0 694 190 694;l 0 -74 190 -74",
    "]": "l 144 -120 144 740;l 0 694 190 694;l 0 -74 190 -74",
    "/": "l 50 -100 370 740",
    "|": "l 46 -160 46 760",
    "&": "c 230 536 124 118 0 360;c 226 196 180 150 100 352;l 150 470 540 0",
    "+": "l 0 300 420 300;l 210 90 210 510",
    "=": "l 0 390 420 390;l 0 210 420 210",
    "\u00d7": "l 60 120 380 480;l 380 120 60 480",
    "<": "l 400 520 60 300;l 60 300 400 80",
    ">": "l 40 520 380 300;l 380 300 40 80",
    "%": "c 130 570 84 84 0 360;c 500 130 84 84 0 360;l 110 0 520 700",
    "#": "l 130 0 190 700;l 330 0 390 700;l 0 230 480 230;l 40 470 520 470",
    "@": "c 380 300 334 330 -35 285;c 380 300 130 130 0 360;c 582 260 86 90 180 360;l 496 260 496 470",
    "*": "l 170 430 170 720;l 50 500 290 650;l 50 650 290 500",
    "$": "c 245 508 180 146 25 270;c 245 204 200 158 -155 90;l 245 -90 245 790",
    "€": "c 380 350 284 304 50 310;l 0 420 400 420;l 0 280 400 280",
    "£": "c 300 500 154 154 25 180;l 146 46 146 500;l 30 330 360 330;l 20 46 450 46",
    "·": "l 50 250 50 354",
    "•": "c 110 300 56 56 0 360;c 110 300 40 40 0 180;c 110 300 40 40 180 360",
    "…": "l 50 0 50 104;l 250 0 250 104;l 450 0 450 104",
    "→": "l 0 300 500 300;l 330 500 520 300;l 520 300 330 100",
    "←": "l 40 300 540 300;l 210 500 20 300;l 20 300 210 100",
}
TIGHT = "AVWXYTvwxyzkKfrtZ47/"  # open or slanting sides stand closer
ROUND = "COQGSoceDdbpq0689s@"

Point = tuple[float, float]


class Knot(NamedTuple):
    """A point of an outline: on the curve, or the control point of a quadratic bow."""

    x: float
    y: float
    on: bool = True


Contour = list[Knot]


def line(x0: float, y0: float, x1: float, y1: float) -> list[Contour]:
    """A thick line, its ends cut along the axis that it meets more squarely."""
    angle = atan2(y1 - y0, x1 - x0)
    if abs(y1 - y0) >= 0.5 * abs(x1 - x0):
        dx, dy = HALF / abs(sin(angle)), 0.0
    else:
        dx, dy = 0.0, HALF / abs(cos(angle))
    corners = [(x0 - dx, y0 - dy), (x1 - dx, y1 - dy), (x1 + dx, y1 + dy), (x0 + dx, y0 + dy)]
    return [_clockwise([Knot(x, y) for x, y in corners])]


def arc(x: float, y: float, rx: float, ry: float, *angles: float) -> list[Contour]:
    """A thick arc; a full turn gives a ring, whose inner contour runs the other way."""
    start, end = angles
    outer = _bow((x, y), (rx + HALF, ry + HALF), start, end)
    inner = _bow((x, y), (rx - HALF, ry - HALF), start, end)
    if end - start < 360:
        return [_clockwise(outer + inner[::-1])]
    return [_clockwise(outer[:-1]), _clockwise(inner[:-1])[::-1]]


def _bow(centre: Point, radii: Point, start: float, end: float) -> Contour:
    steps = ceil((end - start) / 45)
    turns = [radians(start + (end - start) * i / steps) for i in range(steps + 1)]
    bow = [_on_ellipse(centre, radii, turns[0], 1, on=True)]
    for before, after in pairwise(turns):
        reach = 1 / cos((after - before) / 2)
        bow.append(_on_ellipse(centre, radii, (before + after) / 2, reach, on=False))
        bow.append(_on_ellipse(centre, radii, after, 1, on=True))
    return bow


def _on_ellipse(centre: Point, radii: Point, turn: float, reach: float, *, on: bool) -> Knot:
    x = centre[0] + radii[0] * reach * cos(turn)
    return Knot(x, centre[1] + radii[1] * reach * sin(turn), on)


def _clockwise(contour: Contour) -> Contour:
    area = sum(a.x * b.y - b.x * a.y for a, b in pairwise([*contour, contour[0]]))
    return contour if area < 0 else contour[::-1]


def outline(skeleton: str) -> list[Contour]:
    """The contours of a skeleton such as "l 46 0 46 700;c 250 250 204 204 0 360"."""
    contours: list[Contour] = []
    for stroke in skeleton.split(";"):
        kind, *numbers = stroke.split()
        draw = line if kind == "l" else arc
        contours += draw(*map(float, numbers))
    return contours


def bearing(char: str) -> int:
    """The space that stands left and right of a glyph's ink."""
    return 20 if char in TIGHT else 44 if char in ROUND else 62


def _glyph(contours: list[Contour], left: float) -> Any:
    from fontTools.pens.ttGlyphPen import TTGlyphPen  # type: ignore[import-untyped] # has no types

    pen = TTGlyphPen(None)
    for contour in contours:
        first = next(i for i, knot in enumerate(contour) if knot.on)
        knots = [(round(x + left), round(y), on) for x, y, on in contour[first:] + contour[:first]]
        pen.moveTo(knots[0][:2])
        waiting: list[tuple[int, int]] = []
        for x, y, on in [*knots[1:], knots[0]]:
            if not on:
                waiting.append((x, y))
            elif waiting:
                pen.qCurveTo(*waiting, (x, y))
                waiting = []
            else:
                pen.lineTo((x, y))
        pen.closePath()
    return pen.glyph()


def _draw_all() -> tuple[dict[str, Any], dict[str, tuple[int, int]]]:
    """Each glyph's outline, and its advance width and left bearing, by glyph name."""
    box = outline("l 46 0 46 700;l 354 0 354 700;l 0 654 400 654;l 0 46 400 46")
    glyphs = {".notdef": _glyph(box, 60), "space": _glyph([], 0)}
    metrics = {".notdef": (520, 60), "space": (260, 0)}
    for char, skeleton in SKELETONS.items():
        contours = outline(skeleton)
        xs = [knot.x for contour in contours for knot in contour if knot.on]
        side, width = bearing(char), max(xs) - min(xs)
        glyphs[_name(char)] = _glyph(contours, side - min(xs))
        metrics[_name(char)] = (round(width + 2 * side), side)
    return glyphs, metrics


def _name(char: str) -> str:
    return f"uni{ord(char):04X}"


def build() -> Any:
    """The font in memory, as a fontTools TTFont."""
    from fontTools.fontBuilder import (  # type: ignore[import-untyped] # has no types
        FontBuilder,
    )

    glyphs, metrics = _draw_all()
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(list(glyphs))
    spaces = {32: "space", 160: "space"}
    builder.setupCharacterMap(spaces | {ord(char): _name(char) for char in SKELETONS})
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics(metrics)
    builder.setupHorizontalHeader(ascent=820, descent=-240)
    builder.setupNameTable({"familyName": FAMILY, "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=820, sTypoDescender=-240, usWinAscent=820, usWinDescent=240)
    builder.setupPost(keepGlyphNames=False)
    builder.updateHead(created=CREATED, modified=CREATED)
    builder.font.recalcTimestamp = False
    return builder.font


def main() -> None:
    font = build()
    font.flavor = "woff2"
    font.save(TARGET)
    print(f"{TARGET.name}: {TARGET.stat().st_size} bytes, {len(font.getGlyphOrder())} glyphs")  # noqa: T201 - a command's answer


if __name__ == "__main__":
    main()
