"""Pictures of parts that are put into tiles."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from webgeist.capture.patches import Patch, finished
from webgeist.capture.screenshot import Area

RED, BLUE = (255, 0, 0), (0, 0, 255)
TILE = Area(0, 100, 64, 64)


def encoded(size: tuple[int, int], colour: tuple[int, int, int], mode: str = "RGB") -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", size, colour).convert(mode).save(buffer, "PNG")
    return buffer.getvalue()


def opened(picture: bytes, kind: str) -> Image.Image:
    with Image.open(io.BytesIO(picture)) as image:
        assert image.format == kind.upper()
        return image.convert("RGB")


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P"])
@pytest.mark.parametrize(
    ("area", "inside"),
    [
        (Area(16, 116, 16, 16), (16, 16, 32, 32)),
        (Area(-8, 92, 16, 16), (0, 0, 8, 8)),
        (Area(56, 156, 16, 16), (56, 56, 64, 64)),
        (Area(0, 164, 16, 16), None),
    ],
)
def test_a_patch_shows_where_it_meets_the_tile(
    area: Area, inside: tuple[int, int, int, int] | None, mode: str
) -> None:
    patch = Patch(area, encoded((16, 16), RED, mode))
    image = opened(finished(encoded((64, 64), BLUE, mode), TILE, [patch], "png", 85), "png")
    wanted = Image.new("RGB", (64, 64), BLUE)
    if inside is not None:
        wanted.paste(RED, inside)
    assert image.tobytes() == wanted.tobytes()


def test_a_later_patch_lies_over_an_earlier_one() -> None:
    """A frame in a frame comes after the one around it."""
    outer = Patch(Area(0, 100, 64, 64), encoded((64, 64), RED))
    inner = Patch(Area(8, 108, 8, 8), encoded((8, 8), BLUE))
    image = opened(finished(encoded((64, 64), BLUE), TILE, [outer, inner], "png", 85), "png")
    assert (image.getpixel((7, 7)), image.getpixel((8, 8))) == (RED, BLUE)


def test_a_tile_gets_the_format_and_quality_that_are_wanted() -> None:
    noise = Image.effect_noise((64, 64), 80).convert("RGB")
    buffer = io.BytesIO()
    noise.save(buffer, "PNG")
    good, poor = (finished(buffer.getvalue(), TILE, [], "jpeg", quality) for quality in (95, 20))
    assert opened(good, "jpeg").size == opened(poor, "jpeg").size == (64, 64)
    assert len(poor) < len(good)
    assert opened(finished(buffer.getvalue(), TILE, [], "png", 1), "png").tobytes() == (
        noise.tobytes()
    )
