"""Elements of a live page: clicked where they are, and told by name what lies over them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import async_playwright

from webgeist.capture.find import find_browser
from webgeist.capture.live import look
from webgeist.errors import NotFoundError
from webgeist.scrape.program.element import Element

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from playwright.async_api import Page

BUTTON = "<button onclick=\"this.textContent = 'clicked'\">this</button>"
INNER = f"<p>In a frame</p>{BUTTON}".replace('"', "&quot;")
SHADOW = """<x-box></x-box><script>
    const host = document.querySelector("x-box");
    host.attachShadow({mode: "open"}).innerHTML = "<p>In a tree</p><x-inner></x-inner>";
    const inner = host.shadowRoot.querySelector("x-inner");
    inner.attachShadow({mode: "open"}).innerHTML = "<b>1</b><button>other</button><button>this</button>";
    inner.shadowRoot.querySelectorAll("button")[1].onclick = event => { event.target.textContent = "clicked"; };
</script>"""
SLOT = f"""<x-box>{BUTTON}</x-box><script>
    const host = document.querySelector("x-box");
    host.attachShadow({{mode: "open"}}).innerHTML = "<button>other</button><div><slot></slot></div>";
</script>"""
COVER = '<div id=over style="position: fixed; inset: 0; background: #fff">Subscribe!</div>'
LEAVES = "<script>onkeydown = event => { if (event.key == 'Escape') over.remove(); };</script>"


@dataclass
class Live:
    """A tab, as an element needs it."""

    page: Page

    async def act(self, action: Callable[[], Awaitable[object]]) -> None:
        await action()

    async def calm(self) -> None:
        """Nothing goes on here."""


@pytest.fixture
async def live() -> AsyncIterator[Live]:
    async with async_playwright() as playwright:
        executable = str(find_browser(environ=os.environ).path)
        browser = await playwright.chromium.launch(
            executable_path=executable, args=["--no-sandbox"]
        )
        yield Live(await browser.new_page())
        await browser.close()


async def click_this(live: Live, html: str) -> None:
    await live.page.set_content(html)
    seen = await look(live.page)
    (text,) = [node for node in range(len(seen)) if seen.texts[node] == "this"]
    await Element(live, seen, int(seen.parent[text])).click()


async def texts(live: Live) -> list[str | None]:
    return (await look(live.page)).texts


@pytest.mark.parametrize(
    "html",
    [
        BUTTON,
        f'<iframe srcdoc="{INNER}"></iframe>',
        f'<iframe srcdoc="<p>first</p>"></iframe><div><iframe srcdoc="{INNER}"></iframe></div>',
        SHADOW,
        SLOT,
        BUTTON + COVER + LEAVES,
    ],
    ids=["plain", "frame", "second frame", "shadow trees", "slot", "closed by Escape"],
)
async def test_it_is_clicked_where_it_is(live: Live, html: str) -> None:
    await click_this(live, html)
    assert "clicked" in await texts(live)
    assert "this" not in await texts(live)


async def test_what_lies_over_it_is_told(live: Live) -> None:
    with pytest.raises(NotFoundError, match=r'<div id="over">.* is in front of it'):
        await click_this(live, BUTTON + COVER)
    assert "this" in await texts(live)


async def test_what_is_gone_from_a_shadow_tree_is_told(live: Live) -> None:
    await live.page.set_content(SHADOW)
    seen = await look(live.page)
    (text,) = [node for node in range(len(seen)) if seen.texts[node] == "this"]
    await live.page.evaluate(
        "document.querySelector('x-box').shadowRoot.querySelector('x-inner').shadowRoot.innerHTML = ''"
    )
    with pytest.raises(NotFoundError, match="no longer on the page"):
        await Element(live, seen, int(seen.parent[text])).click()
