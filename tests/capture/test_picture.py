"""Pictures of real pages: cut, late, and with the frames that Chromium does not paint by itself."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from webgeist.capture import loader
from webgeist.capture.browser import Browser
from webgeist.capture.camera import Camera
from webgeist.capture.loader import load
from webgeist.capture.outcome import Outcome
from webgeist.capture.picture import take
from webgeist.capture.screenshot import Area
from webgeist.capture.target import Target
from webgeist.capture.viewport import VIEWPORTS

if TYPE_CHECKING:
    from PIL import Image
    from tests.conftest import SettingsMaker, Site, Studio

    from webgeist.capture.model import Capture

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 128, 0), (0, 0, 255), (255, 255, 255)


def test_a_page_without_an_end_to_the_right_is_cut_there(
    picture_studio: Studio, site: Site
) -> None:
    url = site.add("/", "<body style='margin:0'><p style='width:1000000px'>words")
    info = picture_studio.shoot(url).info.screenshot
    assert info is not None
    assert (info.width, info.cut, len(info.areas)) == (32_000, True, 2)


async def test_a_page_that_takes_too_long_to_paint_is_shown_as_far_as_it_was(
    make_settings: SettingsMaker, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = make_settings(capture={"screenshot": "png"}, limits={"tile_pixels": 512})
    async with Browser(settings) as browser, browser.tab(VIEWPORTS["desktop"], None) as tab:
        target = Target(site.add("/", "<body style='margin:0;height:2000px'>words"))
        await load(tab, target, browser.properties)
        asked, answers = count(1), tab.send_raw

        async def slower_and_slower(method: str, params: dict[str, Any], seconds: float) -> bytes:
            if next(asked) > 2:
                raise TimeoutError
            return await answers(method, params, seconds)

        monkeypatch.setattr(tab, "send_raw", slower_and_slower)
        picture = await take(tab, asyncio.get_running_loop().time() + 60)
    assert (picture.info.width, picture.info.height, picture.info.cut) == (1280, 1024, True)
    assert picture.image().size == (1280, 1024)


async def test_a_page_that_is_not_painted_in_time_is_kept_without_a_picture(
    make_settings: SettingsMaker, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loader, "_PICTURE_SHARE", 0)
    async with Camera(make_settings(capture={"screenshot": "png"})) as camera:
        capture = await camera.capture(Target(site.add("/", "<p>words")))
    assert (capture.info.outcome, capture.screenshot) == (Outcome.OK, None)
    assert capture.page is not None
    assert [message.text for message in capture.info.messages] == [
        "nothing of the page was painted in time"
    ]


def colours(picture: Image.Image) -> set[tuple[int, int, int]]:
    return {colour for _, colour in picture.getcolors(1 << 24) or ()}  # type: ignore[misc]


def seen(capture: Capture, x: int, y: int, width: int, height: int) -> set[tuple[int, int, int]]:
    """The colours of a part of a capture's picture."""
    assert capture.screenshot is not None, capture.info.messages
    return colours(capture.screenshot.image(Area(x, y, width, height)))


def blank(capture: Capture) -> list[str]:
    return [each.text for each in capture.info.messages if each.kind == "blank-frames"]


def plain(site: Site, path: str, colour: str) -> str:
    """A document of one colour; its address at another origin than the page's."""
    site.add(path, f"<body style='background:{colour}'>")
    return site.url(path, "localhost")


def framed(src: str, style: str) -> str:
    return f"<iframe src='{src}' style='display:block;border:0;width:300px;{style}'></iframe>"


def page(*parts: str) -> str:
    return "<!doctype html><body style='margin:0;height:6000px;position:relative'>" + "".join(parts)


def at(y: int, height: int = 200) -> str:
    return f"position:absolute;left:0;top:{y}px;height:{height}px"


@pytest.mark.parametrize("y", [970, 3000, 5800])
def test_a_frame_of_another_origin_below_the_view_is_painted(
    picture_studio: Studio, site: Site, y: int
) -> None:
    red = plain(site, "/red", "red")
    capture = picture_studio.shoot(site.add("/", page(framed(red, at(y)))))
    assert seen(capture, 0, y, 300, 200) == {RED}
    assert seen(capture, 300, y, 300, 200) == seen(capture, 0, y - 5, 300, 5) == {WHITE}
    assert not blank(capture)
    assert capture.info.settled is not None
    assert capture.info.settled.at_rest


@pytest.mark.parametrize("viewport", ["mobile", "tablet"])
def test_frames_are_painted_in_views_with_finer_pixels(
    picture_studio: Studio, site: Site, viewport: str
) -> None:
    red = plain(site, "/red", "red")
    meta = "<meta name=viewport content='width=device-width'>"
    url = site.add("/", meta + page(framed(red, at(3000))))
    assert seen(picture_studio.shoot(url, viewport=viewport), 0, 3000, 300, 200) == {RED}


def test_frames_all_over_a_page_are_painted(picture_studio: Studio, site: Site) -> None:
    sources = [plain(site, f"/{colour}", colour) for colour in ("red", "green", "blue")]
    places = [(y, source) for y in range(1000, 5800, 600) for source in sources]
    frames = [
        framed(source, at(y) + f";left:{300 * sources.index(source)}px") for y, source in places
    ]
    capture = picture_studio.shoot(site.add("/", page(*frames)))
    for y in range(1000, 5800, 600):
        assert [seen(capture, x, y, 300, 200) for x in (0, 300, 600)] == [{RED}, {GREEN}, {BLUE}]


def test_a_frame_right_of_the_view_is_painted(picture_studio: Studio, site: Site) -> None:
    red = plain(site, "/red", "red")
    wide = "<div style='width:4000px;height:1px'></div>"
    url = site.add("/", page(wide, framed(red, at(50) + ";left:3000px")))
    assert seen(picture_studio.shoot(url), 3000, 50, 300, 200) == {RED}


def test_a_frame_taller_than_the_view_is_painted_whole(picture_studio: Studio, site: Site) -> None:
    red = plain(site, "/red", "red")
    capture = picture_studio.shoot(site.add("/", page(framed(red, at(1500, 4000)))))
    assert seen(capture, 0, 1500, 300, 4000) == {RED}


@pytest.mark.parametrize("inner", ["127.0.0.1", "localhost"])
def test_a_frame_in_a_frame_is_painted(picture_studio: Studio, site: Site, inner: str) -> None:
    """Also where it comes into view later than the frame around it."""
    site.add("/in", "<body style='background:blue'>")
    within = [framed(site.url("/in", inner), at(y, 100)) for y in (50, 3000)]
    site.add("/out", "<body style='background:red;margin:0'>" + "".join(within))
    url = site.add("/", page(framed(site.url("/out", "localhost"), at(1500, 3500))))
    capture = picture_studio.shoot(url)
    assert [seen(capture, 0, 1500 + y, 300, 100) for y in (50, 3000)] == [{BLUE}, {BLUE}]
    assert seen(capture, 0, 1700, 300, 2700) == {RED}


@pytest.mark.parametrize("kind", ["png", "jpeg"])
async def test_a_frame_across_two_tiles(
    make_settings: SettingsMaker, site: Site, kind: str
) -> None:
    settings = make_settings(capture={"screenshot": kind}, limits={"tile_pixels": 1024})
    url = site.add("/", page(framed(plain(site, "/red", "red"), at(1948))))
    async with Camera(settings) as camera:
        capture = await camera.capture(Target(url))
    assert capture.screenshot is not None
    assert capture.info.screenshot is not None
    assert (capture.info.screenshot.format, len(capture.screenshot.tiles)) == (kind, 6)
    picture = capture.screenshot.image(Area(8, 1956, 280, 180))
    assert all(r > 240 and max(g, b) < 15 for r, g, b in colours(picture))


def test_what_stands_still_while_scrolling_is_not_in_front(
    picture_studio: Studio, site: Site
) -> None:
    """A fixed bar, one that sticks and one that sticks to the bottom are where they were."""
    bar = "height:40px;width:100%;background:blue;"
    parts = [
        f"<div style='position:fixed;top:0;z-index:9;{bar}'></div>",
        f"<div style='position:fixed;bottom:0;z-index:9;{bar}'></div>",
        "<div style='height:1000px'></div>",
        f"<div style='position:sticky;top:60px;z-index:9;{bar}'></div>",
        framed(plain(site, "/red", "red"), at(2000, 1500)),
        "<div style='height:4000px'></div>",
    ]
    capture = picture_studio.shoot(site.add("/", page(*parts)))
    assert seen(capture, 0, 2000, 300, 1500) == {RED}
    assert seen(capture, 0, 0, 300, 40) == seen(capture, 0, 920, 300, 40) == {BLUE}
    assert seen(capture, 0, 1000, 300, 40) == {BLUE}


def test_what_lies_over_a_frame_stays_over_it(picture_studio: Studio, site: Site) -> None:
    """An earlier element with a place of its own is painted above a later frame in the flow."""
    over = f"<div style='{at(2050, 50)};width:100px;background:blue'></div>"
    above = "<div style='height:2000px'></div>"
    red = framed(plain(site, "/red", "red"), "height:200px")
    capture = picture_studio.shoot(site.add("/", page(over, above, red)))
    assert seen(capture, 0, 2050, 100, 50) == {BLUE}
    assert seen(capture, 100, 2050, 200, 50) == {RED}


def test_a_frame_in_a_bar_that_sticks_is_painted_where_it_was(
    picture_studio: Studio, site: Site
) -> None:
    red = plain(site, "/red", "red")
    stuck = f"<div style='position:sticky;top:0'>{framed(red, 'height:90px')}</div>"
    parts = ["<div style='height:2000px'></div>", stuck, "<div style='height:3000px'></div>"]
    capture = picture_studio.shoot(site.add("/", page(*parts)))
    assert seen(capture, 0, 2000, 300, 90) == {RED}
    assert seen(capture, 0, 2090, 300, 900) == {WHITE}


def test_the_page_hears_nothing_of_it(picture_studio: Studio, site: Site) -> None:
    """It is scrolled once because it listens, and then past its ears."""
    say = "onscroll = () => document.querySelector('p').append(` ${scrollY}`)"
    red = framed(plain(site, "/red", "red"), at(3100))
    url = site.add("/", page("<p style=margin:0>at</p>", red, f"<script>{say}</script>"))
    capture = picture_studio.shoot(url)
    assert capture.page is not None
    told = capture.page.text(capture.page.find("p")[0]).split()
    assert len(told) > 2
    assert {int(word) % 960 for word in told[1:-1]} <= {0, 5040 % 960}
    assert seen(capture, 0, 3100, 300, 200) == {RED}


def test_a_frame_that_moves_when_it_is_seen_is_the_same_each_time(
    picture_studio: Studio, site: Site
) -> None:
    """It moves before the snapshot: nodes and picture are of one moment."""
    site.add(
        "/moving",
        """<body style='margin:0'><p style='position:absolute;margin:0;width:9px;height:9px;
        background:red;left:0;top:0'></p><script>const move = (n) => requestAnimationFrame(() => {
        document.querySelector('p').style.left = `${n}px`; if (n < 200) move(n + 1) }); move(1)
        </script>""",
    )
    url = site.add("/", page(framed(site.url("/moving", "localhost"), at(3000))))
    captures = [picture_studio.shoot(url) for _ in range(2)]
    first, second = (capture.screenshot for capture in captures)
    assert first is not None
    assert second is not None
    assert first.tiles == second.tiles
    node = captures[0].page
    assert node is not None
    x, y = (round(value) for value in node.boxes[node.find("p")[0]][:2])
    assert (x, y) == (60, 3000)  # as many frames as the clock grants
    assert seen(captures[0], x, y, 9, 9) == {RED}
    assert captures[0].info.settled is not None
    assert captures[0].info.settled.reason == "quiet"


def test_a_page_without_such_frames_is_not_scrolled(picture_studio: Studio, site: Site) -> None:
    site.add("/red", "<body style='background:red'>")
    near = framed(site.url("/red", "localhost"), at(100))
    own = framed(site.url("/red"), at(3000))
    capture = picture_studio.shoot(site.add("/", page(near, own)))
    assert capture.info.settled is not None
    assert not capture.info.settled.scrolled
    assert seen(capture, 0, 100, 300, 200) == seen(capture, 0, 3000, 300, 200) == {RED}


def test_a_frame_below_the_view_that_stands_still_is_painted(
    picture_studio: Studio, site: Site
) -> None:
    red = framed(plain(site, "/red", "red"), "height:90px")
    off = f"<div style='position:fixed;top:1200px'>{red}</div>"
    capture = picture_studio.shoot(site.add("/", page(off)))
    assert seen(capture, 0, 1200, 300, 90) == {RED}


def test_a_frame_that_something_else_hides_is_not_missing(
    picture_studio: Studio, site: Site
) -> None:
    red = framed(plain(site, "/red", "red"), "margin-top:2000px;height:90px")
    off = f"<div style='height:500px;width:500px;overflow:auto'>{red}</div>"
    capture = picture_studio.shoot(site.add("/", page(off)))
    assert seen(capture, 0, 0, 1280, 6000) == {WHITE}
    assert not blank(capture)


async def test_frames_on_too_many_screens_are_said_to_be_blank(
    make_settings: SettingsMaker, site: Site
) -> None:
    settings = make_settings(capture={"screenshot": "png"}, limits={"scroll_screens": 1})
    red = plain(site, "/red", "red")
    url = site.add("/", page(framed(red, at(1500)), framed(red, at(4000))))
    async with Camera(settings) as camera:
        capture = await camera.capture(Target(url))
    assert [seen(capture, 0, y, 300, 200) for y in (1500, 4000)] == [{RED}, {WHITE}]
    assert blank(capture) == [
        "1 frames are blank in the picture: they lie on more than limits.scroll_screens = 1 screens"
    ]


def test_of_very_many_frames_the_first_are_painted(
    picture_studio: Studio, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webgeist.capture.hidden.MOST", 2)
    monkeypatch.setattr("webgeist.capture.picture.MOST", 2)
    red = plain(site, "/red", "red")
    frames = [framed(red, at(y, 100)) for y in (2000, 2100, 2200, 2300)]
    capture = picture_studio.shoot(site.add("/", page(*frames)))
    painted = [seen(capture, 0, y, 300, 100) == {RED} for y in (2000, 2100, 2200, 2300)]
    assert painted.count(True) == 2
    assert blank(capture) == ["2 frames are blank in the picture: there are more than 2"]


async def test_without_scrolling_frames_are_said_to_be_blank(
    make_settings: SettingsMaker, site: Site
) -> None:
    settings = make_settings(capture={"screenshot": "png", "scroll": False})
    url = site.add("/", page(framed(plain(site, "/red", "red"), at(3000))))
    async with Camera(settings) as camera:
        capture = await camera.capture(Target(url))
    assert seen(capture, 0, 3000, 300, 200) == {WHITE}
    assert blank(capture) == [
        "1 frames are blank in the picture: pages are not scrolled (capture.scroll)"
    ]


async def test_frames_that_take_too_long_leave_the_picture_as_it_is(
    make_settings: SettingsMaker, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = make_settings(capture={"screenshot": "jpeg"})
    url = site.add("/", page(framed(plain(site, "/red", "red"), at(3000))))
    async with Browser(settings) as browser, browser.tab(VIEWPORTS["desktop"], None) as tab:
        await load(tab, Target(url), browser.properties)
        answers = tab.call
        await answers("lookBack(0, 0)", tab.journal.main_world() or 0, 9)

        async def silent(expression: str, world: int, seconds: float) -> Any:
            if expression.startswith("lookAt"):
                raise TimeoutError
            return await answers(expression, world, seconds)

        monkeypatch.setattr(tab, "call", silent)
        picture = await take(tab, asyncio.get_running_loop().time() + 60)
    assert (picture.info.format, picture.info.height) == ("jpeg", 6000)
    assert picture.tiles[0].startswith(bytes.fromhex("ffd8"))
    assert colours(picture.image(Area(0, 3000, 300, 200))) == {WHITE}
    assert [each.text for each in tab.journal.messages if each.kind == "blank-frames"] == [
        "1 frames are blank in the picture: not painted in time"
    ]


async def test_a_large_page_leaves_no_garbage_while_its_picture_is_taken(
    make_settings: SettingsMaker, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loader, "_LARGE", 100)
    script = "window.forgotten = new WeakRef(Array.from({length: 1000}, () => []))"
    url = site.add("/", f"<p style='height: 2000px'>x<script>{script}</script>")
    settings = make_settings(capture={"screenshot": "jpeg"}, limits={"tile_pixels": 512})
    async with Browser(settings) as browser, browser.tab(VIEWPORTS["desktop"], None) as tab:
        loaded = await load(tab, Target(url), browser.properties)
        asked = {"expression": "forgotten.deref() === undefined"}
        told = await tab.send("Runtime.evaluate", asked)
    assert loaded.screenshot is not None
    assert len(loaded.screenshot.tiles) > 3
    assert told["result"]["value"] is True
