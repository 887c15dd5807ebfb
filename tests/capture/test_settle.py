"""When pages count as settled: what is waited for, what is scrolled to, what is stopped."""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime
from importlib import resources
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import async_playwright
from tests.capture.test_live import QUIET

from webgeist.capture.camera import Camera
from webgeist.capture.find import find_browser
from webgeist.capture.target import Target

if TYPE_CHECKING:
    from tests.conftest import SettingsMaker, Site, Studio

    from webgeist.capture.model import Capture
    from webgeist.page.model import Page

DOT = b"GIF89a\x01\x00\x01\x00\x00\x00\x00;"


def page_of(capture: Capture) -> Page:
    assert capture.page is not None, capture.info.reason
    return capture.page


def body_text(capture: Capture) -> str:
    page = page_of(capture)
    return page.text(page.find("body")[0])


def settled(capture: Capture) -> tuple[bool, str]:
    assert capture.info.settled is not None
    return capture.info.settled.at_rest, capture.info.settled.reason


@pytest.mark.parametrize(
    "script",
    [
        "setTimeout(() => say('done'), 300)",
        "setTimeout(() => setTimeout(() => say('done'), 300), 300)",
        "fetch('/data').then((answer) => answer.text()).then(say)",
        "fetch('/data').then((a) => a.text()).then((text) => setTimeout(() => say(text), 200))",
        # a debounced handler, as libraries write it
        """const wait = 200; let last;
        const tick = () => Date.now() - last >= wait ? say('done')
          : setTimeout(tick, wait - (Date.now() - last));
        last = Date.now(); setTimeout(tick, wait)""",
        # a busy loop, and one by the finer clock
        "const start = Date.now(); while (Date.now() < start + 50); say('done')",
        "const start = performance.now(); while (performance.now() < start + 50); say('done')",
        # an animation that ends by its own clock
        """let first; const step = (time) => {
          first ??= time; time - first > 2000 ? say('done') : requestAnimationFrame(step) };
        requestAnimationFrame(step)""",
        "requestIdleCallback(() => say('done'))",
        "addEventListener('load', () => setTimeout(say, 100, 'done'))",
        "new Promise((go) => setTimeout(go, 100)).then(() => say('done'))",
        "setTimeout(\"say('done')\", 50)",
        "let n = 0; const id = setInterval(() => { if (++n > 2) { clearInterval(id); say('done') } }, 20)",
    ],
)
def test_what_a_page_does_soon_is_waited_for(studio: Studio, site: Site, script: str) -> None:
    site.add("/data", "done", headers={"content-type": "text/plain"})
    say = "const say = (text) => document.body.append(text);"
    capture = studio.shoot(site.add("/", f"<p>start</p><script>{say}{script}</script>"))
    assert body_text(capture) == "start done"
    assert settled(capture) == (True, "quiet")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_what_a_frame_does_soon_is_waited_for_too(studio: Studio, site: Site, host: str) -> None:
    site.add("/in", "<p>in</p><script>setTimeout(() => document.body.append('done'), 600)</script>")
    capture = studio.shoot(site.add("/", f"<iframe src='{site.url('/in', host)}'></iframe>"))
    assert body_text(capture) == "in done"


def test_a_late_font_is_waited_for(studio: Studio, site: Site) -> None:
    site.add("/font", b"no font", headers={"content-type": "font/woff2"})
    capture = studio.shoot(
        site.add("/", "<style>@font-face{font-family:x;src:url(/font)}p{font-family:x}</style><p>w")
    )
    assert "/font" in site.log
    assert settled(capture) == (True, "quiet")


async def impatient(make_settings: SettingsMaker, url: str) -> Capture:
    settings = make_settings(limits={"settle_seconds": 1.0, "navigation_seconds": 1.0})
    async with Camera(settings) as camera:
        return await camera.capture(Target(url))


async def test_a_page_in_a_sandbox_without_scripts_can_be_waited_for(site: Site) -> None:
    """No timer rings there, ours neither."""
    url = site.add("/", "<!doctype html><h1>x", headers={"content-security-policy": "sandbox"})
    watch = resources.files("webgeist.capture").joinpath("scripts", "watch.js").read_text("utf-8")
    rest = "document.body.append('more'); webgeist.rest(300, 5000)"
    found = find_browser(environ=os.environ).path
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=str(found), args=QUIET)
        page = await browser.new_page()
        await page.goto(url)
        session = await page.context.new_cdp_session(page)
        frame = (await session.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
        made = await session.send("Page.createIsolatedWorld", {"frameId": frame})
        where = {"contextId": made["executionContextId"]}
        await session.send("Runtime.evaluate", {"expression": watch} | where)
        asked = {"expression": rest, "awaitPromise": True} | where
        async with asyncio.timeout(20):
            answer = await session.send("Runtime.evaluate", asked)
        await browser.close()
    assert answer["result"]["value"] == ""


async def test_a_page_that_never_rests_is_taken_with_the_reason(
    make_settings: SettingsMaker, site: Site
) -> None:
    html = "<p>x</p><script>setInterval(() => document.body.append('.'), 10)</script>"
    capture = await impatient(make_settings, site.add("/", html))
    assert capture.ok
    assert settled(capture) == (False, "the page keeps changing itself")


async def test_a_request_that_never_ends_is_the_reason(
    make_settings: SettingsMaker, site: Site
) -> None:
    never = site.add("/never", status=None)
    html = "<p>x</p><script>onload = () => { fetch('/never') }</script>"
    capture = await impatient(make_settings, site.add("/", html))
    assert capture.ok
    assert settled(capture) == (False, f"1 requests open, first {never}")


async def test_a_load_event_that_never_comes_is_the_reason(
    make_settings: SettingsMaker, site: Site
) -> None:
    site.add("/never", status=None)
    capture = await impatient(make_settings, site.add("/", "<p>words<img src=/never>"))
    assert body_text(capture) == "words"
    at_rest, reason = settled(capture)
    assert not at_rest
    assert reason.startswith("no load event")


async def test_a_timer_may_be_cleared_by_either_name(
    make_settings: SettingsMaker, site: Site
) -> None:
    html = "<p>x<script>clearInterval(setTimeout(() => 1, 900))</script>"
    assert settled(await impatient(make_settings, site.add("/", html))) == (True, "quiet")


# A frame that is being written keeps the page from being loaded. Timers of text are Chromium's own.
SLOW = """<p>x</p><iframe id=slow></iframe><script>
  const say = (text) => document.querySelector("p").append(" " + text);
  slow.contentDocument.open();
  setTimeout("say('slow'); slow.contentDocument.close()", 400);
  addEventListener("load", () => { say("load"); setTimeout(say, 60, "60") });
"""


@pytest.mark.parametrize(
    ("script", "order"),
    [
        ("setTimeout(say, 100, '100')", "x slow load 60 100"),
        ("setTimeout(say, 80, '80'); setTimeout(say, 70, '70')", "x slow load 60 70 80"),
        ("setTimeout(say, 0, '0')", "x 0 slow load 60"),
        (
            "const id = setInterval(() => { say('80'); clearInterval(id) }, 80)",
            "x slow load 60 80",
        ),
        (
            "clearTimeout(setTimeout(say, 100, 'no')); clearTimeout(setInterval(say, 100, 'no'))",
            "x slow load 60",
        ),
        (
            "const id = setTimeout(say, 100, 'no'); addEventListener('load', () => clearTimeout(id))",
            "x slow load 60",
        ),
        (
            "setTimeout(() => { clearTimeout(id); say('100') }, 100); const id = setTimeout(say, 110, 'no')",
            "x slow load 60 100",
        ),
        # its own frame's timers wait for that frame
        ("slow.contentWindow.setTimeout(say, 55, 'frame')", "x slow load frame 60"),
    ],
)
def test_timers_begin_when_the_page_has_loaded(
    studio: Studio, site: Site, script: str, order: str
) -> None:
    """However long it takes: else the network would decide what a page sees first."""
    capture = studio.shoot(site.add("/", f"{SLOW}{script}</script>"))
    assert body_text(capture) == order
    assert settled(capture) == (True, "quiet")


@pytest.mark.slow
async def test_timers_begin_also_where_a_page_does_not_load(
    make_settings: SettingsMaker, site: Site
) -> None:
    site.add("/never.png", status=None)
    site.add("/done", "")
    html = "<p>x<img src=/never.png><script>setTimeout(fetch, 100, '/done')</script>"
    async with Camera(make_settings(limits={"navigation_seconds": 8})) as camera:
        await camera.capture(Target(site.add("/", html)))
    assert "/done" in site.log


def test_a_date_format_without_a_date_formats_the_pages_own(studio: Studio, site: Site) -> None:
    html = """<p><script>
      const format = new Intl.DateTimeFormat("en-US", { timeZone: "UTC", dateStyle: "short" });
      const parts = (...time) => format.formatToParts(...time).map((part) => part.value).join("");
      document.write([format.format(), format.format(0), parts(), parts(0)].join(" "))</script>"""
    clock = datetime(2024, 2, 29, tzinfo=UTC)
    told = body_text(studio.shoot(site.add("/", html), clock=clock))
    assert told == "2/29/24 1/1/70 2/29/24 1/1/70"


def test_a_page_may_not_see_or_break_what_watches_it(studio: Studio, site: Site) -> None:
    html = """<p>x<script>
      for (const name of ["MutationObserver", "setTimeout", "Promise", "performance"]) window[name] = null;
      document.body.append(" " + typeof webgeist);
      Map.prototype.set = () => { throw 1 };
    </script>"""
    capture = studio.shoot(site.add("/", html))
    assert body_text(capture) == "x undefined"
    assert settled(capture) == (True, "quiet")


def image_sizes(capture: Capture) -> list[float]:
    page = page_of(capture)
    return [float(page.boxes[node][2]) for node in page.find("img")]


def test_lazy_images_far_below_are_loaded(studio: Studio, site: Site) -> None:
    site.add("/dot", DOT, headers={"content-type": "image/gif"})
    site.add("/late", DOT, headers={"content-type": "image/gif"})
    capture = studio.shoot(
        site.add(
            "/",
            "<p>x<img src=/dot loading=lazy><div style='height:20000px'></div>"
            "<img src=/late loading=lazy>",
        )
    )
    assert {"/dot", "/late"} <= set(site.log)
    assert capture.info.settled is not None
    assert capture.info.settled.scrolled
    assert image_sizes(capture) == [1, 1]


@pytest.mark.parametrize(
    "script",
    [
        """new IntersectionObserver((seen, watch) => seen.forEach((one) => {
          if (one.isIntersecting) { one.target.src = '/late'; watch.unobserve(one.target) }
        })).observe(image)""",
        """addEventListener('scroll', () => {
          if (image.getBoundingClientRect().top < innerHeight) image.src = '/late' })""",
    ],
)
def test_images_that_scripts_keep_back_are_loaded(studio: Studio, site: Site, script: str) -> None:
    site.add("/late", DOT, headers={"content-type": "image/gif"})
    html = f"<div style='height:20000px'>x</div><img id=image><script>{script}</script>"
    capture = studio.shoot(site.add("/", html))
    assert "/late" in site.log
    assert image_sizes(capture) == [1]


def test_a_page_rests_at_its_end_and_again_at_its_top(studio: Studio, site: Site) -> None:
    """What waits for scrolling to pause sees both, however fast it is scrolled through."""
    html = """<p>x</p><div style="height:5000px"></div><script>
      let id; onscroll = () => { clearTimeout(id); id = setTimeout(pause, 300) };
      const pause = () => document.querySelector("p").append(scrollY > 4000 ? " end" : " top");
    </script>"""
    assert body_text(studio.shoot(site.add("/", html))) == "x end top"


async def test_scrolling_can_be_turned_off(make_settings: SettingsMaker, site: Site) -> None:
    site.add("/late", DOT, headers={"content-type": "image/gif"})
    html = "<div style='height:20000px'>x</div><img src=/late loading=lazy>"
    async with Camera(make_settings(capture={"scroll": False})) as camera:
        capture = await camera.capture(Target(site.add("/", html)))
    assert "/late" not in site.log
    assert capture.info.settled is not None
    assert not capture.info.settled.scrolled


def test_what_moves_to_an_end_is_at_its_end_and_what_does_not_at_its_start(
    studio: Studio, site: Site
) -> None:
    capture = studio.shoot(
        site.add(
            "/",
            """<style>@keyframes go { to { margin-left: 70px } }
            b { animation: go 50s forwards } i { animation: go 50s infinite }
            u { transition: margin-left 50s } .moved { margin-left: 30px }
            b, i, u { display: block; margin-left: 0 }
            </style><b>b</b><i>i</i><u>u</u>
            <script>document.body.offsetTop; document.querySelector("u").className = "moved"</script>
            <style>.moved { margin-left: 30px }</style>""",
        )
    )
    page = page_of(capture)
    margins = [page.style(page.find(name)[0])["margin-left"] for name in "biu"]
    assert margins == ["70px", "0px", "30px"]


def test_boxes_are_what_they_would_be_in_one_layout(studio: Studio, site: Site) -> None:
    """Chromium forgets an auto margin where it lays out only what is positioned inside."""
    capture = studio.shoot(
        site.add(
            "/",
            """<!doctype html><style>body { margin: 0 } main { width: 800px; margin: auto }
            div { position: relative } p { position: absolute } b { display: block }</style>
            <main><div><p><b>words</b></p></div></main><script>
            document.body.offsetTop; document.querySelector("b").style.height = "50px";
            document.body.offsetTop</script>""",
        )
    )
    page = page_of(capture)
    main = page.find("main")[0]
    assert page.style(main)["margin-left"] == f"{page.boxes[main][0]:g}px" == "240px"


@pytest.mark.parametrize("seconds", ["0.01", "60"])
def test_a_text_forgets_an_animation_that_is_over(studio: Studio, site: Site, seconds: str) -> None:
    style = f"@keyframes fade {{ from {{ opacity: 0 }} }} b {{ animation: fade {seconds}s }}"
    page = page_of(studio.shoot(site.add("/", f"<style>{style}</style><b>words</b>")))
    bold = page.find("b")[0]
    stacking = page.nodes["stacking_context"].to_pylist()
    assert (stacking[bold], stacking[bold + 1]) == (False, False)


def test_a_page_does_not_see_that_it_is_rendered_anew(studio: Studio, site: Site) -> None:
    """Neither its observers nor its transitions, not even those of properties without steps."""
    html = """<style>p { transition: all 60s allow-discrete }</style><p>x</p><script>
      const told = (text) => document.body.append(text);
      for (const name of ["transitionrun", "transitionend", "scroll", "resize"])
        addEventListener(name, () => told(name), true);
      new MutationObserver((seen) => told(`${seen.length} changes`))
        .observe(document.documentElement, {attributes: true, subtree: true});
      let sizes = 0;
      new ResizeObserver(() => { if (++sizes > 1) told("size") }).observe(document.querySelector("p"));
    </script>"""
    capture = studio.shoot(site.add("/", html))
    page = page_of(capture)
    assert page.style(page.find("p")[0])["text-orientation"] == "mixed"
    assert body_text(capture) == "x"
