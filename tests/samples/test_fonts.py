"""The web font: complete, sound, and what the code draws is what the package ships."""

from __future__ import annotations

import string
from itertools import pairwise
from typing import Any

import pytest
from fontTools.ttLib import TTFont  # type: ignore[import-untyped] # has no types

from webgeist.samples import fonts


@pytest.fixture(scope="module")
def shipped() -> Any:
    with TTFont(fonts.TARGET) as font:
        yield font


def area(contour: fonts.Contour) -> float:
    return sum(a.x * b.y - b.x * a.y for a, b in pairwise([*contour, contour[0]])) / 2


def test_it_has_latin_letters_digits_and_punctuation(shipped: Any) -> None:
    wanted = string.ascii_letters + string.digits + ".,:;!?'\"()[]/&+-=%#@*$€£‘’“”–—… "  # noqa: RUF001 - the glyphs wanted
    assert {char for char in wanted if ord(char) not in shipped.getBestCmap()} == set()


def test_it_is_small(shipped: Any) -> None:
    assert fonts.TARGET.stat().st_size < 8000
    assert shipped.flavor == "woff2"


def test_the_code_draws_what_is_shipped(shipped: Any) -> None:
    drawn = fonts.build()
    order = drawn.getGlyphOrder()
    assert len(order) == len(shipped.getGlyphOrder())
    for index, name in enumerate(order):
        there = shipped.getGlyphName(index)
        ours = drawn["glyf"][name].getCoordinates(drawn["glyf"])
        theirs = shipped["glyf"][there].getCoordinates(shipped["glyf"])
        assert list(ours[0]) == list(theirs[0]), name
        assert drawn["hmtx"][name] == shipped["hmtx"][there], name


@pytest.mark.parametrize("char", fonts.SKELETONS)
def test_ink_stays_within_the_line_and_apart_from_neighbours(shipped: Any, char: str) -> None:
    name = shipped.getBestCmap()[ord(char)]
    glyph, (advance, _) = shipped["glyf"][name], shipped["hmtx"][name]
    assert shipped["hhea"].descent <= glyph.yMin < glyph.yMax <= shipped["hhea"].ascent
    assert 0 <= glyph.xMin < glyph.xMax <= advance


def test_letters_have_their_heights() -> None:
    tops = {
        char: max(k.y for c in fonts.outline(fonts.SKELETONS[char]) for k in c) for char in "HXxo"
    }
    assert (round(tops["H"]), round(tops["X"]), round(tops["x"])) == (700, 700, 500)
    assert 500 <= tops["o"] <= 520


def test_strokes_turn_clockwise_so_that_overlaps_are_filled() -> None:
    for char, skeleton in fonts.SKELETONS.items():
        rings = sum(stroke.split()[-2:] == ["0", "360"] for stroke in skeleton.split(";"))
        areas = [area(contour) for contour in fonts.outline(skeleton)]
        assert sum(one > 0 for one in areas) == rings, f"holes of {char}"


def test_a_line_has_the_weight_whatever_its_slant() -> None:
    upright = fonts.line(46, 0, 46, 700)[0]
    slanted = fonts.line(0, 0, 300, 700)[0]
    length = (300**2 + 700**2) ** 0.5
    assert -area(upright) == pytest.approx(fonts.WEIGHT * 700)
    assert -area(slanted) == pytest.approx(fonts.WEIGHT * length)
