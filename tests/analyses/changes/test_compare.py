"""What really changed, on rendered pages."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.analyses.changes.pages import LAST, MORE, PROSE, news, page

import webgeist
from webgeist.analyses.changes.compare import compare
from webgeist.analyses.changes.items import Kind
from webgeist.analyses.changes.model import default_model
from webgeist.analyses.changes.types import Place, Type
from webgeist.capture.outcome import Outcome

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Shooter

    from webgeist.capture.model import Capture

CONSENT = (
    "<div id=cookie-consent><p>We use cookies to make this site better.<button>Yes</button></div>"
)


@pytest.fixture(scope="module")
def old(shoot_once: Shooter) -> Capture:
    return shoot_once(news())


EDITS = {
    "a word": news(PROSE.replace("three", "five"), MORE, LAST),
    "a sentence": news(PROSE, MORE + " The army helps with a bridge of steel until then.", LAST),
    "a paragraph added": news(
        PROSE, MORE, LAST, PROSE.replace("river", "lake").replace("old", "new")
    ),
    "a paragraph removed": news(PROSE, LAST),
}
TEMPLATE = {
    "menu": news(menu="Sports and games"),
    "footer": news(footer="© 2026 The paper, printed daily"),
    "sidebar": news(aside="Weather: 8 degrees and rain"),
    "consent": news(notice=CONSENT),
    "looks": news().replace("<body>", "<style>p{color:#333;font-size:19px}</style><body>"),
    "nothing": news(),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_of_the_article_is_important(name: str, old: Capture, shoot_once: Shooter) -> None:
    change = compare(old, shoot_once(EDITS[name]))
    assert change.important, change
    assert change.regions[0].place is Place.CONTENT
    assert change.regions[0].type is Type.ARTICLE
    assert re.match(r"1 paragraph \w+ (in|to|from) the content", change.reason)


@pytest.mark.parametrize("name", TEMPLATE)
def test_a_change_around_it_is_not(name: str, old: Capture, shoot_once: Shooter) -> None:
    change = compare(old, shoot_once(TEMPLATE[name]))
    assert not change.important, change
    assert change.comparable


def test_either_way_round_the_score_is_much_the_same(old: Capture, shoot_once: Shooter) -> None:
    new = shoot_once(EDITS["a word"])
    there, back = compare(old, new), compare(new, old)
    assert there.score == pytest.approx(back.score, abs=0.05)
    assert (there.regions[0].gone, there.regions[0].came) == (1, 1)


def test_a_region_says_where(old: Capture, shoot_once: Shooter) -> None:
    change = compare(old, shoot_once(EDITS["a word"]))
    region = change.regions[0]
    assert region.kind is Kind.EDITED
    assert region.after is not None
    left, top, right, bottom = region.after
    assert right > left
    assert bottom > top > 0
    assert "three" in region.text_before
    assert "five" in region.text_after


def test_equal_captures(old: Capture) -> None:
    change = compare(old, old)
    assert (change.score, change.important, change.regions) == (0.0, False, ())
    assert change.reason == "nothing changed"


def test_looks_alone_are_told(old: Capture, shoot_once: Shooter) -> None:
    change = compare(old, shoot_once(TEMPLATE["looks"]))
    assert {region.kind for region in change.regions} == {Kind.RESTYLED}
    assert "other looks" in change.reason


@pytest.mark.parametrize(
    "html",
    [
        "<title>404</title><h1>Page not found</h1><p>Try our home page.",
        "<title>Sorry</title><p>We can't find the page you were trying to reach.",
    ],
)
def test_an_error_page_is_not_comparable(html: str, old: Capture, shoot_once: Shooter) -> None:
    change = compare(old, shoot_once(html))
    assert not change.comparable
    assert not change.important
    assert "not comparable: the second capture is an error page" in change.reason


def test_a_bot_wall_is_not_comparable(old: Capture, shoot_once: Shooter) -> None:
    """By what the capture says of itself, whatever its words are."""
    taken = shoot_once(EDITS["a paragraph removed"])
    info = replace(taken.info, outcome=Outcome.BLOCKED, reason="a bot wall: captcha")
    change = compare(old, replace(taken, info=info))
    assert (change.comparable, change.important) == (False, False)
    assert "the second capture is no page but blocked: a bot wall: captcha" in change.reason


def test_a_very_tall_page(shoot_once: Shooter) -> None:
    tall = "".join(
        f"<p style=height:60px>Paragraph {k} says that nothing is new.</p>" for k in range(900)
    )
    one = f"<main><h1>Long</h1>{tall}<p>{PROSE}</p></main>"
    change = compare(shoot_once(one), shoot_once(one.replace("three", "five")))
    assert change.regions[0].before is not None
    assert change.regions[0].before[1] > 60_000
    assert change.regions[0].kind is Kind.EDITED


def test_an_empty_page_is_not_comparable(old: Capture, shoot_once: Shooter) -> None:
    change = compare(shoot_once("<title></title>"), old)
    assert (change.comparable, change.important) == (False, False)
    assert "the first capture" in change.reason


def test_other_viewports_are_not_comparable(old: Capture) -> None:
    viewport = replace(old.info.viewport, width=390)
    narrow = replace(old, info=replace(old.info, viewport=viewport))
    change = webgeist.compare(old, narrow)
    assert change.reason == (
        "not comparable: the captures have different viewports: 1280 and 390 pixels wide"
    )


def test_regions_as_a_table(old: Capture, shoot_once: Shooter) -> None:
    change = compare(old, shoot_once(EDITS["a word"]))
    table = change.to_arrow()
    assert table.num_rows == len(change.regions)
    assert table["kind"][0].as_py() == "edited"


def test_a_capture_of_a_folder_gives_the_same(
    old: Capture, shoot_once: Shooter, tmp_path: Path
) -> None:
    new = shoot_once(EDITS["a word"])
    stored = webgeist.open_capture(new.save(tmp_path / "new"))
    assert compare(old, stored) == compare(old, new)


def test_the_model_counts_no_looks() -> None:
    before, after = page(PROSE), page(PROSE)
    from webgeist.analyses.changes.compare import judge

    assert judge(before, after, default_model()).score == 0
