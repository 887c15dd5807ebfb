"""Lines of pictures."""

from __future__ import annotations

import numpy as np
from tests.analyses.changes.drawn import TEXT, drawn

from webgeist.analyses.changes.sketch import STRIPS, WIDTH, sketch


def test_each_line_of_text_is_one() -> None:
    found = sketch(drawn(menu=(), footer=""))
    assert len(found) == len(TEXT)
    assert (np.diff(found.boxes[:, 1]) > 0).all()


def test_a_menu_is_several() -> None:
    assert len(sketch(drawn((), menu=("Home", "Sport", "Weather"), footer=""))) == 3


def test_boxes_are_where_the_text_is() -> None:
    found = sketch(drawn(TEXT[:1], menu=(), footer=""))
    left, top, right, bottom = found.boxes[0] * found.scale
    assert 190 <= left <= 210
    assert 115 <= top <= 130
    assert bottom - top < 30
    assert right > 900


def test_a_blank_picture_has_none() -> None:
    white = np.full((500, 1280), 255, np.uint8)
    assert len(sketch(white)) == 0
    assert len(sketch(np.zeros((1, 1), np.uint8))) == 0


def test_white_on_black_is_text_too() -> None:
    assert len(sketch(255 - drawn(menu=(), footer=""))) == len(TEXT)


def test_a_very_tall_picture_is_read_as_far_as_it_goes() -> None:
    tall = np.full((60_000, 640), 255, np.uint8)
    tall[10:20, 100:300:7] = 0
    found = sketch(tall)
    assert len(found) == 1
    assert found.profiles.shape == (1, STRIPS)
    assert found.width == WIDTH
