"""Comparisons of pictures alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.analyses.changes.drawn import TEXT, drawn, encoded
from tests.analyses.changes.pages import news

import webgeist
from webgeist.analyses.changes.compare import compare
from webgeist.analyses.changes.picture_file import open_picture
from webgeist.analyses.changes.pictures import compare_pictures
from webgeist.analyses.changes.sketch import sketch
from webgeist.analyses.changes.types import Place
from webgeist.capture.model import Capture
from webgeist.errors import LimitError, NotFoundError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa
    from numpy.typing import NDArray
    from tests.conftest import Shooter

    from webgeist.capture.screenshot import Screenshot
    from webgeist.page.model import Page

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
    white = np.full((500, 1280, 3), 255, np.uint8)
    assert _compared(white, drawn()).reason == "not comparable: the first picture shows nothing"
    assert not _compared(drawn(), white).comparable


def test_pictures_of_other_widths_are_not_comparable() -> None:
    change = _compared(drawn(), drawn(width=390))
    assert change.reason == "not comparable: the pictures are 1280 and 390 pixels wide"
    assert not change.important


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


@dataclass(frozen=True)
class Pictured:
    """The parts of a capture without a page."""

    shot: Screenshot | None

    def page(self) -> Page | None:
        return None

    def screenshot(self) -> Screenshot | None:
        return self.shot

    def links(self) -> pa.Table:
        raise NotImplementedError

    def requests(self) -> pa.Table:
        raise NotImplementedError

    def thumbnail(self) -> bytes | None:
        raise NotImplementedError


def _pictured(pixels: NDArray[np.uint8], file: Path, capture: Capture) -> Capture:
    file.write_bytes(encoded(pixels))
    return Capture(capture.info, Pictured(open_picture(file)))


def test_captures_without_a_page_are_compared_by_their_pictures(
    shoot_once: Shooter, tmp_path: Path
) -> None:
    whole = shoot_once(news())
    old = _pictured(drawn(), tmp_path / "old.png", whole)
    new = _pictured(drawn(EDITED), tmp_path / "new.png", whole)
    assert compare(old, old).reason == "the pictures show the same"
    assert compare(old, new).score > 0
    assert compare(old, open_picture(tmp_path / "new.png")) == compare(old, new)


def test_captures_with_neither_are_not_comparable(shoot_once: Shooter, tmp_path: Path) -> None:
    whole = shoot_once(news())
    bare = Capture(whole.info, Pictured(None))
    pictured = _pictured(drawn(), tmp_path / "a.png", whole)
    for other in (bare, pictured, whole):
        change = compare(bare, other)
        assert (change.comparable, change.important) == (False, False)
        assert "has neither page nor picture" in change.reason
