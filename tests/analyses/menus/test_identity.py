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
    ],
)
def test_these_are_one_page(url: str) -> None:
    assert page_key(url) == "a.org/x"


@pytest.mark.parametrize(
    "url", ["http://a.org/X", "http://b.org/x", "http://a.org/x?y", "http://a.org/x%2F"]
)
def test_these_are_others(url: str) -> None:
    assert page_key(url) != "a.org/x"


def test_the_first_page_has_a_key_too() -> None:
    assert page_key("http://a.org/") == page_key("http://a.org") == "a.org"
