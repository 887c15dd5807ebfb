"""Walls are told from pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webgeist.capture.walls import wall

if TYPE_CHECKING:
    from tests.conftest import Shooter

WALLS = {
    "challenge": (
        403,
        "<title>Just a moment...</title><h2>Checking if the site connection is secure",
    ),
    "denied": (
        403,
        "<title>Access Denied</title><p>You don't have permission.<p>Reference #18.5e3c",
    ),
    "hold": (200, "<title>Robot check</title><p>Press & Hold to confirm you are a human"),
    "slider": (200, "<p>请完成安全验证</p><div id=geetest-box class=captcha>"),
    "recaptcha": (200, "<p>I'm not a robot</p><div class=g-recaptcha data-sitekey=x></div>"),
    "russian": (200, "<title>Ой!</title><p>Подтвердите: я не робот<div class=smart-captcha>"),
    "limit": (503, "<h1>Rate limit exceeded</h1><p>Come back later."),
}
PAGES = {
    "not found": (404, "<h1>Not found</h1><p>There is nothing here."),
    "forbidden": (403, "<h1>Members only</h1><p>Please sign in to see this page."),
    "login": (
        200,
        "<input type=email><input type=password><div class=g-recaptcha><p>I'm not a robot",
    ),
    "contact": (200, "<h1>Write to us</h1><input type=email><textarea></textarea><p>I am not a robot"),
    "word": (200, "<title>Just a moment</title><p>A poem about time."),
    "article": (200, "<title>How bot walls work</title><p>Verify you are human. " + "Words. " * 300),
    "error": (500, "<h1>Something went wrong</h1><p>Please try again."),
    "support": (200, "<h1>Contact</h1><p>Give us your reference number and we call back."),
}  # fmt: skip


@pytest.mark.parametrize("name", WALLS)
def test_a_wall_is_a_wall(shoot_html: Shooter, name: str) -> None:
    status, markup = WALLS[name]
    page = shoot_html(f"<meta charset=utf-8>{markup}").page
    assert page is not None
    assert wall(page, status, {})


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_a_page(shoot_html: Shooter, name: str) -> None:
    status, markup = PAGES[name]
    page = shoot_html(f"<meta charset=utf-8>{markup}").page
    assert page is not None
    assert wall(page, status, {}) is None


@pytest.mark.parametrize(
    ("status", "headers", "is_wall"),
    [
        (429, {}, True),
        (403, {"CF-Mitigated": "challenge"}, True),
        (405, {"x-amzn-waf-action": "captcha"}, True),
        (200, {"x-datadome": "protected"}, False),
        (403, {"server": "cloudflare"}, False),
        (None, {}, False),
    ],
)
def test_what_the_answer_itself_says(
    shoot_html: Shooter, status: int | None, headers: dict[str, str], is_wall: bool
) -> None:
    page = shoot_html("<p>words").page
    assert page is not None
    assert (wall(page, status, headers) is not None) is is_wall
