"""What kind of block a passage stands in, on rendered pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.analyses.changes.pages import LAST, MORE, PROSE, news

from webgeist.analyses.changes.portrait import portrait
from webgeist.analyses.changes.types import Place, Type, place_of, type_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Shooter

    Told = Callable[[str, str], tuple[Place, Type]]

OFFER = "Fly to Lisbon for less than you would pay for a good dinner at home."
SHOP = (
    "<body><header><nav><a href=/>Home</a> <a href=/tea>Tea</a></nav></header><div class=col>"
    "<h1>Gooseneck kettle</h1><div class=price>£49.00</div><div>In stock</div>"
    "<h2>Description</h2><p>A kettle with a long spout that pours slowly and exactly.</p>"
    "<h2>Details</h2><table><tr><th>Material<td>Stainless steel</table></div>"
    "<footer><p>Free delivery from thirty pounds, returns within thirty days of delivery.</footer>"
)


@pytest.fixture
def told(shoot_once: Shooter) -> Told:
    """Place and type of the passage of a page that has these words."""

    def what(html: str, words: str) -> tuple[Place, Type]:
        shown = shoot_once(html).page
        assert shown is not None
        page = portrait(shown)
        (found,) = (p for p in page.passages if words in p.text)
        place = place_of(found, page)
        return place, type_of(found, page, place)

    return what


@pytest.mark.parametrize(
    ("words", "place", "type_"),
    [
        ("The flood", Place.CONTENT, Type.TITLE),
        ("The river rose", Place.CONTENT, Type.ARTICLE),
        ("Sport", Place.HEADER, Type.MENU),
        ("© 2025", Place.FOOTER, Type.TEXT),
    ],
)
def test_a_newspaper(told: Told, words: str, place: Place, type_: Type) -> None:
    assert told(news(), words) == (place, type_)


def test_an_ad_between_paragraphs_is_one(told: Told) -> None:
    html = news(PROSE, MORE, LAST).replace(
        f"<p>{MORE}", f"<div class=ad-slot><p>{OFFER}</p></div><p>{MORE}"
    )
    assert told(html, "Lisbon") == (Place.CONTENT, Type.AD)
    assert told(html, "Nobody was hurt") == (Place.CONTENT, Type.ARTICLE)


def test_a_name_that_the_whole_content_has_says_nothing(told: Told) -> None:
    html = news().replace("<main>", "<main class=promo-page>")
    assert told(html, "The river rose") == (Place.CONTENT, Type.ARTICLE)


def test_an_ad_is_not_the_content_where_nothing_else_is_prose(told: Told) -> None:
    html = (
        "<body><main><h1>Log in</h1><form><p>Name <p>Password</form></main>"
        f"<div class=ad><p>{OFFER}</p><a href=#>See offers</a></div>"
    )
    assert told(html, "Lisbon")[1] is Type.AD
    assert told(html, "See offers")[1] is Type.AD
    assert told(html, "Password")[0] is Place.CONTENT


@pytest.mark.parametrize("words", ["£49.00", "In stock", "long spout", "Stainless steel"])
def test_labels_are_content_where_there_is_little_prose(told: Told, words: str) -> None:
    assert told(SHOP, words)[0] is Place.CONTENT


def test_a_footer_of_one_sentence_stays_a_footer(told: Told) -> None:
    assert told(SHOP, "Free delivery")[0] is Place.FOOTER
