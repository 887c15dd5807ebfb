"""Turning pages in a real browser, over the sample web's lists and small pages of our own."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import sync_playwright

import webgeist
from webgeist.capture.find import find_browser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page, Route

QUIET = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
]
HOST = "http://lists.localhost"


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        executable = str(find_browser(environ=os.environ).path)
        browser = playwright.chromium.launch(executable_path=executable, args=QUIET)
        page = browser.new_page()
        page.route("**/*", _answer)
        yield page
        browser.close()


def _items(number: int) -> str:
    return "".join(f"<li class=item>Thing number {number}-{k} of the list</li>" for k in range(3))


def _answer(route: Route) -> None:
    """Every list has four pages of three things; none of these requests leaves the browser."""
    name, _, query = route.request.url.removeprefix(HOST + "/").partition("?")
    number = int(query.partition("page=")[2] or 1)
    links = {
        "numbered": " ".join(
            f"<b>{k}</b>" if k == number else f"<a href='?page={k}'>{k}</a>" for k in range(1, 5)
        ),
        "next": f"<a href='?page={number + 1}'>Next »</a>" if number < 4 else "",
        "inert": f"<a href='?page={number + 1}' style='pointer-events: {'none' if number > 3 else 'auto'}'>Next »</a> <a href='/'>Home</a>",
        "veiled": "<style>body { pointer-events: none }</style><a href='/'>Home</a> "
        + (f"<a href='?page={number + 1}'>Next »</a>" if number < 4 else ""),
        "loop": f"<a href='?page={number % 4 + 1}'>Next »</a>",
        "more": """<button class="load-more" onclick="n = (window.n || 1) + 1;
            document.querySelector('ul').insertAdjacentHTML('beforeend', '<li class=item>Added ' + n + '</li>');
            if (n > 3) this.remove()">Load more</button>""",
        "text": "",
    }[name]
    body = f"<!doctype html><title>{name}</title><h1>List</h1><ul>{_items(number)}</ul><div class=pagination>{links}</div>"
    route.fulfill(status=200, content_type="text/html", body=body)


def walked(page: Page, name: str, most: int | None = None) -> tuple[list[str], list[str]]:
    """The ways taken, and all things seen, once each where pages replace each other."""
    page.goto(f"{HOST}/{name}")
    ways, seen = [], []
    for turn in webgeist.paginate(page, most=most):
        ways.append(turn.way)
        seen += page.locator(".item").all_inner_texts()
    return ways, seen


@pytest.mark.parametrize("name", ["numbered", "next", "inert", "veiled"])
def test_every_thing_once(page: Page, name: str) -> None:
    ways, seen = walked(page, name)
    assert ways == ["start", "link", "link", "link"]
    assert len(seen) == len(set(seen)) == 12


def test_a_loop_ends(page: Page) -> None:
    assert len(walked(page, "loop")[0]) == 4


def test_load_more_adds_until_it_is_gone(page: Page) -> None:
    ways, seen = walked(page, "more")
    assert ways == ["start", "load-more", "load-more", "load-more"]
    assert "Added 4" in seen


def test_a_limit_is_exact(page: Page) -> None:
    assert len(walked(page, "numbered", most=2)[0]) == 2


def test_a_page_without_a_list_is_one_page(page: Page) -> None:
    assert walked(page, "text", most=1)[0] == ["start"]
