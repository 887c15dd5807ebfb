"""A running Chromium and its tabs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import psutil
import pytest

from webgeist.capture import process
from webgeist.capture.browser import Browser
from webgeist.capture.viewport import VIEWPORTS
from webgeist.errors import BrowserError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import SettingsMaker, Site

    from webgeist.capture.tab import Tab

DESKTOP = VIEWPORTS["desktop"]


async def value(tab: Tab, expression: str) -> object:
    params = {"expression": expression, "returnByValue": True, "awaitPromise": True}
    answer = await tab.send("Runtime.evaluate", params)
    found: object = answer["result"].get("value")
    return found


async def visit(tab: Tab, url: str) -> None:
    tab.begin()
    await tab.send("Page.navigate", {"url": url})
    while not tab.journal.loaded:
        tab.journal.changed.clear()
        async with asyncio.timeout(20):
            await tab.journal.changed.wait()


async def test_a_browser_knows_its_version_and_all_longhands(make_settings: SettingsMaker) -> None:
    async with Browser(make_settings()) as browser:
        assert "Chrom" in browser.version
        assert {"font-size", "color", "padding-left", "display"} <= set(browser.properties)
        assert len(browser.properties) > 300
        assert len(set(browser.properties)) == len(browser.properties)
        pid = browser.pid
        assert psutil.pid_exists(pid)
    assert not psutil.pid_exists(pid)
    assert not browser.alive


async def test_tabs_do_not_share_cookies_or_storage(
    make_settings: SettingsMaker, site: Site
) -> None:
    url = site.add("/", "<p>x")
    write = "document.cookie = 'a=1; max-age=999'; localStorage.a = 1"
    read = "document.cookie + ' ' + localStorage.a"
    async with Browser(make_settings()) as browser:
        async with browser.tab(DESKTOP, None) as one, browser.tab(DESKTOP, None) as two:
            await visit(one, url)
            await value(one, write)
            assert await value(one, read) == "a=1 1"
            await visit(two, url)
            assert await value(two, read) == " undefined"
        async with browser.tab(DESKTOP, None) as later:
            await visit(later, url)
            assert await value(later, read) == " undefined"


async def test_a_tab_that_was_closed_is_gone(make_settings: SettingsMaker) -> None:
    async with Browser(make_settings()) as browser:
        async with browser.tab(DESKTOP, None) as tab:
            assert await value(tab, "1 + 1") == 2
        listed = await browser._running.connection.send("Target.getTargets")
        assert tab.target not in {info["targetId"] for info in listed["targetInfos"]}
        assert browser._tabs == {}


async def test_the_world_is_the_same_wherever_the_test_runs(make_settings: SettingsMaker) -> None:
    async with Browser(make_settings()) as browser, browser.tab(DESKTOP, None) as tab:
        zone = "Intl.DateTimeFormat().resolvedOptions().timeZone"
        assert await value(tab, zone) == "UTC"
        assert await value(tab, "(1234.5).toLocaleString()") == "1,234.5"
        assert await value(tab, "innerWidth + 'x' + innerHeight") == "1280x960"


async def test_a_users_agent_is_the_settings_or_the_devices(
    make_settings: SettingsMaker, site: Site
) -> None:
    url = site.add("/", "<p>x")
    async with Browser(make_settings()) as browser, browser.tab(VIEWPORTS["mobile"], None) as tab:
        await visit(tab, url)
        assert "Mobile" in str(await value(tab, "navigator.userAgent"))
    settings = make_settings(capture={"user_agent": "tester/1"})
    async with Browser(settings) as browser, browser.tab(DESKTOP, None) as tab:
        await visit(tab, url)
        assert await value(tab, "navigator.userAgent") == "tester/1"


def left_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that temporary folders are made in; browsers get little time to end."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.setattr(process, "_EXIT_SECONDS", 0.05)
    return folder


def fake_browser(folder: Path, text: str) -> str:
    path = folder / "fake-browser"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("text", "words"),
    [("echo broken >&2; exit 1", "broken"), ("exit 1", "died"), ("exec sleep 1000", "getVersion")],
)
async def test_an_executable_that_is_no_browser_is_an_error_with_a_remedy(
    make_settings: SettingsMaker, temporary: Path, text: str, words: str
) -> None:
    before = psutil.Process().children()
    executable = fake_browser(temporary.parent, text)
    settings = make_settings(browser={"executable": executable, "start_seconds": 0.3})
    with pytest.raises(BrowserError, match=rf"did not start: .*{words}") as caught:
        await Browser(settings).__aenter__()
    assert "browser.executable" in str(caught.value.remedy)
    assert left_in(temporary) == []
    assert psutil.Process().children() == before


async def test_a_missing_executable_is_an_error(make_settings: SettingsMaker) -> None:
    settings = make_settings(browser={"executable": "/nowhere/chromium"})
    with pytest.raises(BrowserError) as caught:
        await Browser(settings).__aenter__()
    assert caught.value.remedy


async def test_a_start_that_is_interrupted_leaves_nothing(
    make_settings: SettingsMaker, temporary: Path
) -> None:
    executable = fake_browser(temporary.parent, "exec sleep 1000")
    browser = Browser(make_settings(browser={"executable": executable}))
    starting = asyncio.ensure_future(browser.__aenter__())
    while browser._process is None:  # noqa: ASYNC110 - nothing tells when the process was made
        await asyncio.sleep(0)
    pid = browser.pid
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    left = psutil.pid_exists(pid), left_in(temporary)
    await browser.close()
    assert left == (False, [])


async def test_a_browser_that_was_not_started_says_so(make_settings: SettingsMaker) -> None:
    browser = Browser(make_settings())
    assert not browser.alive
    with pytest.raises(BrowserError, match="not running"):
        _ = browser.pid
    await browser.close()
