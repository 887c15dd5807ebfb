"""Contrast against the values that WCAG and its tools print."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.analyses.features.contrast import contrast, luminance

CHANNEL = st.integers(0, 255)
COLOUR = st.tuples(CHANNEL, CHANNEL, CHANNEL)
WHITE, BLACK = (255, 255, 255), (0, 0, 0)


def plain_luminance(colour: tuple[int, int, int]) -> float:
    """The words of WCAG, one colour at a time, with the limit that they print."""
    parts = [value / 255 for value in colour]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(
    ("foreground", "background", "ratio"),
    [
        (BLACK, WHITE, 21.0),
        (WHITE, BLACK, 21.0),
        (WHITE, WHITE, 1.0),
        ((0x76, 0x76, 0x76), WHITE, 4.54),
        ((0x77, 0x77, 0x77), WHITE, 4.48),
        ((0x94, 0x94, 0x94), WHITE, 3.03),
        ((0, 0, 255), WHITE, 8.59),
        ((255, 0, 0), WHITE, 4.0),
        ((0, 128, 0), WHITE, 5.14),
        ((255, 255, 0), BLACK, 19.56),
    ],
)
def test_known_ratios(
    foreground: tuple[int, int, int], background: tuple[int, int, int], ratio: float
) -> None:
    assert contrast([foreground], [background])[0] == pytest.approx(ratio, abs=0.005)


@given(st.lists(st.tuples(COLOUR, COLOUR), min_size=1, max_size=9))
def test_all_at_once_are_each_by_the_book(
    pairs: list[tuple[tuple[int, int, int], tuple[int, int, int]]],
) -> None:
    found = contrast([one for one, _ in pairs], [other for _, other in pairs])
    for ratio, (one, other) in zip(found, pairs, strict=True):
        low, high = sorted((plain_luminance(one), plain_luminance(other)))
        assert ratio == pytest.approx((high + 0.05) / (low + 0.05))
        assert 1 <= ratio <= 21.0000001


@given(COLOUR, COLOUR)
def test_the_order_of_two_opaque_colours_does_not_matter(
    one: tuple[int, int, int], other: tuple[int, int, int]
) -> None:
    assert contrast([one], [other]) == pytest.approx(contrast([other], [one]))


def test_a_translucent_text_is_seen_over_its_background() -> None:
    half = contrast([(0, 0, 0, 0.5)], [WHITE])
    assert half == pytest.approx(contrast([(127.5, 127.5, 127.5)], [WHITE]))
    assert contrast([(0, 0, 0, 0.0)], [WHITE]) == pytest.approx(1)
    assert contrast([(0, 0, 0, 1.0)], [WHITE]) == pytest.approx(21)
    assert contrast([(0, 0, 0, 7.0)], [WHITE]) == pytest.approx(21), "alpha ends at 1"


def test_no_colours_no_ratios() -> None:
    assert contrast(np.empty((0, 4)), np.empty((0, 3))).shape == (0,)
    assert luminance(np.empty((0, 3))).shape == (0,)
