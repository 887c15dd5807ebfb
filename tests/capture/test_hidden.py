"""Which frames Chromium keeps still, where they are, and from where all of them are seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.capture.browser import Browser
from webgeist.capture.cdp import CommandError
from webgeist.capture.hidden import HiddenFrame, View, find_hidden, look_at, look_back, plan_views
from webgeist.capture.loader import load
from webgeist.capture.screenshot import Area
from webgeist.capture.target import Target
from webgeist.capture.viewport import Viewport

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.conftest import SettingsMaker, Site

    from webgeist.capture.tab import Tab

VIEW = Viewport("1280x960", 1280, 960)
numbers = st.integers(0, 9000)
sizes = st.integers(1, 3000)
some_frames = st.lists(
    st.builds(Area, numbers, numbers, sizes, sizes), max_size=30, unique=True
).map(lambda areas: [HiddenFrame(str(number), area) for number, area in enumerate(areas)])


@given(some_frames)
def test_every_frame_is_seen_once_from_where_it_is_in_view(frames: list[HiddenFrame]) -> None:
    views = plan_views(frames, VIEW, 100)
    seen = [frame for view in views for frame in view.frames]
    assert sorted(seen, key=frames.index) == frames
    for view in views:
        window = Area(view.x, view.y, VIEW.width, VIEW.height)
        assert view.frames
        assert all(window.meets(frame.area) for frame in view.frames)


@given(some_frames, st.integers(0, 10))
def test_views_go_down_the_page_as_far_as_they_may(frames: list[HiddenFrame], most: int) -> None:
    views = plan_views(frames, VIEW, most)
    assert views == plan_views(frames, VIEW, 100)[:most]
    assert views == plan_views(frames[::-1], VIEW, most)
    assert [view.y for view in views] == sorted(view.y for view in views)


@given(some_frames)
def test_a_frame_in_a_frame_is_never_seen_before_it(frames: list[HiddenFrame]) -> None:
    """What is pasted later lies over it."""
    order = [frame for view in plan_views(frames, VIEW, 100) for frame in view.frames]
    for number, frame in enumerate(order):
        for later in order[number + 1 :]:
            inside = frame.area.within(later.area) == frame.area
            assert not inside or frame.area.y == later.area.y


def test_a_small_frame_is_seen_whole() -> None:
    frame = HiddenFrame("f", Area(300, 2000, 728, 90))
    assert plan_views([frame], VIEW, 9) == [View(140, 1880, (frame,))]


@pytest.fixture
async def tab(make_settings: SettingsMaker) -> AsyncIterator[Tab]:
    async with Browser(make_settings()) as browser, browser.tab(VIEW, None) as opened:
        yield opened


async def opened_page(tab: Tab, site: Site, html: str) -> None:
    site.add("/in", "<p>in")
    site.add("/deep", f"<body style='margin:0'><iframe src='{site.url('/in')}'></iframe>")
    url = site.add("/", f"<!doctype html><body style='margin:0;height:5000px'>{html}")
    loaded = await load(tab, Target(url), ("color",))
    assert loaded.reason == ""


def framed(src: str, y: int, more: str = "") -> str:
    style = f"position:absolute;left:7px;top:{y}px;width:100px;height:50px;border:3px solid"
    return f"<iframe src='{src}' style='{style};{more}'></iframe>"


async def areas(tab: Tab) -> list[Area]:
    return [frame.area for frame in (await find_hidden(tab, 9)).frames]


async def test_frames_of_another_origin_out_of_view_are_hidden(tab: Tab, site: Site) -> None:
    other = site.url("/in", "localhost")
    await opened_page(tab, site, framed(other, 2000) + framed(other, 100) + framed("/in", 2000))
    assert await areas(tab) == [Area(10, 2003, 100, 50)]


@pytest.mark.parametrize("source", ["data:text/html,<p>in", "about:blank", "/in", "//localhost:1/"])
async def test_frames_of_no_origin_are_of_another(tab: Tab, site: Site, source: str) -> None:
    """A sandbox takes a frame's origin away; so does a failure to load it."""
    kind = "sandbox='allow-scripts'"
    html = framed(source, 2000).replace("<iframe", f"<iframe {kind}")
    await opened_page(tab, site, html)
    assert await areas(tab) == [Area(10, 2003, 100, 50)]


@pytest.mark.parametrize(
    "style", ["display:none", "width:0;border:0", "left:-9999px", "top:-999px"]
)
async def test_what_is_nowhere_in_the_picture_is_not_looked_for(
    tab: Tab, site: Site, style: str
) -> None:
    await opened_page(tab, site, framed(site.url("/in", "localhost"), 2000, style))
    assert await areas(tab) == []


async def test_a_frame_shows_as_far_as_the_frame_around_it(tab: Tab, site: Site) -> None:
    """The inner one is 300 by 150, the outer 100 by 50."""
    await opened_page(tab, site, framed(site.url("/deep", "localhost"), 2000))
    assert await areas(tab) == [Area(10, 2003, 100, 50), Area(12, 2005, 98, 48)]


async def test_places_are_those_in_the_page_however_it_is_scrolled(tab: Tab, site: Site) -> None:
    await opened_page(tab, site, framed(site.url("/in", "localhost"), 3000))
    await look_back(tab, (0, 1500), 9)
    hidden = await find_hidden(tab, 9)
    assert (hidden.home, [frame.area.y for frame in hidden.frames]) == ((0, 1500), [3003])


async def test_looking_at_a_frame_shows_it(tab: Tab, site: Site) -> None:
    other = site.url("/in", "localhost")
    await opened_page(tab, site, framed(other, 1500) + framed(other, 4500))
    hidden = await find_hidden(tab, 9)
    first, last = hidden.frames
    assert await look_at(tab, View(0, 1400, hidden.frames), 9) == [first]
    assert await look_at(tab, View(0, 4900, hidden.frames), 9) == [last]
    await look_back(tab, hidden.home, 9)
    assert await find_hidden(tab, 9) == hidden


async def test_a_page_without_frames_is_asked_nothing(
    tab: Tab, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    await opened_page(tab, site, "<p>words")
    monkeypatch.setattr(tab, "send", None)
    assert (await find_hidden(tab, 9)).frames == ()


async def test_a_page_that_is_gone_cannot_be_looked_at(tab: Tab) -> None:
    tab.begin()
    with pytest.raises(CommandError, match="no document"):
        await look_back(tab, (0, 0), 9)
