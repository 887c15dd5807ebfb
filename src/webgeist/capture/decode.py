"""What a page's loading gave becomes a Capture. Pure: it may run in another process."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import webgeist
from webgeist.capture.info import CaptureInfo
from webgeist.capture.metric_files import NO_METRICS
from webgeist.capture.metrics import Measured
from webgeist.capture.model import Capture
from webgeist.capture.outcome import WITH_PAGE, Outcome
from webgeist.capture.walls import wall
from webgeist.page import snapshot
from webgeist.page.links import links
from webgeist.page.metadata import metadata
from webgeist.page.schema import LINKS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    import pyarrow as pa

    from webgeist.capture.journal import Journal
    from webgeist.capture.loaded import Loaded
    from webgeist.capture.metric_files import Metrics
    from webgeist.capture.screenshot import Screenshot
    from webgeist.capture.viewport import Viewport
    from webgeist.page.model import Page

_PICTURES = frozenset(
    {"img", "svg", "canvas", "video", "iframe", "frame", "object", "embed", "input"}
)


@dataclass(frozen=True)
class Circumstances:
    """Under what a page was loaded: asked for by the caller, not seen on the page."""

    requested_url: str
    time: datetime
    viewport: Viewport
    clock: datetime | None
    browser: str
    properties: Sequence[str]
    most_nodes: int
    recorder: str | None = None
    saved: bool = False  # no server was asked: whatever the file holds is the page
    metrics: Metrics = NO_METRICS  # what was to be measured on the page


@dataclass(frozen=True)
class MemoryParts:
    """A capture's parts, all in memory."""

    page_: Page | None
    links_: pa.Table
    requests_: pa.Table
    screenshot_: Screenshot | None
    thumbnail_: bytes | None

    def page(self) -> Page | None:
        return self.page_

    def links(self) -> pa.Table:
        return self.links_

    def requests(self) -> pa.Table:
        return self.requests_

    def screenshot(self) -> Screenshot | None:
        return self.screenshot_

    def thumbnail(self) -> bytes | None:
        return self.thumbnail_


def with_links(capture: Capture, links: pa.Table) -> Capture:
    """A capture that was just made, with another table of links."""
    if not isinstance(capture.parts, MemoryParts):
        raise TypeError("this capture was stored already")
    return replace(capture, parts=replace(capture.parts, links_=links))


def decode(loaded: Loaded, under: Circumstances) -> Capture:
    """The capture that was made. Only outcomes with a page have tables of nodes."""
    outcome, reason = loaded.outcome, loaded.reason
    page = None
    if loaded.snapshot and outcome in WITH_PAGE:
        page = snapshot.decode(loaded.snapshot, under.properties)
    if page is not None and len(page) > under.most_nodes:
        outcome = Outcome.TOO_LARGE
        reason = f"{len(page)} nodes, more than limits.nodes = {under.most_nodes}"
        page = None
    elif page is not None and not under.saved and (blocked := _wall(page, loaded)):
        outcome, reason, page = Outcome.BLOCKED, blocked, None
    elif page is not None and outcome is Outcome.OK and _shows_nothing(page):
        outcome, reason = Outcome.EMPTY, "no text and no picture"
    picture = loaded.screenshot if page is not None else None
    journal = loaded.journal
    started = journal.requests.requests[0].started if journal.requests.requests else 0.0
    parts = MemoryParts(
        page,
        links(page) if page is not None else LINKS.empty_table(),
        journal.requests.table(started),
        picture,
        picture.thumbnail() if picture else None,
    )
    return Capture(_info(loaded, under, page, outcome, reason), parts)


def _wall(page: Page, loaded: Loaded) -> str | None:
    """What stands in place of the page that was asked for, if anything does."""
    answer = loaded.journal.answer
    return wall(page, answer.status, answer.headers) if answer else None


def _info(
    loaded: Loaded, under: Circumstances, page: Page | None, outcome: Outcome, reason: str
) -> CaptureInfo:
    journal = loaded.journal
    answer = None if loaded.unanswered else journal.answer
    measured = loaded.measured if page is not None else None
    measured = measured or Measured({}, under.metrics.all_failed("there is no page"))
    return CaptureInfo(
        requested_url=under.requested_url,
        url=_final_url(journal, page, under.requested_url),
        time=under.time,
        outcome=outcome,
        reason=reason,
        status=answer.status if answer else None,
        mime_type=answer.mime_type if answer else None,
        headers=answer.headers if answer else {},
        redirects=_redirects(journal),
        viewport=under.viewport,
        clock=under.clock,
        settled=loaded.settled,
        metadata=metadata(page) if page is not None else None,
        documents=page.documents if page is not None else (),
        messages=tuple(journal.messages),
        dropped_messages=journal.dropped_messages,
        dropped_requests=journal.requests.dropped,
        nodes=len(page) if page is not None else 0,
        screenshot=loaded.screenshot.info if loaded.screenshot and page is not None else None,
        stages_ms=loaded.stages_ms,
        browser=under.browser,
        webgeist=webgeist.__version__,
        recorder=under.recorder,
        metrics=measured.values,
        metrics_failed=measured.failed,
    )


def _final_url(journal: Journal, page: Page | None, requested: str) -> str:
    if page is not None:
        return page.documents[0].url
    return journal.answer.url if journal.answer else requested


def _redirects(journal: Journal) -> tuple[str, ...]:
    """The addresses that led to the page, the requested one first; the page's own is not in it."""
    documents = [
        request.url
        for request in journal.requests.requests
        if request.type == "Document" and request.frame == journal.frame
    ]
    return tuple(documents[:-1])


def _shows_nothing(page: Page) -> bool:
    texts = page.nodes.column("rendered_text").drop_null().to_pylist()
    if any(text.strip() for text in texts):
        return False
    return not any(
        name in _PICTURES and box[2] * box[3] > 0
        for name, box in zip(page.names, page.boxes, strict=True)
    )
