"""What the frames of a page wait for, and what is not worth waiting for."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from webgeist.capture.browser import Browser
from webgeist.capture.loader import load
from webgeist.capture.pending import Pending, pending
from webgeist.capture.target import Target
from webgeist.capture.viewport import VIEWPORTS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.conftest import SettingsMaker, Site, Studio

    from webgeist.capture.tab import Tab

NOON = datetime(2024, 2, 29, 12, tzinfo=UTC)


@pytest.fixture
async def tab(make_settings: SettingsMaker) -> AsyncIterator[Tab]:
    async with (
        Browser(make_settings()) as browser,
        browser.tab(VIEWPORTS["desktop"], NOON) as opened,
    ):
        yield opened


async def loaded(tab: Tab, site: Site, body: str) -> None:
    url = site.add("/", f"<!doctype html><body style='height:5000px'>{body}")
    await load(tab, Target(url), ("color",))


async def run(tab: Tab, frame: str, script: str) -> None:
    """Run a script in the frame whose address ends so, as its own."""
    tree = (await tab.send("Page.getFrameTree"))["frameTree"]
    frames = [tree["frame"], *(child["frame"] for child in tree.get("childFrames", ()))]
    name = next(each["id"] for each in frames if each["url"].endswith(frame))
    world = next(world for world, its in tab.journal.own_worlds.items() if its == name)
    await tab.send("Runtime.evaluate", {"expression": script, "contextId": world})


async def test_a_page_at_rest_waits_for_nothing(tab: Tab, site: Site) -> None:
    await loaded(tab, site, "<p>words")
    assert await pending(tab, 9) == Pending(0, 0, observes=False)


async def test_timers_and_observers_of_all_frames_count(tab: Tab, site: Site) -> None:
    site.add("/in", "<p>in")
    await loaded(tab, site, f"<iframe src='{site.url('/in', 'localhost')}'></iframe>")
    await run(tab, "/", "setTimeout(() => 0, 900)")
    await run(tab, "/in", "setTimeout(() => 0, 900); new IntersectionObserver(() => 0)")
    assert await pending(tab, 9) == Pending(2, 0, observes=True)


ENDLESS = "const again = () => { again.n = requestAnimationFrame(again) }; again()"


@pytest.mark.parametrize(("y", "frames"), [(100, 1), (3000, 0)])
async def test_animation_frames_that_are_kept_back_do_not_count(
    tab: Tab, site: Site, y: int, frames: int
) -> None:
    site.add("/in", "<p>in")
    style = f"position:absolute;top:{y}px"
    await loaded(tab, site, f"<iframe src='{site.url('/in', 'localhost')}' style='{style}'>")
    await run(tab, "/in", f"requestAnimationFrame(() => {{ {ENDLESS} }})")
    told = await pending(tab, 9)
    assert told is not None
    assert told.frames == frames


async def test_a_page_that_broke_the_clock_tells_nothing(tab: Tab, site: Site) -> None:
    await loaded(tab, site, "<p>words")
    await tab.set_clock(None)
    await load(tab, Target(site.url("/")), ("color",))
    assert await pending(tab, 9) is None


@pytest.mark.parametrize("y", [100, 3000])
def test_what_a_frame_does_when_it_is_seen_is_waited_for(
    studio: Studio, site: Site, y: int
) -> None:
    site.add(
        "/in",
        """<p>in</p><script>let n = 0; const step = () => ++n < 20 ? requestAnimationFrame(step)
        : document.body.append('done'); requestAnimationFrame(step)</script>""",
    )
    frame = f"<iframe src='{site.url('/in', 'localhost')}' style='position:absolute;top:{y}px'>"
    capture = studio.shoot(site.add("/", f"<!doctype html><body style='height:5000px'>{frame}"))
    assert capture.page is not None
    assert capture.page.text(capture.page.find("body")[0]) == "in done"
    assert capture.info.settled is not None
    assert capture.info.settled.reason == "quiet"
    assert capture.info.settled.scrolled == (y > 1000)
