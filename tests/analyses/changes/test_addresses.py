"""Addresses of passages, on rendered pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webgeist.analyses.changes.addresses import addresses, steady_name
from webgeist.analyses.changes.portrait import portrait

if TYPE_CHECKING:
    from tests.conftest import Shooter

    from webgeist.analyses.changes.addresses import Address

HTML = (
    "<title>T</title><body class=home><h2>News of 3 May</h2>"
    "<div id=ticker-17 class='box css-1a2b3c'><p class=line>Gold 12 up</div>"
    "<aside><p>Weather</aside>"
)


def _by_text(shoot: Shooter, html: str) -> dict[str, Address]:
    page = shoot(html).page
    assert page is not None
    seen = portrait(page)
    places = addresses(page, seen)
    return {passage.text: place for passage, place in zip(seen.passages, places, strict=True)}


def test_names_are_those_of_its_elements_the_innermost_first(shoot_once: Shooter) -> None:
    found = _by_text(shoot_once, HTML)
    assert found["Gold 12 up"].names == (".line", "#ticker-0", ".box", ".css")
    assert found["Weather"].names == ("aside",)
    assert found["News of 3 May"].names == ()


def test_the_heading_and_the_words_have_no_numbers(shoot_once: Shooter) -> None:
    place = _by_text(shoot_once, HTML)["Gold 12 up"]
    assert "3" not in place.heading
    assert place.heading.startswith("news of")
    assert place.words == {"gold", "up"}


def test_nesting_tells_elements_apart(shoot_once: Shooter) -> None:
    found = _by_text(shoot_once, HTML)
    assert found["Gold 12 up"].nesting != found["Weather"].nesting


@pytest.mark.parametrize(
    ("name", "steady"),
    [
        ("ad-slot-4", "ad-slot-0"),
        ("Ticker_box__3xK9a", "ticker_box"),
        ("css-1a2b3c", "css"),
        ("related", "related"),
        ("main-article", "main-article"),
    ],
)
def test_what_machines_add_to_names_is_left_out(name: str, steady: str) -> None:
    assert steady_name(name) == steady
