"""Palettes against counting colours one by one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from webgeist.analyses.features.palette import COLOURS, NEAR, palettes
from webgeist.analyses.features.samples import samples

if TYPE_CHECKING:
    from numpy.typing import NDArray

Colour = tuple[int, int, int]

STEPS = st.sampled_from([0, 7, 15, 16, 17, 40, 128, 239, 240, 250, 255])
PIXELS = st.lists(st.tuples(STEPS, STEPS, STEPS), min_size=1, max_size=60)


def found(pixels: list[Colour]) -> list[tuple[Colour, float]]:
    picture = np.array([pixels], np.uint8)
    colours, shares = palette(picture, [[0, 0, len(pixels), 1]])
    named = zip(colours[0].tolist(), shares[0].tolist(), strict=True)
    return [((red, green, blue), share) for (red, green, blue), share in named if share > 0]


def palette(
    picture: NDArray[np.uint8], boxes: list[list[int]]
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    edges = np.zeros(picture.shape[:2], np.uint8)
    return palettes(next(samples(picture, edges, np.array(boxes, np.int64))))


def bin_of(colour: Colour) -> Colour:
    return colour[0] // 16, colour[1] // 16, colour[2] // 16


def brightness(colour: Colour) -> tuple[Colour, Colour]:
    return bin_of(colour), (colour[0] % 16, colour[1] % 16, colour[2] % 16)


def plain(pixels: list[Colour]) -> list[tuple[Colour, int]]:
    """Bins from large to small, each by its commonest colour, counted with near larger ones."""
    exact = Counter(pixels)
    bins: dict[Colour, list[Colour]] = {}
    for colour in sorted(exact, key=brightness):
        bins.setdefault(bin_of(colour), []).append(colour)
    entries = [
        (max(inside, key=lambda c: (exact[c], brightness(c))), sum(exact[c] for c in inside))
        for inside in bins.values()
    ]
    entries = sorted(entries, key=lambda entry: -entry[1])[:16]
    kept: list[tuple[Colour, int]] = []
    for colour, count in entries:
        near = [n for n, (other, _) in enumerate(kept) if apart(colour, other) <= NEAR**2]
        if near:
            kept[near[0]] = (kept[near[0]][0], kept[near[0]][1] + count)
        else:
            kept.append((colour, count))
    return sorted(kept, key=lambda entry: -entry[1])[:COLOURS]


def apart(one: Colour, other: Colour) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


@given(PIXELS)
def test_a_palette_is_what_counting_says(pixels: list[Colour]) -> None:
    expected = [(colour, count / len(pixels)) for colour, count in plain(pixels)]
    assert [colour for colour, _ in found(pixels)] == [colour for colour, _ in expected]
    shares = [share for _, share in expected]
    np.testing.assert_allclose([share for _, share in found(pixels)], shares, rtol=1e-6)


@given(PIXELS)
def test_colours_are_of_the_block_and_apart_from_each_other(pixels: list[Colour]) -> None:
    entries = found(pixels)
    assert {colour for colour, _ in entries} <= set(pixels)
    assert sum(share for _, share in entries) <= 1 + 1e-6
    colours = [colour for colour, _ in entries]
    for number, colour in enumerate(colours):
        assert all(apart(colour, other) > NEAR**2 for other in colours[:number])


def test_a_colour_across_the_border_of_two_bins_is_one() -> None:
    pixels = [(240, 240, 240)] * 30 + [(239, 239, 239)] * 29 + [(0, 0, 0)] * 41
    assert [colour for colour, _ in found(pixels)] == [(240, 240, 240), (0, 0, 0)]
    assert found(pixels)[0][1] == np.float32(0.59)


def test_boxes_of_unlike_sizes_do_not_mix() -> None:
    picture = np.zeros((20, 20, 3), np.uint8)
    picture[:, 10:] = (200, 100, 50)
    colours, shares = palette(picture, [[0, 0, 1, 1], [12, 0, 20, 9], [0, 0, 20, 20]])
    assert colours[0, 0].tolist() == [0, 0, 0]
    assert shares[:, 0].tolist() == [1, 1, 0.5]
    assert colours[1, 0].tolist() == [200, 100, 50]
    assert not colours[1, 1:].any()
