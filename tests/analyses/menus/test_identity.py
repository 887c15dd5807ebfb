from __future__ import annotations

import pytest

from webgeist.analyses.menus.identity import page_key


@pytest.mark.parametrize(
    "url",
    [
        "http://a.org/x",
        "https://a.org/x",
        "http://www.a.org/x/",
        "http://A.org/x/index.html",
        "http://a.org/x#part",
        "http://a.org/x/Index.HTM",
        "http://a.org/%78",
        "http://a.org/x?",
        "http://a.org/x?PHPSESSID=8f3a0c",
        "http://a.org/x;jsessionid=8F3A0C",
        "http://a.org/x?sid=0123456789abcdef0123",
    ],
)
def test_these_are_one_page(url: str) -> None:
    assert page_key(url) == "a.org/x"


@pytest.mark.parametrize(
    "url", ["http://a.org/X", "http://b.org/x", "http://a.org/x?y", "http://a.org/x%2F"]
)
def test_these_are_others(url: str) -> None:
    assert page_key(url) != "a.org/x"


@pytest.mark.parametrize(
    "url",
    [
        "http://a.org/x?PHPSESSID=8f&id=3&l=1",
        "http://a.org/x?id=3&PHPSESSID=8f&l=1",
        "http://a.org/x?id=3&l=1&PHPSESSID=8f",
        "http://a.org/x;jsessionid=8F?id=3&l=1",
    ],
)
def test_a_session_among_others_is_left_out(url: str) -> None:
    assert page_key(url) == "a.org/x?id=3&l=1"


def test_a_short_number_is_no_session() -> None:
    assert page_key("http://a.org/x?sid=12") == "a.org/x?sid=12"


def test_the_first_page_has_a_key_too() -> None:
    assert page_key("http://a.org/") == page_key("http://a.org") == "a.org"
