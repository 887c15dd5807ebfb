"""How loading a page ends: every outcome, from real servers."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Any

import pytest

from webgeist.capture import loader
from webgeist.capture.browser import Browser
from webgeist.capture.camera import Camera
from webgeist.capture.outcome import Outcome
from webgeist.capture.target import Target
from webgeist.capture.viewport import VIEWPORTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.capture.conftest import Rig
    from tests.conftest import SettingsMaker, Site, Studio

    from webgeist.capture.model import Capture

    Listener = Callable[[str, dict[str, Any]], None]

GIF = b"GIF89a\x01\x00\x01\x00\x00\x00\x00;"


def test_an_error_page_is_captured(studio: Studio, site: Site) -> None:
    capture = studio.shoot(site.add("/", "<p>Not here", status=404))
    assert capture.info.outcome is Outcome.HTTP_ERROR
    assert (capture.info.reason, capture.info.status) == ("the server answered 404", 404)
    assert capture.page is not None
    assert capture.page.text(0) == "Not here"


def typed(kind: str) -> dict[str, str]:
    return {"content-type": kind}


SAVE = {"content-disposition": "attachment; filename=f.html"}
XHTML = b"<html xmlns='http://www.w3.org/1999/xhtml'><body>x</body></html>"


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ((404, {}, b""), Outcome.HTTP_ERROR),
        ((204, {}, b""), Outcome.NO_CONTENT),
        ((205, {}, b""), Outcome.NO_CONTENT),
        ((200, typed("image/gif"), GIF), Outcome.NOT_HTML),
        ((200, typed("text/plain"), b"words"), Outcome.NOT_HTML),
        ((200, typed("application/json"), b"{}"), Outcome.NOT_HTML),
        ((200, typed("application/rss+xml"), b"<rss/>"), Outcome.NOT_HTML),
        ((200, typed("application/zip"), b"PK"), Outcome.DOWNLOAD),
        ((200, SAVE, b"<p>x"), Outcome.DOWNLOAD),
        ((200, {}, b""), Outcome.EMPTY),
        ((200, typed("application/xhtml+xml"), XHTML), Outcome.OK),
    ],
)
def test_an_answer_means_an_outcome(
    studio: Studio, site: Site, reply: tuple[int, dict[str, str], bytes], outcome: Outcome
) -> None:
    status, headers, body = reply
    capture = studio.shoot(site.add("/", body, status=status, headers=headers))
    assert capture.info.outcome is outcome, capture.info.reason
    assert capture.has_page == (capture.page is not None)


def delayed_downloads(listener: Listener) -> Listener:
    """Tells of downloads later than the browser did: the order of those events is not fixed."""
    loop = asyncio.get_running_loop()

    def late(method: str, params: dict[str, Any]) -> None:
        if method.endswith(".downloadWillBegin"):
            loop.call_later(0.2, listener, method, params)
        else:
            listener(method, params)

    return late


async def test_a_download_is_named_however_late_the_browser_tells(
    make_settings: SettingsMaker, site: Site
) -> None:
    url = site.add("/", "x", headers={"content-disposition": "attachment; filename=report.pdf"})
    async with Browser(make_settings()) as browser:
        connection = browser._running.connection
        connection.listen("", delayed_downloads(browser._event))
        async with browser.tab(VIEWPORTS["desktop"], None) as tab:
            connection.listen(tab._session, delayed_downloads(tab._event))
            loaded = await loader.load(tab, Target(url), browser.properties)
    assert loaded.outcome is Outcome.DOWNLOAD
    assert loaded.reason == "the answer is a file to be saved: report.pdf"


def test_an_unknown_host_is_an_outcome(failed_capture: Capture) -> None:
    assert failed_capture.info.outcome is Outcome.UNKNOWN_HOST
    assert failed_capture.info.reason == "net::ERR_NAME_NOT_RESOLVED"


def test_a_port_where_nobody_listens_refuses(studio: Studio) -> None:
    with socket.socket() as held:  # bound, so that nobody else takes it; not listening
        held.bind(("127.0.0.1", 0))
        capture = studio.shoot(f"http://127.0.0.1:{held.getsockname()[1]}/")
    assert capture.info.outcome is Outcome.REFUSED


def test_a_server_that_is_none_is_an_outcome(studio: Studio) -> None:
    assert studio.shoot("http://127.0.0.1:1/").info.outcome is Outcome.BAD_URL  # a port of no web


def test_redirects_are_told(studio: Studio, site: Site) -> None:
    first = site.add("/1", status=302, headers={"location": "/2"})
    second = site.add("/2", status=301, headers={"location": "/3#part"})
    site.add("/3", "<p>arrived")
    capture = studio.shoot(first)
    assert capture.ok
    assert (capture.info.requested_url, capture.info.redirects) == (first, (first, second))
    assert capture.info.url == site.url("/3#part")
    rows = capture.requests.to_pylist()
    assert [row["redirected_from"] for row in rows[:3]] == [None, 0, 1]
    assert [row["status"] for row in rows[:3]] == [302, 301, 200]


@pytest.mark.parametrize(
    "html",
    [
        "<script>location = '/2'</script>",
        "<meta http-equiv=refresh content='0;url=/2'>",
        "<p>x<script>setTimeout(() => location.replace('/2'), 50)</script>",
    ],
)
def test_a_page_that_sends_its_reader_on_is_followed(studio: Studio, site: Site, html: str) -> None:
    first = site.add("/1", html)
    site.add("/2", "<p>arrived")
    capture = studio.shoot(first)
    assert capture.info.url == site.url("/2")
    assert capture.info.redirects == (first,)
    assert capture.page is not None
    assert capture.page.text(0) == "arrived"


@pytest.mark.parametrize(
    ("html", "headers", "status"),
    [
        ("", {"location": "/"}, 302),
        ("<meta http-equiv=refresh content=0>", {}, 200),
        ("<script>location = '/?' + Math.random()</script>", {}, 200),
    ],
)
async def test_redirects_without_an_end_are_an_outcome(
    make_settings: SettingsMaker, site: Site, html: str, headers: dict[str, str], status: int
) -> None:
    async with Camera(make_settings(limits={"navigation_seconds": 5})) as camera:
        target = Target(site.add("/", html, status=status, headers=headers))
        assert (await camera.capture(target)).info.outcome is Outcome.REDIRECT_LOOP


async def hasty(make_settings: SettingsMaker, url: str) -> Capture:
    settings = make_settings(
        browser={"command_seconds": 1},
        limits={"navigation_seconds": 1, "settle_seconds": 0.5, "nodes": 50},
    )
    async with Camera(settings) as camera:
        capture = await camera.capture(Target(url))
        following = await camera.capture(Target(url.rpartition("/")[0] + "/fine"))
        assert following.ok  # whatever happened, the next page is captured
        return capture


async def test_what_came_of_a_document_that_is_cut_off_is_captured(
    make_settings: SettingsMaker, rig: Rig
) -> None:
    read = asyncio.Event()

    async def cut_when_read(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if b"/read" in await reader.readuntil(b"\r\n\r\n"):
            read.set()
            return
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n"
        writer.write(head + b"<p>words<script>fetch('/read')</script>")
        await read.wait()

    port = await rig.serve(cut_when_read)
    async with Camera(make_settings()) as camera:
        capture = await camera.capture(Target(f"http://127.0.0.1:{port}/"))
    assert capture.info.outcome is Outcome.TRUNCATED
    assert capture.page is not None
    assert capture.page.text(0) == "words"


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        (" \n", Outcome.TRUNCATED),
        ("<!doctype html>", Outcome.TRUNCATED),
        ("", Outcome.BAD_RESPONSE),
    ],
)
def test_what_came_of_a_document_counts_and_not_what_chromium_shows_of_it(
    studio: Studio, site: Site, body: str, outcome: Outcome
) -> None:
    info = studio.shoot(site.add("/", body, length=1_000)).info
    assert (info.outcome, info.nodes > 0) == (outcome, bool(body))
    assert info.reason.endswith("net::ERR_CONTENT_LENGTH_MISMATCH")


async def test_a_document_that_never_ends_is_truncated(
    make_settings: SettingsMaker, site: Site
) -> None:
    site.add("/fine", "<p>words")
    capture = await hasty(
        make_settings, site.add("/", "<p>words", length=1_000, headers={"hold": "1"})
    )
    assert capture.info.outcome is Outcome.TRUNCATED
    assert capture.info.reason == "the document had not ended"
    assert capture.page is not None
    assert capture.page.text(0) == "words"


async def test_a_server_that_never_answers_is_a_time_out(
    make_settings: SettingsMaker, site: Site
) -> None:
    site.add("/fine", "<p>words")
    capture = await hasty(make_settings, site.add("/", status=None))
    assert capture.info.outcome is Outcome.TIMEOUT
    assert "1 s" in capture.info.reason


@pytest.mark.parametrize(
    "script", ["for (;;);", "setTimeout(() => { for (;;); })", "onload = () => { for (;;); }"]
)
async def test_a_script_that_never_pauses_makes_a_page_unresponsive(
    make_settings: SettingsMaker, site: Site, script: str
) -> None:
    site.add("/fine", "<p>words")
    capture = await hasty(make_settings, site.add("/", f"<p>x<script>{script}</script>"))
    assert capture.info.outcome is Outcome.UNRESPONSIVE


async def test_a_page_with_too_many_elements_is_too_large(
    make_settings: SettingsMaker, site: Site
) -> None:
    site.add("/fine", "<p>words")
    capture = await hasty(make_settings, site.add("/", "<b></b>" * 60))
    assert capture.info.outcome is Outcome.TOO_LARGE
    assert "limits.nodes = 50" in capture.info.reason


async def test_a_page_whose_process_dies_has_crashed(
    make_settings: SettingsMaker, site: Site
) -> None:
    site.add("/never", status=None)
    target = Target(site.add("/", "<p>words<script src=/never></script>"))
    async with Browser(make_settings()) as browser:
        async with browser.tab(VIEWPORTS["desktop"], None) as tab:
            loading = asyncio.ensure_future(loader.load(tab, target, browser.properties))
            await asyncio.to_thread(site.asked["/never"].wait, 20)
            tab._connection.post("Page.crash", session=tab._session)
            async with asyncio.timeout(20):
                loaded = await loading
            assert (loaded.outcome, loaded.snapshot) == (Outcome.CRASHED, None)
        async with browser.tab(VIEWPORTS["desktop"], None) as tab:
            fine = Target(site.add("/fine", "<p>words"))
            loaded = await loader.load(tab, fine, browser.properties)
            assert loaded.outcome is Outcome.OK
