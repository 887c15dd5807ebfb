"""Captures with a real Chromium: the same twice, and a browser that may die in between."""

from __future__ import annotations

import asyncio
import os
import signal
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import psutil
import pytest

from webgeist.capture import process
from webgeist.capture import tab as tab_module
from webgeist.capture.camera import Camera
from webgeist.capture.outcome import Outcome
from webgeist.capture.target import Target
from webgeist.errors import BrowserError

if TYPE_CHECKING:
    from tests.conftest import SettingsMaker, Site, Studio

    from webgeist.capture.browser import Browser
    from webgeist.capture.model import Capture
    from webgeist.page.model import Page

NOON = datetime(2024, 2, 29, 12, tzinfo=UTC)

EVERYTHING = """<!doctype html><title>t</title>
<style>p { animation: grow 2s infinite; font: 20px serif }
@keyframes grow { to { font-size: 90px } }
i { display: inline-block; transition: margin 1s } </style>
<p>words <i>move</i> <a href=/x>link</a></p><iframe srcdoc="<b>b"></iframe>
<script>
  document.body.append([Date(), new Date().toISOString(), Date.now(), Math.random(),
    performance.now(), performance.timeOrigin, crypto.randomUUID?.(),
    crypto.getRandomValues(new Uint8Array(4)).join()].join(" | "));
  document.querySelector("i").style.marginLeft = "50px";
</script>"""
CANVAS = """<canvas width=200 height=100></canvas><script>
  const pen = document.querySelector("canvas").getContext("2d");
  const draw = (time) => {
    pen.fillStyle = `hsl(${time % 360} 90% 50%)`;
    pen.fillRect(Math.random() * 150, time % 80, 40, 20);
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
</script>"""


def page_of(capture: Capture) -> Page:
    assert capture.page is not None, capture.info.reason
    return capture.page


def body_text(capture: Capture) -> str:
    page = page_of(capture)
    return page.text(page.find("body")[0])


def test_two_captures_of_one_page_are_equal(picture_studio: Studio, site: Site) -> None:
    url = site.add("/", EVERYTHING)
    one, two = (picture_studio.shoot(url, clock=NOON) for _ in range(2))
    assert one.ok
    assert page_of(one).nodes.equals(page_of(two).nodes)
    assert page_of(one).styles_own.equals(page_of(two).styles_own)
    assert page_of(one).styles_inherited.equals(page_of(two).styles_inherited)
    assert one.links.equals(two.links)
    assert pixels(one) == pixels(two)


def pixels(capture: Capture) -> bytes:
    assert capture.screenshot is not None
    return capture.screenshot.image().tobytes()


def test_a_canvas_that_moves_for_ever_is_one_picture(picture_studio: Studio, site: Site) -> None:
    url = site.add("/", CANVAS)
    pictures = {pixels(picture_studio.shoot(url, clock=NOON)) for _ in range(4)}
    assert len(pictures) == 1


TELLING = """<p><script>
document.write([Date.now(), new Date().toISOString(), new Date().getTime(), Date().slice(0, 24),
  performance.now(), performance.timeOrigin, document.lastModified].join("|"));
</script>"""
CHANCE = """<p><script>document.write([Math.random(), Math.random(), crypto.randomUUID(),
  crypto.getRandomValues(new Uint32Array(2)).join()].join("|"));</script>"""


def test_a_page_reads_the_clock_it_was_given(studio: Studio, site: Site) -> None:
    told = body_text(studio.shoot(site.add("/", TELLING), clock=NOON)).split("|")
    epoch = str(int(NOON.timestamp() * 1000))
    assert told == [
        *(epoch, "2024-02-29T12:00:00.000Z", epoch, "Thu Feb 29 2024 12:00:00"),
        *("0", epoch, "02/29/2024 12:00:00"),
    ]


def test_a_page_knows_when_its_server_says_it_changed(studio: Studio, site: Site) -> None:
    url = site.add(
        "/",
        "<p><script>document.write(document.lastModified)</script>",
        headers={"last-modified": "Sat, 13 Feb 2021 08:00:01 GMT"},
    )
    assert body_text(studio.shoot(url, clock=NOON)) == "02/13/2021 08:00:01"


def test_without_a_clock_it_is_the_hour_that_it_is(studio: Studio, site: Site) -> None:
    before = datetime.now(UTC)
    capture = studio.shoot(site.add("/", TELLING))
    after = datetime.now(UTC)
    clock = capture.info.clock
    assert clock is not None
    assert (clock.minute, clock.second, clock.microsecond) == (0, 0, 0)
    assert before.replace(minute=0, second=0, microsecond=0) <= clock <= after
    assert before <= capture.info.time <= after
    assert body_text(capture).startswith(str(int(clock.timestamp() * 1000)))


def test_chance_gives_the_same_numbers_again_but_not_one_number(studio: Studio, site: Site) -> None:
    url = site.add("/", CHANCE)
    first, second = (body_text(studio.shoot(url)) for _ in range(2))
    assert first == second
    one, two, uuid, values = first.split("|")
    assert one != two
    assert len(uuid) == 36
    assert uuid[14] == "4"
    assert uuid[19] in "89ab"
    assert len(set(values.split(","))) == 2


async def test_without_determinism_time_and_chance_are_real(
    make_settings: SettingsMaker, site: Site
) -> None:
    settings = make_settings(capture={"deterministic": False})
    async with Camera(settings) as camera:
        chance = Target(site.add("/chance", CHANCE))
        first, second = await camera.capture(chance), await camera.capture(chance)
        assert body_text(first) != body_text(second)
        assert first.info.clock is None
        before = datetime.now(UTC).timestamp()
        told = body_text(await camera.capture(Target(site.add("/", TELLING)), clock=NOON))
        after = datetime.now(UTC).timestamp()
    assert before - 0.001 <= int(told.split("|")[0]) / 1000 <= after + 0.001


def test_captures_do_not_know_of_each_other(studio: Studio, site: Site) -> None:
    url = site.add(
        "/",
        "<p><script>document.write('had ' + (document.cookie || 'none'));"
        "document.cookie = 'a=1; max-age=9999'</script>",
        headers={"cache-control": "max-age=9999"},
    )
    assert [body_text(studio.shoot(url)) for _ in range(2)] == ["had none", "had none"]
    assert site.log == ["/", "/"]


@pytest.mark.parametrize(
    ("name", "width"), [("mobile", 390), ("tablet", 820), ("laptop", 1440), ("777x333", 777)]
)
def test_a_page_is_as_wide_as_its_viewport(
    picture_studio: Studio, site: Site, name: str, width: int
) -> None:
    url = site.add("/", "<meta name=viewport content='width=device-width'><p>words")
    capture = picture_studio.shoot(url, viewport=name)
    page = page_of(capture)
    assert page.boxes[page.find("html")[-1]][2] == width
    assert capture.info.viewport.name == name
    assert capture.screenshot is not None
    assert capture.screenshot.image().width == capture.screenshot.info.width == width


def chromium_of(camera: Camera) -> int:
    """Chromium's own number: a system's command for it may be a script that waits for it."""
    assert camera.places.browser is not None
    family = psutil.Process(camera.places.browser.pid).children(recursive=True)
    helper = next(one for one in family if any(a.startswith("--type=") for a in one.cmdline()))
    return helper.ppid()


async def test_a_killed_browser_is_an_outcome_and_the_next_capture_works(
    make_settings: SettingsMaker, site: Site
) -> None:
    site.add("/never", status=None)
    stuck = Target(site.add("/stuck", "<p>words<script src=/never></script>"))
    fine = Target(site.add("/fine", "<p>words"))
    async with Camera(make_settings()) as camera:
        capturing = asyncio.ensure_future(camera.capture(stuck))
        await asyncio.to_thread(site.asked["/never"].wait, 20)
        os.kill(chromium_of(camera), signal.SIGKILL)
        async with asyncio.timeout(5):
            died = await capturing
        assert (died.info.outcome, died.page) == (Outcome.BROWSER_DIED, None)
        assert (await camera.capture(fine)).ok


async def test_a_hanging_browser_is_an_outcome_and_the_next_capture_works(
    make_settings: SettingsMaker, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tab_module, "_CLOSE_SECONDS", 0.5)
    monkeypatch.setattr(process, "_EXIT_SECONDS", 0.5)
    site.add("/never", status=None)
    stuck = Target(site.add("/stuck", "<p>words<script src=/never></script>"))
    fine = Target(site.add("/fine", "<p>words"))
    settings = make_settings(
        browser={"command_seconds": 2},
        limits={"navigation_seconds": 1, "settle_seconds": 0.5, "capture_seconds": 10},
    )
    async with Camera(settings) as camera:
        capturing = asyncio.ensure_future(camera.capture(stuck))
        await asyncio.to_thread(site.asked["/never"].wait, 20)
        os.kill(chromium_of(camera), signal.SIGSTOP)
        assert (await capturing).info.outcome is Outcome.BROWSER_DIED
        assert (await camera.capture(fine)).ok


async def test_a_dead_browser_is_replaced_before_the_next_capture(
    make_settings: SettingsMaker, site: Site
) -> None:
    target = Target(site.add("/", "<p>words"))
    async with Camera(make_settings()) as camera:
        browser = camera.places.browser
        assert browser is not None
        os.kill(chromium_of(camera), signal.SIGKILL)
        async with asyncio.timeout(20):
            await browser._running.connection.closed
        assert (await camera.capture(target)).ok
        assert camera.places.browser is not browser


async def test_a_browser_that_has_grown_is_replaced_and_ends_with_its_last_tab(
    make_settings: SettingsMaker, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webgeist.capture.places._MEASURE_SECONDS", 0.0)
    slow = Target(site.add("/slow", "<p>words<script src=/never></script>"))
    site.add("/never", status=None)
    settings = make_settings(browser={"memory_bytes": 1}, limits={"navigation_seconds": 3})
    async with Camera(settings) as camera:
        capturing = asyncio.create_task(camera.capture(slow))
        await asyncio.to_thread(site.asked["/never"].wait)
        first = camera.places.browser
        assert first is not None
        assert (await camera.capture(Target(site.add("/", "<p>words")))).ok
        assert camera.places.browser is not first
        assert first.alive  # as long as its page is being captured
        await capturing
        assert not first.alive


@pytest.mark.parametrize("deaths", [1, 2])
async def test_a_browser_that_dies_before_it_gave_a_tab_is_replaced_once(
    make_settings: SettingsMaker, site: Site, monkeypatch: pytest.MonkeyPatch, deaths: int
) -> None:
    async with Camera(make_settings()) as camera:
        living, killed = camera.places._living_browser, 0

        async def dying() -> Browser:
            nonlocal killed
            browser = await living()
            if killed < deaths:
                killed += 1
                os.kill(chromium_of(camera), signal.SIGKILL)
            return browser

        monkeypatch.setattr(camera.places, "_living_browser", dying)
        capturing = camera.capture(Target(site.add("/", "<p>words")))
        if deaths == 1:
            assert (await capturing).ok
        else:
            with pytest.raises(BrowserError):
                await capturing
        assert killed == deaths


async def test_of_several_captures_one_replaces_a_dead_browser(
    make_settings: SettingsMaker, site: Site
) -> None:
    target = Target(site.add("/", "<p>words"))
    async with Camera(make_settings()) as camera:
        browser = camera.places.browser
        assert browser is not None
        os.kill(chromium_of(camera), signal.SIGKILL)
        async with asyncio.timeout(20):
            await browser._running.connection.closed
        others = {child.pid for child in psutil.Process().children()}
        captures = await asyncio.gather(*(camera.capture(target) for _ in range(3)))
        assert all(capture.ok for capture in captures)
        assert camera.places.browser is not None
        assert {child.pid for child in psutil.Process().children()} - others == {
            camera.places.browser.pid
        }


async def test_a_cancelled_capture_gives_its_tab_back(
    make_settings: SettingsMaker, site: Site
) -> None:
    site.add("/never", status=None)
    stuck = Target(site.add("/stuck", "<script src=/never></script>"))
    fine = Target(site.add("/fine", "<p>words"))
    async with Camera(make_settings()) as camera:
        capturing = asyncio.ensure_future(camera.capture(stuck))
        await asyncio.to_thread(site.asked["/never"].wait, 20)
        capturing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await capturing
        assert camera.places.browser is not None
        listed = await camera.places.browser._running.connection.send("Target.getTargets")
        assert not [info for info in listed["targetInfos"] if info["url"] == stuck.url]
        assert (await camera.capture(fine)).ok
