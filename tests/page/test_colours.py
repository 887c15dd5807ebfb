"""Computed colours, read as Chromium paints them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.capture.screenshot import Area
from webgeist.capture.target import parse_target
from webgeist.page.colours import Colour, parse_colour

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Studio

BYTES = st.integers(0, 255)

PAINTED = (
    *(
        "red",
        "#abc",
        "hsl(200 50% 40%)",
        "hwb(90 10% 20%)",
        "rgb(1 2 3)",
        "color(srgb 0.2 0.4 0.6)",
    ),
    *("color(srgb-linear 0.2 0.4 0.6)", "color(display-p3 0.5 0.4 0.3)", "lab(50% 20 -30)"),
    *("lch(60 30 120)", "oklab(0.6 0.1 -0.05)", "oklch(62% 0.15 30)", "oklch(0.7 none 0)"),
    *("color-mix(in oklab, red, blue)", "color-mix(in srgb, red 30%, white)"),
)


@pytest.mark.parametrize(
    ("text", "colour"),
    [
        ("rgb(0, 128, 255)", Colour(0, 128, 255, 1.0)),
        ("rgba(0, 0, 0, 0)", Colour(0, 0, 0, 0.0)),
        ("rgba(12, 34, 56, 0.5)", Colour(12, 34, 56, 0.5)),
        ("color(srgb 1 0.5 0)", Colour(255, 128, 0, 1.0)),
        ("color(srgb 1 0.5 0 / 0.25)", Colour(255, 128, 0, 0.25)),
        ("color(srgb none 0 1e0 / none)", Colour(0, 0, 255, 0.0)),
        ("color(srgb 1.2 -0.1 0)", Colour(255, 0, 0, 1.0)),
        ("oklab(1 0 0)", Colour(255, 255, 255, 1.0)),
        ("lab(0 0 0 / 50%)", Colour(0, 0, 0, 0.5)),
    ],
)
def test_known_ones(text: str, colour: Colour) -> None:
    assert parse_colour(text) == colour


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "auto",
            "none",
            "currentcolor",
            "url(#a)",
            "rgb()",
            "rgb(1, 2)",
            "rgb(1, 2, 3, 4, 5)",
        ),
        *("color(rec2020 1 0 0)", "color(xyz 1 0 0)", "color()", "rgb(a, b, c)", "rgb(1 2 3"),
        *("linear-gradient(rgb(1, 2, 3), red)", "rgb(1, 2, 3) none"),
    ],
)
def test_what_is_no_colour_that_we_know(text: str) -> None:
    assert parse_colour(text) is None


@given(BYTES, BYTES, BYTES)
def test_every_legacy_colour_in_two_forms(r: int, g: int, b: int) -> None:
    modern = f"color(srgb {r / 255} {g / 255} {b / 255})"
    assert parse_colour(f"rgb({r}, {g}, {b})") == parse_colour(modern) == Colour(r, g, b, 1.0)


def test_read_as_chromium_paints_them(picture_studio: Studio, tmp_path: Path) -> None:
    """The text that Chromium computes, against the pixel that it paints."""
    boxes = "".join(f'<div style="height:10px; background: {text}"></div>' for text in PAINTED)
    path = tmp_path / "page.html"
    path.write_text(f"<body style='margin:0'>{boxes}", "utf-8")
    taken = picture_studio.shoot(parse_target(str(path), url="http://h/"))
    assert taken.page is not None
    assert taken.screenshot is not None
    image = taken.screenshot.image(Area(0, 0, 1, 10 * len(PAINTED)))
    for number, node in enumerate(taken.page.find("div")):
        text = taken.page.style(node)["background-color"]
        painted, parsed = image.getpixel((0, 10 * number + 5)), parse_colour(text)
        assert parsed is not None, text
        assert isinstance(painted, tuple)
        assert max(abs(a - b) for a, b in zip(painted, parsed[:3], strict=True)) <= 1, text
