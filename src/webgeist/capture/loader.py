"""Drives a tab through one page: navigate, settle, snapshot, picture. Nothing is decoded here."""

from __future__ import annotations

import asyncio
import base64
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from webgeist.capture import screenshot
from webgeist.capture.cdp import CommandError, CommandTimeoutError
from webgeist.capture.outcome import Outcome, of_network_error
from webgeist.capture.settle import RedirectLoopError, Settled, Settler
from webgeist.errors import BrowserError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from webgeist.capture.journal import Journal
    from webgeist.capture.screenshot import Screenshot
    from webgeist.capture.tab import Answerer, Tab
    from webgeist.capture.target import SavedPage, Target

_HTML = frozenset({"text/html", "application/xhtml+xml", ""})
_NO_SCRIPTS = "script-src 'none'"  # a saved page has had its scripts run


class PageFailedError(Exception):
    """The page cannot be captured; the outcome and the reason say why."""

    def __init__(self, outcome: Outcome, reason: str) -> None:
        super().__init__(reason)
        self.outcome = outcome
        self.reason = reason


def _unnoticed(_: str) -> None:
    """Nobody wants to know how far a capture is."""


@dataclass
class Loaded:
    """What loading a page gave: raw parts, and how it ended."""

    journal: Journal
    outcome: Outcome = Outcome.OK
    reason: str = ""
    settled: Settled | None = None
    snapshot: bytes | None = None
    screenshot: Screenshot | None = None
    stages_ms: dict[str, float] = field(default_factory=dict)
    on_stage: Callable[[str], None] = _unnoticed

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        self.on_stage(name)
        start = time.monotonic()
        try:
            yield
        finally:
            self.stages_ms[name] = round((time.monotonic() - start) * 1000, 1)


async def load(
    tab: Tab,
    target: Target,
    properties: tuple[str, ...],
    on_stage: Callable[[str], None] = _unnoticed,
) -> Loaded:
    """Load `target` into `tab`. Never raises for what a page does: that is an outcome.

    `on_stage` is told the name of each stage when it begins. After any outcome but those with a
    page the tab may be stuck and should be closed.
    """
    loaded = Loaded(tab.begin(), on_stage=on_stage)
    seconds = tab.settings.limits.capture_seconds
    try:
        async with asyncio.timeout(seconds):
            await _unless_crashed(tab, _load(tab, target, properties, loaded))
    except PageFailedError as failure:
        loaded.outcome, loaded.reason = failure.outcome, failure.reason
    except RedirectLoopError as loop:
        loaded.outcome, loaded.reason = Outcome.REDIRECT_LOOP, str(loop)
    except TimeoutError:
        loaded.outcome, loaded.reason = Outcome.TIMEOUT, f"not captured within {seconds:g} s"
    except CommandTimeoutError as late:
        loaded.outcome, loaded.reason = await _silence(tab, str(late))
    except CommandError as refusal:
        loaded.outcome, loaded.reason = Outcome.CRASHED, f"the page went away: {refusal}"
    except BrowserError as error:
        loaded.outcome, loaded.reason = Outcome.BROWSER_DIED, error.message
    return loaded


async def _unless_crashed(tab: Tab, work: Coroutine[Any, Any, None]) -> None:
    """Do the work, but stop when the page's process dies: its commands would never be answered."""
    task = asyncio.ensure_future(work)
    crash = asyncio.ensure_future(tab.journal.crashed.wait())
    try:
        await asyncio.wait({task, crash}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise PageFailedError(Outcome.CRASHED, "the page's process died")
        await task
    finally:
        crash.cancel()
        task.cancel()
        await asyncio.gather(task, crash, return_exceptions=True)


async def _silence(tab: Tab, command: str) -> tuple[Outcome, str]:
    """A command was not answered: is it the page or the whole browser that does not answer?"""
    if await tab.browser_answers():
        return Outcome.UNRESPONSIVE, f"the page's scripts never paused (waited for {command})"
    return Outcome.BROWSER_DIED, f"Chromium did not answer {command}"


async def _load(tab: Tab, target: Target, properties: tuple[str, ...], loaded: Loaded) -> None:
    limits = tab.settings.limits
    settler = Settler(tab)
    with loaded.stage("navigate"):
        deadline = asyncio.get_running_loop().time() + limits.navigation_seconds
        await _navigate(tab, target)
        complete = await settler.wait_for_load(deadline)
        _check_answer(tab.journal)
    with loaded.stage("settle"):
        loaded.settled = await settler.settle(complete=complete)
        loaded.outcome, loaded.reason = _judge(tab.journal)
    with loaded.stage("snapshot"):
        await _check_size(tab)
        loaded.snapshot = await tab.send_raw(
            "DOMSnapshot.captureSnapshot",
            {"computedStyles": properties, "includePaintOrder": True},
            limits.capture_seconds,
        )
    if tab.settings.capture.screenshot != "none":
        with loaded.stage("screenshot"):
            await settler.in_all_frames("hideCaret()")
            loaded.screenshot = await screenshot.take(tab)


async def _navigate(tab: Tab, target: Target) -> None:
    if target.saved is not None:
        await tab.intercept(_answerer(target.url, target.saved))
    seconds = tab.settings.limits.navigation_seconds
    try:
        answer = await tab.send("Page.navigate", {"url": target.url}, seconds)
    except CommandTimeoutError as late:
        message = f"no answer within {seconds:g} s"
        raise PageFailedError(Outcome.TIMEOUT, message) from late
    except CommandError as refusal:
        raise PageFailedError(Outcome.BAD_URL, str(refusal)) from refusal
    if error := answer.get("errorText"):
        _fail(tab.journal, error, download=answer.get("isDownload", False))


def _fail(journal: Journal, error: str, *, download: bool) -> None:
    """Say what a navigation that did not get to a page got to instead."""
    status = journal.answer.status if journal.answer else None
    if download or journal.download:
        name = journal.download or "a file"
        raise PageFailedError(Outcome.DOWNLOAD, f"the answer is a file to be saved: {name}")
    if status in {204, 205}:
        raise PageFailedError(Outcome.NO_CONTENT, f"the server answered {status}")
    if status is not None and status >= 400:  # noqa: PLR2004 - HTTP's own number
        raise PageFailedError(Outcome.HTTP_ERROR, f"the server answered {status} with no page")
    raise PageFailedError(of_network_error(error), error)


def _check_answer(journal: Journal) -> None:
    if journal.download:
        _fail(journal, "", download=True)
    if journal.answer and journal.answer.mime_type not in _HTML:
        raise PageFailedError(Outcome.NOT_HTML, f"the answer is {journal.answer.mime_type}")


def _judge(journal: Journal) -> tuple[Outcome, str]:
    """The outcome of a page that was loaded, as far as the network tells."""
    _check_answer(journal)
    document, answer = journal.document, journal.answer
    if document and document.error:
        return Outcome.TRUNCATED, f"the document ended early: {document.error}"
    if document and document.open:
        return Outcome.TRUNCATED, "the document had not ended"
    if answer and answer.status >= 400:  # noqa: PLR2004 - HTTP's own number
        return Outcome.HTTP_ERROR, f"the server answered {answer.status}"
    return Outcome.OK, ""


async def _check_size(tab: Tab) -> None:
    world = tab.journal.main_world()
    if world is None:
        return
    facts = await tab.call("facts()", world, tab.settings.limits.settle_seconds)
    most = tab.settings.limits.nodes
    if facts["nodes"] > most:
        reason = f"{facts['nodes']} elements, more than limits.nodes = {most}"
        raise PageFailedError(Outcome.TOO_LARGE, reason)


def _answerer(base: str, saved: SavedPage) -> Answerer:
    """How a saved page's requests are answered: itself, files beside it, nothing else."""
    headers = [
        {"name": "Content-Type", "value": "text/html"},
        {"name": "Content-Security-Policy", "value": _NO_SCRIPTS},
    ]

    def answer(request_id: str, url: str, kind: str) -> tuple[str, dict[str, Any]]:
        if kind == "Document" and url == base:
            return "Fetch.fulfillRequest", _body(request_id, saved.body, headers)
        found = saved.answer(base, url)
        if found is None:
            return "Fetch.failRequest", {"requestId": request_id, "errorReason": "BlockedByClient"}
        data, media_type = found
        typed = [{"name": "Content-Type", "value": media_type}]
        return "Fetch.fulfillRequest", _body(request_id, data, typed)

    return answer


def _body(request_id: str, data: bytes, headers: list[dict[str, str]]) -> dict[str, Any]:
    encoded = base64.b64encode(data).decode("ascii")
    return {
        "requestId": request_id,
        "responseCode": 200,
        "responseHeaders": headers,
        "body": encoded,
    }
