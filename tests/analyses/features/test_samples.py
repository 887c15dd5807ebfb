"""Which pixels are looked at: all of a small box, evenly spread ones of a large one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from tests.analyses.features.conftest import boxes_within, noise

from webgeist.analyses.features.samples import MOST, samples

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webgeist.analyses.features.samples import Samples


def numbered(height: int, width: int) -> NDArray[np.uint8]:
    """A picture that says in its colours which pixel is which."""
    rows, columns = np.mgrid[:height, :width]
    return np.stack([rows, columns, rows ^ columns], 2).astype(np.uint8)


def looked(boxes: list[list[int]], height: int, width: int) -> list[Samples]:
    picture = numbered(height, width)
    return list(
        samples(
            picture,
            (picture[..., 2] & 1).astype(np.uint8),
            np.array(boxes, np.int64).reshape(-1, 4),
        )
    )


@given(boxes_within(200, 150))
def test_each_filled_box_is_looked_at_once_and_only_inside(boxes: list[list[int]]) -> None:
    found = looked(boxes, 150, 200)
    filled = [
        n for n, (left, top, right, bottom) in enumerate(boxes) if right > left and bottom > top
    ]
    assert sorted(n for part in found for n in part.boxes.tolist()) == filled
    for part in found:
        for row, number in enumerate(part.boxes):
            left, top, right, bottom = boxes[number]
            rows, columns, mixed = part.colours[:, row, : part.counts[row]].astype(int)
            assert ((rows >= top) & (rows < bottom) & (columns >= left) & (columns < right)).all()
            assert (mixed == rows ^ columns).all()
            assert (part.edges[row, : part.counts[row]] == mixed & 1).all()


@given(boxes_within(32, 32, least=1))
def test_all_pixels_of_a_small_box_are_looked_at(boxes: list[list[int]]) -> None:
    for part in looked(boxes, 40, 40):
        for row, number in enumerate(part.boxes):
            left, top, right, bottom = boxes[number]
            pixels = part.colours[:2, row, part.used[row]].T.tolist()
            assert sorted(pixels) == [
                [y, x] for y in range(top, bottom) for x in range(left, right)
            ]


def test_shares_of_a_large_box_do_not_beat_with_its_lines() -> None:
    """Lines of any distance, level or upright, cover as much of the samples as of the box."""
    for distance in range(2, 40):
        picture = np.zeros((900, 700, 3), np.uint8)
        picture[::distance, :, 0] = 1
        picture[:, ::distance, 1] = 1
        part = next(samples(picture, picture[..., 0], np.array([[0, 0, 700, 900]])))
        assert part.counts.tolist() == [MOST]
        assert np.abs(part.colours[:2, 0].mean(1) - 1 / distance).max() < 0.025


def test_many_boxes_come_in_parts() -> None:
    boxes = [[0, 0, 1 + n % 60, 1 + n % 50] for n in range(1_000)]
    parts = looked(boxes, 60, 60)
    assert sum(len(part.boxes) for part in parts) == 1_000
    assert max(part.edges.size for part in parts) <= 128 * MOST


def test_a_part_of_a_larger_array_is_a_picture_too() -> None:
    whole = noise(40, 60, 1)
    view, box = whole[5:30, 10:50], np.array([[1, 2, 11, 12]])
    part = next(samples(view, np.ascontiguousarray(view[..., 0]), box))
    assert (part.colours[:, 0].T.reshape(10, 10, 3) == view[2:12, 1:11]).all()
