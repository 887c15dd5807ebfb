"""Pictures: right size and format, the same for the same seed, different for others."""

from __future__ import annotations

from io import BytesIO
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image

from webgeist.samples import still_life
from webgeist.samples.pictures import KINDS, LARGEST, photo, svg


def pixels(data: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
    with Image.open(BytesIO(data)) as image:
        return np.asarray(image, dtype=np.int16)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [(1, 1), (3, 40), (240, 160)])
def test_a_photo_is_a_jpeg_of_the_size_asked_for(kind: str, size: tuple[int, int]) -> None:
    with Image.open(BytesIO(photo(f"{kind}-1", *size))) as image:
        assert (image.format, image.size, image.mode) == ("JPEG", size, "RGB")


def test_no_photo_is_larger_than_the_limit() -> None:
    with Image.open(BytesIO(photo("abstract-1", LARGEST + 1000, 2))) as image:
        assert image.size == (LARGEST, 2)


@pytest.mark.parametrize("seed", [*(f"{kind}-7" for kind in KINDS), "anything at all"])
def test_the_same_seed_draws_the_same_bytes(seed: str) -> None:
    first = photo(seed, 90, 60)
    photo.cache_clear()
    assert photo(seed, 90, 60) == first


def test_seeds_differ() -> None:
    assert len({photo(f"landscape-{number}", 60, 40) for number in range(20)}) == 20


def test_the_same_scene_at_another_size() -> None:
    """Shrunk, the large picture is nearly the small one: a srcset shows one scene."""
    large = Image.open(BytesIO(photo("landscape-3", 480, 320))).resize((60, 40))
    small = pixels(photo("landscape-3", 60, 40))
    other = pixels(photo("landscape-4", 60, 40))
    near = np.abs(np.asarray(large, dtype=np.int16) - small).mean()
    assert near < 0.5 * np.abs(other - small).mean()


@pytest.mark.parametrize("thing", still_life.THINGS)
def test_every_thing_can_be_drawn_and_can_be_seen(thing: str) -> None:
    word = next(word for word, name in still_life._BY_WORD.items() if name == thing)
    picture = pixels(photo(f"product-{word}-1", 100, 100))
    middle, corner = picture[25:80, 30:70], picture[:10, :10]
    assert middle.std() > 3 * corner.std()


@pytest.mark.parametrize(
    ("seed", "thing"),
    [
        ("product-brass-table-lamp-l3", "lamp"),
        ("product-oak-side-table-f3", "table"),
        ("product-oak-folding-chair-g3", "chair"),
        ("product-of-nothing-known", None),
    ],
)
def test_the_last_word_names_the_thing(seed: str, thing: str | None) -> None:
    assert still_life.thing_in(seed) == thing


def test_a_mark_is_well_formed_and_repeatable() -> None:
    root = ET.fromstring(svg("logo", 40, 30))
    assert (root.get("width"), root.get("height")) == ("40", "30")
    assert len(root) == 4
    svg.cache_clear()
    assert ET.tostring(ET.fromstring(svg("logo", 40, 30))) == ET.tostring(root)
    assert svg("logo", 40, 30) != svg("other", 40, 30)
