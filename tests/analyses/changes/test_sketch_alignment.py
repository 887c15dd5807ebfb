"""Lines that two pictures share."""

from __future__ import annotations

import numpy as np
import pytest
from tests.analyses.changes.drawn import TEXT, decoded, drawn, encoded

from webgeist.analyses.changes.sketch import sketch
from webgeist.analyses.changes.sketch_alignment import likeness, twins


def test_the_same_picture_has_the_same_lines() -> None:
    page = sketch(drawn())
    found = twins(page, page)
    assert found.before.tolist() == list(range(len(page)))
    assert found.after.tolist() == list(range(len(page)))


@pytest.mark.parametrize("shift", [1, 2, 3, 57])
def test_what_moved_down_has_not_changed(shift: int) -> None:
    found = twins(sketch(drawn()), sketch(drawn(top=shift)))
    assert (found.before >= 0).all()
    assert (found.after >= 0).all()


def test_jpeg_makes_no_difference() -> None:
    found = twins(sketch(drawn()), sketch(decoded(encoded(drawn(top=5), "JPEG"))))
    assert (found.before >= 0).all()


def test_letters_that_touch_the_ground_of_bold_text_stay_the_same() -> None:
    """Of bold letters on a tight ground, half of all pixels are ink."""
    bold = [np.full((60, 640), 255, np.uint8) for _ in range(2)]
    for number, picture in enumerate(bold):
        picture[20:30, 100:300] = 0
        picture[20:30, 100:300:8] = 255  # strokes
        picture[20:30, 104:300:8] = picture[20:30, 105:300:8] = 255
        picture[20:30, 106:200:8] = 255 if number else 250
    found = twins(sketch(bold[0]), sketch(bold[1]))
    assert (found.before >= 0).all()


def test_as_many_equal_lines_are_all_twins() -> None:
    """Bullets of a list that moved: each has its twin, not only the nearest ones."""
    bullets = [drawn(["\u2022"] * 18, menu=(), top=top, height=1000) for top in (0, 75)]
    one, other = (sketch(each) for each in bullets)
    found = twins(one, other)
    assert len(one) > 15
    assert (found.before >= 0).all()
    assert sorted(found.before.tolist()) == list(range(len(other)))


def test_an_edited_line_has_no_twin_and_is_alike() -> None:
    one, other = sketch(drawn()), sketch(drawn((TEXT[0].replace("three", "seven"), *TEXT[1:])))
    found = twins(one, other)
    (edited,) = np.flatnonzero(found.before < 0)
    assert one.boxes[edited, 1] * one.scale == pytest.approx(122, abs=8)
    alike, _ = likeness(one, other, found)
    assert 0.1 < alike[edited] < 1
    assert (np.delete(alike, edited) == 1).all()


def test_either_way_round_the_same_lines_changed() -> None:
    one, other = sketch(drawn()), sketch(drawn(TEXT[1:], menu=("Home",)))
    there, back = twins(one, other), twins(other, one)
    assert (there.before < 0).tolist() == (back.after < 0).tolist()
    assert (there.after < 0).tolist() == (back.before < 0).tolist()


def test_nothing_is_like_an_empty_picture() -> None:
    one, none = sketch(drawn()), sketch(np.full((100, 640), 255, np.uint8))
    found = twins(one, none)
    assert (found.before < 0).all()
    assert likeness(one, none, found)[0].tolist() == [0] * len(one)
