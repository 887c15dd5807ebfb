"""Drives a tab through one page: navigate, settle, snapshot, picture. Nothing is decoded here."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from webgeist.capture import picture
from webgeist.capture.cdp import CommandError, CommandTimeoutError
from webgeist.capture.judge import (
    ABORTED,
    PageFailedError,
    check_answer,
    download,
    failed_navigation,
    judge,
    nothing_came,
)
from webgeist.capture.loaded import Loaded, unnoticed
from webgeist.capture.metric_files import NO_METRICS
from webgeist.capture.metrics import measure
from webgeist.capture.outcome import Outcome
from webgeist.capture.saved import SavedSite
from webgeist.capture.settle import RedirectLoopError, Settler
from webgeist.errors import BrowserError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from webgeist.capture.journal import Journal
    from webgeist.capture.metric_files import Metrics
    from webgeist.capture.tab import Tab
    from webgeist.capture.target import Target

_HEAR_SECONDS = 1.0
_METRICS_SHARE = 0.5  # of the time that is left when the page is at rest
_LARGE = 16_000_000  # bytes of a snapshot; most pages have a tenth of that
_PICTURE_SHARE = 0.75  # of the time that is left when the nodes are there; the rest is for the end


async def load(
    tab: Tab,
    target: Target,
    properties: tuple[str, ...],
    on_stage: Callable[[str], None] = unnoticed,
    metrics: Metrics = NO_METRICS,
) -> Loaded:
    """Load `target` into `tab`. Never raises for what a page does: that is an outcome.

    `metrics` are run on the page at rest. `on_stage` is told the name of each stage when it begins.
    After any outcome but those with a page the tab may be stuck and should be closed.
    """
    seconds = tab.settings.limits.capture_seconds
    deadline = asyncio.get_running_loop().time() + seconds
    loaded = Loaded(tab.begin(), metrics, on_stage=on_stage, deadline=deadline)
    try:
        async with asyncio.timeout_at(deadline):
            await _unless_ended(tab, _load(tab, target, properties, loaded))
    except PageFailedError as failure:
        loaded.outcome, loaded.reason = failure.outcome, failure.reason
    except RedirectLoopError as loop:
        loaded.outcome, loaded.reason = Outcome.REDIRECT_LOOP, str(loop)
    except TimeoutError:
        loaded.run_out(f"not captured within {seconds:g} s")
    except CommandTimeoutError as late:
        loaded.outcome, loaded.reason = await _silence(tab, str(late))
    except CommandError as refusal:
        loaded.outcome, loaded.reason = Outcome.CRASHED, f"the page went away: {refusal}"
    except BrowserError as error:
        loaded.outcome, loaded.reason = Outcome.BROWSER_DIED, error.message
    return loaded


async def _unless_ended(tab: Tab, work: Coroutine[Any, Any, None]) -> None:
    """Do the work, but stop when the page is past answering: its commands would only run out."""
    task = asyncio.ensure_future(work)
    crash = asyncio.ensure_future(tab.journal.crashed.wait())
    excess = asyncio.ensure_future(tab.journal.too_much.wait())
    try:
        endings: set[asyncio.Future[Any]] = {task, crash, excess, tab.browser_ended}
        await asyncio.wait(endings, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise _ending(tab)
        await task
    finally:
        for waiting in (crash, excess, task):
            waiting.cancel()
        await asyncio.gather(task, crash, excess, return_exceptions=True)


def _ending(tab: Tab) -> Exception:
    if tab.browser_ended.done():
        return BrowserError("Chromium has died", remedy="try again")
    return PageFailedError(*(tab.journal.verdict or (Outcome.CRASHED, "the page's process died")))


async def _silence(tab: Tab, command: str) -> tuple[Outcome, str]:
    """A command was not answered: is it the page or the whole browser that does not answer?"""
    if await tab.browser_answers():
        return Outcome.UNRESPONSIVE, f"the page never paused (waited for {command})"
    return Outcome.BROWSER_DIED, f"Chromium did not answer {command}"


async def _load(tab: Tab, target: Target, properties: tuple[str, ...], loaded: Loaded) -> None:
    settler, journal = Settler(tab), tab.journal
    with loaded.stage("navigate"):
        deadline = asyncio.get_running_loop().time() + tab.settings.limits.navigation_seconds
        await _navigate(tab, target)
        check_answer(journal)  # what is no page need not be waited for
        complete = await settler.wait_for_load(deadline)
        check_answer(journal)
    loaded.unfinished = None if complete or journal.parsed else journal.document
    while True:  # a page may go on to another while it is looked at; the settler counts how often
        before = journal.pages
        try:
            if await _take(tab, settler, properties, loaded, complete=complete):
                return
        except (CommandError, PageFailedError):
            if journal.pages == before:
                raise
        complete = True


async def _navigate(tab: Tab, target: Target) -> None:
    if target.saved is not None:
        await tab.intercept(SavedSite(target.saved))
    seconds = tab.settings.limits.navigation_seconds
    try:
        answer = await tab.send("Page.navigate", {"url": target.url}, seconds)
    except CommandTimeoutError as late:
        if not await tab.browser_answers():
            raise
        message = f"no answer within {seconds:g} s"
        raise PageFailedError(Outcome.TIMEOUT, message) from late
    except CommandError as refusal:
        raise PageFailedError(Outcome.BAD_URL, str(refusal)) from refusal
    journal = tab.journal
    if answer.get("isDownload") or journal.download:
        await _hear(journal, lambda: journal.download)
        raise download(journal)
    if error := answer.get("errorText"):
        if error == ABORTED and not journal.answer:
            await _hear(journal, lambda: journal.redirect)
        raise failed_navigation(journal, error)


async def _hear(journal: Journal, what: Callable[[], str | None]) -> None:
    """Wait a little for what Chromium may tell only after a navigation's end."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_HEAR_SECONDS):
            while not what():
                journal.changed.clear()
                await journal.changed.wait()


async def _take(
    tab: Tab, settler: Settler, properties: tuple[str, ...], loaded: Loaded, *, complete: bool
) -> bool:
    """Bring the page to rest and take it as it is then: its nodes, then its picture.

    False if another page took its place meanwhile.
    """
    loaded.snapshot = loaded.screenshot = loaded.measured = None
    with loaded.stage("settle"):
        loaded.settled = await settler.settle(complete=complete)
        loaded.outcome, loaded.reason = judge(tab.journal, loaded.unfinished)
        replaced = asyncio.ensure_future(tab.journal.replaced(settler.page))
    taking = asyncio.ensure_future(_take_all(tab, settler, properties, loaded))
    try:
        await asyncio.wait({taking, replaced}, return_when=asyncio.FIRST_COMPLETED)
        if replaced.done():
            return False
        await taking
        return True
    finally:
        taking.cancel()
        replaced.cancel()
        await asyncio.gather(taking, replaced, return_exceptions=True)


async def _take_all(
    tab: Tab, settler: Settler, properties: tuple[str, ...], loaded: Loaded
) -> None:
    await _check_size(tab, loaded)
    await _measure(tab, loaded)
    with loaded.stage("snapshot"):
        loaded.snapshot = await tab.send_raw(
            "DOMSnapshot.captureSnapshot",
            {"computedStyles": properties, "includePaintOrder": True},
            tab.settings.limits.capture_seconds,
        )
    if tab.settings.capture.screenshot != "none":
        with loaded.stage("screenshot"):
            await _take_picture(tab, settler, loaded)


async def _measure(tab: Tab, loaded: Loaded) -> None:
    if loaded.metrics == NO_METRICS:
        return
    with loaded.stage("metrics"):
        now = asyncio.get_running_loop().time()
        seconds = (loaded.deadline - now) * _METRICS_SHARE
        loaded.measured = await measure(tab, loaded.metrics, now + seconds)


async def _take_picture(tab: Tab, settler: Settler, loaded: Loaded) -> None:
    """Take the picture if there can be one. The nodes are worth keeping without it."""
    try:
        if loaded.outcome is Outcome.TRUNCATED and not await settler.painted():
            tab.journal.say("no-picture", "nothing of the page was painted")
            return
        await settler.in_all_frames("hideCaret()")
        now = asyncio.get_running_loop().time()
        seconds = (loaded.deadline - now) * _PICTURE_SHARE
        large = len(loaded.snapshot or b"") > _LARGE
        loaded.screenshot = await picture.take(tab, now + seconds, tidily=large)
    except (CommandError, CommandTimeoutError) as error:
        tab.journal.say("no-picture", str(error))
    except TimeoutError:
        tab.journal.say("no-picture", "nothing of the page was painted in time")


async def _check_size(tab: Tab, loaded: Loaded) -> None:
    """Nothing at all of a truncated document, and too much of any, is no page.

    What came is a page even where Chromium shows nothing of it: whether it reads the bytes before
    it hears of their early end is a race.
    """
    world = tab.journal.main_world()
    if world is None:
        return
    facts = await tab.call("facts()", world, tab.settings.limits.settle_seconds)
    most = tab.settings.limits.nodes
    if facts["nodes"] > most:
        reason = f"{facts['nodes']} elements, more than limits.nodes = {most}"
        raise PageFailedError(Outcome.TOO_LARGE, reason)
    came = facts["nodes"] or tab.journal.document_bytes
    if loaded.outcome is Outcome.TRUNCATED and not came:
        raise nothing_came(tab.journal, loaded.unfinished)
