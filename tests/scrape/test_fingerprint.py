"""Which pages hold the same, for a skip block."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webgeist.errors import UsageError
from webgeist.samples.server import serve
from webgeist.scrape.fingerprint import fingerprint

if TYPE_CHECKING:
    from tests.conftest import Shooter, Studio

PAGE = "<h1>Pans</h1><p>Three pans and a pot. <a href=/p/1>More</a></p>"


def test_words_and_links_count_and_looks_do_not(shoot_html: Shooter) -> None:
    first = fingerprint(shoot_html(PAGE))
    assert first == fingerprint(shoot_html(f"<style>h1{{color:red}}</style><div>{PAGE}</div>"))
    assert first != fingerprint(shoot_html(PAGE.replace("Three", "Four")))
    assert first != fingerprint(shoot_html(PAGE.replace("/p/1", "/p/2")))


def test_an_address_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBGEIST_GATE_ALLOW_PRIVATE", "true")
    monkeypatch.setenv("WEBGEIST_CAPTURE_SCREENSHOT", "none")
    with serve() as server:
        url = server.url("boards", "/foundations/1")
        assert fingerprint(url) == fingerprint(url)
        asked = [request.path for request in server.log if request.path == "/foundations/1"]
    assert len(asked) == 2


def test_a_page_that_cannot_be_loaded_is_no_page_without_changes(studio: Studio) -> None:
    with pytest.raises(UsageError, match="cannot be compared"):
        fingerprint(studio.shoot("http://127.0.0.1:1/"))


def test_a_text_that_begins_like_an_address_is_a_text() -> None:
    assert fingerprint("http://x.localhost and more") != fingerprint("http://x.localhost and less")
