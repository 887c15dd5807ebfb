"""webgeist's functions as scripts, notebooks and servers use them, with a real Chromium."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import psutil
import pytest
from tests.repository.archive.exchanges import close_bodies, make_exchange
from tests.repository.making import make_capture, new_repository
from tests.repository.test_replaying import record

import webgeist
from webgeist import aio
from webgeist.errors import BrowserError, NotFoundError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import SettingsMaker, Site

    from webgeist import Settings

NOON = datetime(2024, 2, 29, 12, tzinfo=UTC)


@pytest.fixture
def settings(make_settings: SettingsMaker) -> Settings:
    return make_settings()


def children() -> set[int]:
    return {child.pid for child in psutil.Process().children(recursive=True)}


def test_a_url_is_captured_twice_and_no_browser_is_left(site: Site, settings: Settings) -> None:
    before = children()
    url = site.add("/", "<title>t</title><p>words")
    for _ in range(2):
        capture = webgeist.capture(url, clock=NOON, viewport="mobile", settings=settings)
        assert capture.ok
        assert (capture.info.clock, capture.info.viewport.name) == (NOON, "mobile")
    assert children() <= before


async def test_it_works_inside_a_running_loop(site: Site, settings: Settings) -> None:
    assert webgeist.capture(site.add("/", "<p>words"), settings=settings).ok


def test_a_saved_file_is_captured_saved_and_opened(tmp_path: Path, settings: Settings) -> None:
    path = tmp_path / "page.html"
    path.write_text("<p>words")
    capture = webgeist.capture(path, url="http://example.org/p", settings=settings)
    assert capture.info.url == "http://example.org/p"
    folder = capture.save(tmp_path / "capture")
    read = webgeist.open_capture(str(folder))
    assert read.info == capture.info
    assert read.page is not None
    assert read.page.text(0) == "words"


def test_many_targets_are_captured_with_one_browser(site: Site, settings: Settings) -> None:
    before = children()
    urls = [site.add(f"/{number}", f"<p>{number}") for number in range(3)]
    captures = webgeist.capture_all(urls, settings=settings)
    first = next(captures)
    browsers = children() - before
    assert browsers
    assert site.log == ["/0"]  # the others wait until they are asked for
    rest = list(captures)
    assert [capture.info.url for capture in (first, *rest)] == urls
    assert children() <= before


def test_a_caller_that_stops_early_leaves_no_browser(site: Site, settings: Settings) -> None:
    before = children()
    url = site.add("/", "<p>words")
    for _ in webgeist.capture_all([url, url, url], settings=settings):
        break
    assert children() <= before
    assert len(site.log) == 1


async def test_the_asynchronous_forms_give_the_same(site: Site, settings: Settings) -> None:
    url = site.add("/", "<p>words")
    one = await aio.capture(url, clock=NOON, settings=settings)
    more = [found async for found in aio.capture_all([url, url], clock=NOON, settings=settings)]
    assert one.page is not None
    for other in more:
        assert other.page is not None
        assert other.page.nodes.equals(one.page.nodes)


def test_a_stored_capture_is_rendered_again_and_nobody_is_asked(
    site: Site, settings: Settings, tmp_path: Path
) -> None:
    before = children()
    url = site.add("/", "<p>words")
    with new_repository(tmp_path / "r") as repository:
        (id_,) = asyncio.run(record(repository, settings, url))
        asked = list(site.log)
        replayed = webgeist.replay(repository, id_, settings=settings)
        replayed.capture.close()
        with pytest.raises(NotFoundError):
            webgeist.replay(repository, "0" * 26, settings=settings)
    assert site.log == asked
    assert (replayed.missing, replayed.unused) == ((), ())
    pages = replayed.original.page, replayed.capture.page
    assert [page and page.text(0) for page in pages] == ["words", "words"]
    assert children() <= before


async def test_a_replay_has_the_settings_of_its_repository(tmp_path: Path) -> None:
    (tmp_path / "r").mkdir()
    settings = '[browser]\nexecutable = "/nowhere/chromium"\n'
    (tmp_path / "r" / "webgeist.toml").write_text(settings)
    with new_repository(tmp_path / "r") as repository:
        id_ = repository.add(make_capture(1), [make_exchange("http://example.org/page")])
        with pytest.raises(BrowserError, match="/nowhere/chromium"):
            await aio.replay(repository, id_)
    close_bodies()


def test_settings_come_from_the_environment_where_none_are_given(
    site: Site, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WEBGEIST_BROWSER_EXECUTABLE", "/nowhere/chromium")
    with pytest.raises(BrowserError, match="/nowhere/chromium"):
        webgeist.capture(site.add("/", "<p>words"))


def test_a_page_that_cannot_be_had_is_no_exception(settings: Settings) -> None:
    capture = webgeist.capture("http://nosuch.invalid/", settings=settings)
    assert not capture.ok
    assert capture.info.outcome is webgeist.Outcome.UNKNOWN_HOST


def test_mistakes_are_exceptions_and_need_no_browser(tmp_path: Path, settings: Settings) -> None:
    with pytest.raises(UsageError):
        webgeist.capture("nonsense", settings=settings)
    with pytest.raises(NotFoundError):
        webgeist.capture(tmp_path / "missing.html", settings=settings)
    with pytest.raises(NotFoundError):
        webgeist.open_capture(tmp_path)


SCRIPT = """
import sys, webgeist
from webgeist import Settings
settings = Settings.model_validate_json(sys.argv[2])
try:
    webgeist.capture(sys.argv[1], settings=settings)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_ctrl_c_in_a_script_ends_it_and_its_browser(
    site: Site, settings: Settings, tmp_path: Path
) -> None:
    site.add("/never", status=None)
    url = site.add("/", "<p>words<script src=/never></script>")
    script = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, url, settings.model_dump_json()],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    try:
        assert site.asked["/never"].wait(30)
        browser = psutil.Process(script.pid).children(recursive=True)
        assert browser
        script.send_signal(signal.SIGINT)
        said, _ = script.communicate(timeout=30)
    finally:
        script.kill()
        script.communicate()
    assert (said, script.returncode) == ("interrupted\n", 0)
    _, alive = psutil.wait_procs(browser, timeout=20)
    assert not [one for one in alive if one.status() != psutil.STATUS_ZOMBIE]
    assert list(tmp_path.iterdir()) == []
