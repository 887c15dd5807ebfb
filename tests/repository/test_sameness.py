"""How two captures differ: what they say, their nodes, their pictures."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from PIL import Image
from tests.repository.making import make_capture

from webgeist.capture.outcome import Outcome
from webgeist.capture.screenshot import Area, Screenshot, ScreenshotInfo
from webgeist.repository.sameness import compare_captures, differing_pixels


def picture(width: int, height: int, *dots: tuple[int, int], tile: int = 8_192) -> Screenshot:
    """A white picture with black dots."""
    image = Image.new("RGB", (width, height), "white")
    for dot in dots:
        image.putpixel(dot, (0, 0, 0))
    areas = tuple(Area(0, y, width, min(tile, height - y)) for y in range(0, height, tile))
    tiles = []
    for area in areas:
        buffer = io.BytesIO()
        image.crop((0, area.y, width, area.y + area.height)).save(buffer, "PNG")
        tiles.append(buffer.getvalue())
    return Screenshot(ScreenshotInfo("png", width, height, False, areas), tuple(tiles))


@pytest.mark.parametrize(
    ("before", "after", "share"),
    [
        (None, None, None),
        (picture(10, 10), picture(10, 10), 0),
        (picture(10, 10), picture(10, 10, (3, 4)), 0.01),
        (picture(10, 10, (3, 4)), picture(10, 10, (4, 3)), 0.02),
        (picture(10, 10), picture(10, 20), 0.5),
        (picture(10, 10), picture(20, 5), 1 - 50 / 150),
        (picture(10, 10), None, 1),
        (picture(10, 10_000, (9, 9_999)), picture(10, 10_000, tile=4_000), 1 / 100_000),
        (picture(10, 10_000), picture(10, 10_000, tile=4_000), 0),
    ],
)
def test_the_share_of_pixels_that_differ(
    before: Screenshot | None, after: Screenshot | None, share: float | None
) -> None:
    assert differing_pixels(before, after) == pytest.approx(share)
    assert differing_pixels(after, before) == pytest.approx(share)


def test_a_capture_is_the_same_as_one_of_another_time() -> None:
    one = make_capture(1)
    later = replace(one, info=replace(one.info, time=make_capture(2).info.time, stages_ms={}))
    found = compare_captures(one, later)
    assert found.same
    assert (found.facts, found.pixels) == ({}, 0)
    assert found.page
    assert found.page.same


def test_what_differs_is_named() -> None:
    found = compare_captures(make_capture(1), make_capture(2))
    assert not found.same
    assert found.facts == {"title": ("Page 1", "Page 2")}
    assert found.page
    assert found.page.counts()["text"] == 5
    assert found.pixels == 1


def test_a_page_that_is_gone() -> None:
    found = compare_captures(make_capture(1), make_capture(1, nodes=0))
    assert found.page is None
    assert found.facts["outcome"] == (str(Outcome.OK), str(Outcome.TIMEOUT))
    assert found.facts["nodes"] == (5, 0)
    assert (found.pixels, found.same) == (1, False)
