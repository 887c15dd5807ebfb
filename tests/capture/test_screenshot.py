"""Tiles that cover a page, pictures put together from them, thumbnails."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from webgeist.capture.screenshot import (
    Area,
    Screenshot,
    ScreenshotInfo,
    assemble,
    plan_tiles,
)

COLOURS = ((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0))


areas = st.builds(
    Area, st.integers(-9, 9), st.integers(-9, 9), st.integers(0, 9), st.integers(0, 9)
)


def pixels(area: Area) -> set[tuple[int, int]]:
    return {(x, y) for x in range(area.x, area.right) for y in range(area.y, area.bottom)}


@given(areas, areas)
def test_what_two_areas_have_in_common(one: Area, other: Area) -> None:
    common = one.within(other)
    assert pixels(one) & pixels(other) == (pixels(common) if common else set())
    assert one.meets(other) == (common is not None) == bool(pixels(one) & pixels(other))
    assert one.moved(3, -2).meets(other.moved(3, -2)) == one.meets(other)


def shown(width: int) -> int:
    return min(max(1, width), 32_000)


@given(
    st.integers(0, 40_000), st.integers(0, 100_000), st.integers(512, 16_000), st.integers(1, 10**9)
)
def test_tiles_cover_the_page_from_the_top_without_overlap(
    width: int, height: int, tile_height: int, most_pixels: int
) -> None:
    tiles = plan_tiles(width, height, tile_height, most_pixels)
    wide, tall = shown(width), max(tile.y + tile.height for tile in tiles)
    assert sum(tile.width * tile.height for tile in tiles) == wide * tall
    rows = sorted({tile.y for tile in tiles})
    for row, following in zip(rows, [*rows[1:], tall], strict=True):
        across = sorted((tile for tile in tiles if tile.y == row), key=lambda tile: tile.x)
        assert [tile.y + tile.height for tile in across] == [following] * len(across)
        ends = [tile.x + tile.width for tile in across]
        assert [tile.x for tile in across] == [0, *ends[:-1]]
        assert ends[-1] == wide


@given(
    st.integers(1, 40_000), st.integers(1, 100_000), st.integers(512, 16_000), st.integers(1, 10**9)
)
def test_tiles_keep_the_limits_and_take_all_that_they_allow(
    width: int, height: int, tile_height: int, most_pixels: int
) -> None:
    tiles = plan_tiles(width, height, tile_height, most_pixels)
    assert all(tile.height <= tile_height and tile.width <= 16_000 for tile in tiles)
    tall = max(tile.y + tile.height for tile in tiles)
    assert tall == 1 or tall * shown(width) <= most_pixels
    assert tall == height or (tall + 1) * shown(width) > most_pixels


def test_what_is_far_to_the_right_comes_last() -> None:
    tiles = plan_tiles(40_000, 3_000, 2_000, 10**9)
    assert [(tile.x, tile.y) for tile in tiles] == [(0, 0), (0, 2000), (16_000, 0), (16_000, 2000)]


@pytest.mark.parametrize(
    ("size", "parts", "whole"),
    [
        ((10, 20), [Area(0, 0, 10, 15), Area(0, 15, 10, 5)], (10, 20, False)),
        ((10, 20), [Area(0, 0, 10, 15)], (10, 15, True)),
        ((12, 20), [Area(0, 0, 10, 15), Area(0, 15, 10, 5)], (10, 20, True)),
        ((20, 20), [Area(0, 0, 10, 20), Area(10, 0, 10, 15)], (20, 20, True)),
    ],
)
def test_a_picture_is_as_large_as_its_tiles_and_cut_if_the_page_is_larger(
    size: tuple[int, int], parts: list[Area], whole: tuple[int, int, bool]
) -> None:
    info = assemble("png", size, [(part, b"") for part in parts]).info
    assert (info.width, info.height, info.cut) == whole
    assert info.areas == tuple(parts)


def encoded(image: Image.Image, kind: str) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind)
    return buffer.getvalue()


def chequered() -> Screenshot:
    """Four tiles of 8 x 6 in four colours."""
    areas = tuple(Area(x, y, 8, 6) for y in (0, 6) for x in (0, 8))
    tiles = tuple(encoded(Image.new("RGB", (8, 6), colour), "PNG") for colour in COLOURS)
    return Screenshot(ScreenshotInfo("png", 16, 12, cut=False, areas=areas), tiles)


def test_the_whole_picture_is_all_tiles_in_their_places() -> None:
    image = chequered().image()
    assert image.size == (16, 12)
    corners = [image.getpixel(place) for place in ((0, 0), (15, 0), (0, 11), (15, 11))]
    assert corners == list(COLOURS)
    assert [image.getpixel(place) for place in ((7, 5), (8, 5), (7, 6), (8, 6))] == list(COLOURS)


def test_an_area_is_cut_from_the_tiles_it_meets() -> None:
    whole = chequered().image()
    area = chequered().image(Area(5, 4, 7, 5))
    assert area.tobytes() == whole.crop((5, 4, 12, 9)).tobytes()


def test_an_area_beyond_the_picture_is_white() -> None:
    image = chequered().image(Area(14, 10, 4, 4))
    assert image.getpixel((0, 0)) == COLOURS[3]
    assert image.getpixel((3, 3)) == (255, 255, 255)


def test_only_tiles_that_an_area_meets_are_decoded() -> None:
    shot = chequered()
    broken = Screenshot(shot.info, (shot.tiles[0], b"", b"", b""))
    assert broken.image(Area(0, 0, 8, 6)).getpixel((7, 5)) == COLOURS[0]


def single(width: int, height: int, kind: str) -> Screenshot:
    area = Area(0, 0, width, height)
    info = ScreenshotInfo(kind.lower(), width, height, cut=False, areas=(area,))
    return Screenshot(info, (encoded(Image.new("RGB", (width, height), COLOURS[1]), kind),))


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
@pytest.mark.parametrize(
    ("width", "height", "size"),
    [
        (1280, 960, (320, 240)),
        (1280, 8192, (320, 480)),
        (100, 100, (100, 100)),
        (100, 8192, (100, 480)),
        (1, 1, (1, 1)),
        (1, 8192, (1, 480)),
        (1281, 963, (320, 241)),
    ],
)
def test_a_thumbnail_is_the_top_of_the_page_at_most_320_by_480(
    kind: str, width: int, height: int, size: tuple[int, int]
) -> None:
    with Image.open(io.BytesIO(single(width, height, kind).thumbnail())) as small:
        assert (small.format, small.size) == ("JPEG", size)
        middle = small.getpixel((size[0] // 2, size[1] // 2))
        assert isinstance(middle, tuple)
        assert middle[1] > 240
        assert max(middle[0], middle[2]) < 15


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
@pytest.mark.parametrize(("width", "height"), [(16_000, 1), (16_000, 20), (1280, 1)])
def test_a_thumbnail_of_a_sliver_is_one_pixel_high(kind: str, width: int, height: int) -> None:
    with Image.open(io.BytesIO(single(width, height, kind).thumbnail())) as small:
        assert small.size == (320, 1)


def test_a_thumbnail_shows_the_top_and_not_the_whole() -> None:
    tall = Image.new("RGB", (320, 4000), COLOURS[0])
    tall.paste(COLOURS[2], (0, 480, 320, 4000))
    info = ScreenshotInfo("png", 320, 4000, cut=False, areas=(Area(0, 0, 320, 4000),))
    with Image.open(io.BytesIO(Screenshot(info, (encoded(tall, "PNG"),)).thumbnail())) as small:
        lowest = small.getpixel((160, 470))
        assert isinstance(lowest, tuple)
        assert lowest[0] > 240


def test_tiles_have_file_names_by_format() -> None:
    assert ScreenshotInfo("jpeg", 1, 1, cut=False, areas=()).file_name(0) == "screenshot-0.jpg"
    assert ScreenshotInfo("png", 1, 1, cut=False, areas=()).file_name(12) == "screenshot-12.png"


@pytest.mark.parametrize("kind", ["png", "jpeg"])
@pytest.mark.parametrize("most", [10**6, 700, 100, 1])
def test_pixels_are_the_picture_reduced_until_they_are_few_enough(kind: str, most: int) -> None:
    picture = assemble(kind, (32, 48), _quarters(kind))
    pixels, by = picture.pixels(most)
    assert pixels.shape == (max(1, 48 // by), max(1, 32 // by), 3)
    assert (32 // by) * (48 // by) <= most
    assert by == 1 or (32 * 2 // by) * (48 * 2 // by) > most
    if by <= 8:
        for corner, colour in zip(((0, 0), (0, -1), (-1, 0), (-1, -1)), COLOURS, strict=True):
            assert abs(pixels[corner].astype(int) - colour).max() <= 6


@pytest.mark.parametrize("kind", ["png", "jpeg"])
@pytest.mark.parametrize(("widest", "by"), [(32, 1), (31, 2), (16, 2), (15, 4)])
def test_brightness_is_reduced_until_it_is_narrow_enough(kind: str, widest: int, by: int) -> None:
    picture = assemble(kind, (32, 48), _quarters(kind))
    grey, reduced = picture.grey(widest, 10**6)
    assert reduced == by
    assert grey.shape == (48 // by, 32 // by)
    for corner, colour in zip(((0, 0), (0, -1), (-1, 0), (-1, -1)), COLOURS, strict=True):
        bright = 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]
        assert abs(float(grey[corner]) - bright) <= 6


def test_brightness_of_the_first_rows_needs_no_others() -> None:
    (first, tile), (second, other), (third, _), (fourth, _) = _quarters("png")
    damaged = [(first, tile), (second, other), (third, b"none"), (fourth, b"none")]
    grey, _ = assemble("png", (32, 48), damaged).grey(32, 24)
    assert grey.shape == (24, 32)


def _quarters(kind: str) -> list[tuple[Area, bytes]]:
    """A tile of one colour for each corner."""
    parts = []
    for number, colour in enumerate(COLOURS):
        area = Area(16 * (number % 2), 24 * (number // 2), 16, 24)
        parts.append((area, encoded(Image.new("RGB", (16, 24), colour), kind)))
    return parts
