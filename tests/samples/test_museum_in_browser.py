"""In a real Chromium, exhibits are as nasty as they say: what cannot be told from their source."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Dialog, Page
    from tests.samples.conftest import Visitor

SITE = "museum"


def visit(tab: Page, visitor: Visitor, path: str) -> None:
    """Goes there and does not wait for a load event, which may never come."""
    tab.goto(visitor.url(path), wait_until="commit")


def holds(debugger: CDPSession, fact: str) -> bool:
    """Asked by the bare protocol: Playwright's own helpers in the page are what hostile pages break."""
    answer = debugger.send("Runtime.evaluate", {"expression": f"Boolean({fact})"})
    return answer["result"].get("value") is True


@pytest.mark.parametrize(
    ("path", "fact"),
    [
        ("/scripts/growth", "document.body.children.length > 40"),
        ("/scripts/scroll", "document.body.children.length > 40"),
        ("/redirects/history", "location.pathname > '/redirects/history/3'"),
        ("/redirects/hash", "location.hash.length > 1"),
        ("/load/trickle", "document.querySelectorAll('p').length > 2 && document.readyState == 'loading'"),
        ("/load/stalled", "document.querySelector('h1') && document.readyState == 'loading'"),
        ("/load/events", "document.body?.innerText.includes('tick tick')"),
        ("/load/font", "document.readyState == 'interactive' && document.fonts.status == 'loading'"),
        ("/hostile/observer", "typeof MutationObserver == 'undefined'"),
        ("/hostile/styles", "getComputedStyle(document.body) === null"),
        ("/hostile/fonts", "document.fonts.size == Infinity"),
        ("/hostile/timers", "setTimeout(() => {}) === 0"),
        ("/hostile/json", "JSON.stringify({}) == 'gotcha'"),
        ("/hostile/promise", "Promise.resolve(1) === 7"),
        ("/hostile/date", "(() => { try { Date.now() } catch { return true } })()"),
        ("/hostile/array", "(() => { try { [1].map(x => x) } catch { return true } })()"),
        ("/hostile/queries", "(() => { try { document.querySelector('p') } catch { return true } })()"),
        ("/hostile/remove", "document.documentElement === null"),
        ("/hostile/freeze", "Object.isFrozen(Array.prototype) && !Object.isExtensible(document)"),
        ("/hostile/rewrite", "document.querySelector('h1')?.textContent == 'Version 2'"),
        ("/hostile/clobber", "document.body.name == 'body' || document.getElementById.name == 'getElementById'"),
        ("/hostile/shadow", "document.readyState == 'complete' && !document.querySelector('h1').getClientRects().length"),
        ("/texts/surrogates", "document.title.charCodeAt(5) == 0xd800 && p.textContent.charCodeAt(5) == 0xdfff"),
        ("/texts/null", "document.querySelector('h1')?.title == 'a\\ufffdb'"),
        ("/texts/laughs.xhtml", "document.querySelector('parsererror')"),
        ("/texts/entity.xhtml", "document.readyState == 'complete' && !document.querySelector('p')?.textContent"),
        ("/charsets/utf-16", "document.querySelector('h1')?.textContent == 'Ελληνικά'"),
        ("/charsets/shift-jis", "document.readyState == 'complete' && document.characterSet == 'Shift_JIS'"),
        ("/charsets/contradiction", "document.characterSet == 'UTF-8'"),
        ("/sizes/tall?h=60000", "document.documentElement.scrollHeight > 60000"),
        ("/sizes/wide?w=20000", "document.documentElement.scrollWidth >= 20000"),
        ("/sizes/zero", "document.body.getBoundingClientRect().width == 0"),
        ("/sizes/hidden", "document.body.getClientRects().length == 0"),
    ],
)  # fmt: skip
def test_the_browser_sees_it(tab: Page, visitor: Visitor, path: str, fact: str) -> None:
    visit(tab, visitor, path)
    debugger = tab.context.new_cdp_session(tab)
    deadline = time.monotonic() + 30
    while not holds(debugger, fact):
        assert time.monotonic() < deadline, f"{fact} never became true"


def test_deep_page_is_deep_and_unclosed_one_is_flattened(tab: Page, visitor: Visitor) -> None:
    depth = """() => { let deepest = 0;
      for (let node of document.querySelectorAll('div')) {
        let n = 0; for (; node; node = node.parentNode) n++; deepest = Math.max(deepest, n) }
      return deepest }"""
    visit(tab, visitor, "/sizes/deep?n=900")
    tab.wait_for_load_state()
    assert tab.evaluate(depth) > 900
    visit(tab, visitor, "/sizes/unclosed?n=900")
    tab.wait_for_load_state()
    assert tab.evaluate(depth) < 600


def test_deepest_page_crashes_its_tab(tab: Page, visitor: Visitor) -> None:
    with tab.expect_event("crash"):
        visit(tab, visitor, "/sizes/deep?n=5000")


@pytest.mark.parametrize("kind", ["alert", "confirm", "prompt"])
def test_dialogs_open(tab: Page, visitor: Visitor, kind: str) -> None:
    seen: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        seen.append(dialog.type)
        dialog.dismiss()

    tab.on("dialog", dismiss)
    visit(tab, visitor, f"/scripts/{kind}")
    tab.wait_for_load_state()
    assert seen == [kind]


def test_popups_open(tab: Page, visitor: Visitor) -> None:
    with tab.context.expect_page():
        visit(tab, visitor, "/scripts/popups")


def test_page_closes_itself(tab: Page, visitor: Visitor) -> None:
    visit(tab, visitor, "/sizes/zero")
    with tab.expect_popup() as opened:
        tab.evaluate("() => { window.open('/scripts/close') }")
    if not opened.value.is_closed():
        opened.value.wait_for_event("close")


def test_websocket_floods(tab: Page, visitor: Visitor) -> None:
    with tab.expect_websocket() as opened:
        visit(tab, visitor, "/load/websocket")
    for _ in range(3):
        frame = opened.value.wait_for_event("framereceived")
        assert len(frame) == 1024


def test_polling_never_rests(tab: Page, visitor: Visitor) -> None:
    visit(tab, visitor, "/scripts/polling")
    for _ in range(5):
        tab.wait_for_event("requestfinished")


def test_service_worker_answers_with_garbage(tab: Page, visitor: Visitor) -> None:
    visit(tab, visitor, "/hostile/worker/")
    tab.wait_for_function("() => document.title == 'Worker installed'")
    visit(tab, visitor, "/hostile/worker/inside")
    assert "garbage" in tab.content()
    visit(tab, visitor, "/sizes/links?n=1")
    assert "garbage" not in tab.content()


def test_download_is_no_page(tab: Page, visitor: Visitor) -> None:
    with tab.expect_download() as download, pytest.raises(Exception, match=r"Download|ERR_ABORTED"):
        visit(tab, visitor, "/answers/download")
    download.value.cancel()
    assert "/" not in download.value.suggested_filename
