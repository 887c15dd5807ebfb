"""Pages that Playwright has open, as page models."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import async_playwright
from playwright.sync_api import sync_playwright

from webgeist.capture.find import find_browser
from webgeist.capture.live import look, look_now

if TYPE_CHECKING:
    from webgeist.page.model import Page

QUIET = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
]
HTML = """<!doctype html><title>t</title><style>html { --own: 1px } h1 { color: rgb(1, 2, 3) }</style>
<h1>Old</h1><input value=a><script>
  window.getComputedStyle = () => [];
  document.querySelector("h1").textContent = "New";
</script>"""


@pytest.fixture(scope="module")
def executable() -> str:
    return str(find_browser(environ=os.environ).path)


def check(page: Page) -> None:
    (heading,) = page.find("h1")
    assert page.text(heading) == "New"
    assert page.style(heading)["color"] == "rgb(1, 2, 3)"
    assert len(page.style(heading)) > 300
    assert page.boxes[heading][2] > 0


def test_a_page_of_the_synchronous_form(executable: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=QUIET)
        page = browser.new_page()
        page.set_content(HTML)
        check(look_now(page))
        page.evaluate("document.querySelector('h1').remove()")
        assert look_now(page).find("h1") == []
        browser.close()


async def test_a_page_of_the_asynchronous_form(executable: str) -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable, args=QUIET)
        page = await browser.new_page()
        await page.set_content(HTML)
        check(await look(page))
        await browser.close()
