"""Comparisons of pictures alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont
from tests.analyses.changes.drawn import TEXT, drawn, encoded
from tests.analyses.changes.pages import LAST, MORE, PROSE, news
from tests.conftest import Shooter

import webgeist
from webgeist.analyses.changes.compare import compare
from webgeist.analyses.changes.picture_file import open_picture
from webgeist.analyses.changes.pictures import compare_pictures
from webgeist.analyses.changes.sketch import sketch
from webgeist.analyses.changes.types import Place
from webgeist.capture.decode import MemoryParts
from webgeist.capture.folder import open_capture
from webgeist.capture.model import Capture
from webgeist.errors import LimitError, NotFoundError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray
    from tests.conftest import Studio

EDITED = (TEXT[0], TEXT[1].replace("bridge", "harbour"), *TEXT[2:])


def _compared(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> webgeist.Change:
    return compare_pictures(sketch(one), sketch(other))


def test_equal_pictures() -> None:
    change = _compared(drawn(), drawn())
    assert (change.score, change.important, change.regions) == (0.0, False, ())
    assert change.reason == "the pictures show the same"


def test_an_edit_of_the_text_counts_more_than_one_of_the_menu() -> None:
    text = _compared(drawn(), drawn(EDITED))
    menu = _compared(drawn(), drawn(menu=("Home", "Sports", "Weather")))
    assert text.score > menu.score > 0
    assert text.regions[0].place is Place.CONTENT
    assert {region.place for region in menu.regions} == {Place.HEADER}


def test_a_region_is_in_pixels_of_the_picture() -> None:
    change = _compared(drawn(), drawn(EDITED))
    before, after = sorted(change.regions, key=lambda region: region.before is None)
    assert before.before is not None
    assert after.after is not None
    assert before.before[1] == pytest.approx(162, abs=8)
    assert after.after[0] == pytest.approx(200, abs=8)


def test_a_blank_picture_is_not_comparable() -> None:
    white = np.full((500, 1280), 255, np.uint8)
    assert _compared(white, drawn()).reason == "not comparable: the first picture shows nothing"
    assert not _compared(drawn(), white).comparable


def test_pictures_of_other_widths_are_not_comparable() -> None:
    change = _compared(drawn(), drawn(width=390))
    assert change.reason == "not comparable: the pictures are 1280 and 390 pixels wide"
    assert not change.important


def _app(clock: str, battery: str, *lines: str) -> NDArray[np.uint8]:
    """A screen of an app: a bar with the time and the battery, a title, text, buttons below."""
    image = Image.new("L", (1080, 1920), "white")
    pen = ImageDraw.Draw(image)
    pen.text((40, 20), clock, "black", ImageFont.load_default(36))
    pen.text((960, 20), battery, "black", ImageFont.load_default(36))
    pen.text((60, 120), "Messages", "black", ImageFont.load_default(60))
    for number, line in enumerate(lines):
        pen.text((60, 300 + 90 * number), line, "black", ImageFont.load_default(40))
    for number, button in enumerate(("Home", "Search", "Profile")):
        pen.text((120 + 330 * number, 1820), button, "black", ImageFont.load_default(36))
    return np.asarray(image)


def test_the_clock_of_a_telephone_is_no_news() -> None:
    lines = [text[start : start + 46] for text in TEXT[:4] for start in (0, 46)]
    before = _app("09:41", "87%", *lines)
    later = _compared(before, _app("17:23", "51%", *lines))
    other = _compared(before, _app("09:41", "87%", *lines[:3], *lines[5:], *lines[3:5]))
    written = _compared(before, _app("09:41", "87%", *lines[:3], lines[3][::-1], *lines[4:]))
    assert later.regions
    assert not later.important
    assert other.regions == ()
    assert written.score > later.score


def test_files(tmp_path: Path) -> None:
    old, new = tmp_path / "old.png", tmp_path / "new.jpg"
    old.write_bytes(encoded(drawn()))
    new.write_bytes(encoded(drawn(EDITED), "JPEG"))
    change = webgeist.compare(old, str(new))
    assert change.regions
    assert "by the pictures alone" in change.reason


def test_files_that_are_no_pictures(tmp_path: Path) -> None:
    text = tmp_path / "a.png"
    text.write_text("no picture")
    with pytest.raises(UsageError, match="is no PNG or JPEG"):
        open_picture(text)
    with pytest.raises(NotFoundError):
        open_picture(tmp_path / "none.png")
    text.write_bytes(encoded(drawn()))
    with pytest.raises(LimitError):
        open_picture(text, most_pixels=1000)


def _pageless(capture: Capture, *, pictured: bool = True) -> Capture:
    """A real capture of which only the picture was kept, or not even that."""
    parts = capture.parts
    assert isinstance(parts, MemoryParts)
    if not pictured:
        parts = replace(parts, screenshot_=None)
    return Capture(replace(capture.info, nodes=0), replace(parts, page_=None))


@pytest.fixture(scope="module")
def pictured(
    picture_studio: Studio, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Capture]:
    """Captures pages with their pictures."""
    return Shooter(picture_studio, tmp_path_factory.mktemp("pictured"))


def test_captures_without_a_page_are_compared_by_their_pictures(
    pictured: Callable[[str], Capture], tmp_path: Path
) -> None:
    whole = pictured(news())
    old, new = _pageless(whole), _pageless(pictured(news(PROSE, MORE.replace("bridge", "harbour"))))
    assert compare(old, old).reason == "the pictures show the same"
    change = compare(old, new)
    assert change.comparable
    assert change.score > 0
    assert "by the pictures alone" in change.reason
    assert compare(whole, new) == change
    assert compare(old, open_capture(new.save(tmp_path / "new"))) == change


@pytest.mark.parametrize("shift", [1, 3])
def test_a_page_that_moved_down_shows_the_same(
    pictured: Callable[[str], Capture], shift: int
) -> None:
    """By an odd number of pixels: at half the resolution, its letters would be others."""
    words = [*(PROSE + MORE + LAST).split(), "(Gypsy)", "jpqgy", "fully", "[kldfh]", "Äpfel"]
    lines = [" ".join(words[n:] + words[:n][::-1]) for n in range(len(words))]
    text = [f"<h3>{line[:40]}</h3>{line} {lines[-1 - n]}" for n, line in enumerate(lines)]
    below = f"<div style='height:{shift}px'></div>"
    old, new = (_pageless(pictured(news(*text, notice=notice))) for notice in ("", below))
    assert compare(old, new).reason == "the pictures show the same"


def test_regions_of_captures_are_in_pixels_of_the_page(
    pictured: Callable[[str], Capture],
) -> None:
    one, other = pictured(news()), pictured(news(PROSE, MORE, LAST.replace("town", "village")))
    exact = {region.before for region in compare(one, other).regions}
    (lower,) = exact
    told = compare(_pageless(one), _pageless(other)).regions
    (before,) = (region.before for region in told if region.before)
    assert lower is not None
    assert before == pytest.approx(lower, abs=12)


def test_captures_with_neither_are_not_comparable(pictured: Callable[[str], Capture]) -> None:
    whole = pictured(news())
    bare = _pageless(whole, pictured=False)
    for other in (bare, _pageless(whole), whole):
        change = compare(bare, other)
        assert (change.comparable, change.important) == (False, False)
        assert "has neither page nor picture" in change.reason
