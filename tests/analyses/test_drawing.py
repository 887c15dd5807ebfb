"""Blocks drawn on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.analyses.drawing import draw_blocks

if TYPE_CHECKING:
    from tests.analyses.conftest import Looker


def test_frames_stand_around_blocks(look: Looker) -> None:
    subject = look("<div style='height:50px'></div><img width=40 height=30><p>words</p>")
    image = draw_blocks(subject)
    assert image.size == (subject.picture.shape[1], subject.picture.shape[0])
    colours = {colour for _, colour in image.getcolors(1 << 24) or ()}
    assert {(214, 39, 40), (31, 90, 220), (24, 140, 60)} <= colours
    assert image.getpixel((0, 50)) == (24, 140, 60)
