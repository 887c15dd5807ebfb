"""What is known of a capture beside its tables and pictures: the contents of capture.json."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from webgeist.capture.journal import Message
from webgeist.capture.outcome import Outcome
from webgeist.capture.screenshot import ScreenshotInfo
from webgeist.capture.settle import Settled
from webgeist.capture.viewport import Viewport
from webgeist.page.metadata import Metadata
from webgeist.page.model import Document

FORMAT = 1


@dataclass(frozen=True)
class CaptureInfo:
    """All that is known of a capture but its tables and pictures. This is capture.json."""

    requested_url: str
    url: str
    time: datetime
    outcome: Outcome
    reason: str
    status: int | None
    mime_type: str | None
    headers: dict[str, str]
    redirects: tuple[str, ...]
    viewport: Viewport
    clock: datetime | None
    settled: Settled | None
    metadata: Metadata | None
    documents: tuple[Document, ...]
    messages: tuple[Message, ...]
    dropped_messages: int
    dropped_requests: int
    nodes: int
    screenshot: ScreenshotInfo | None
    stages_ms: dict[str, float]
    browser: str
    webgeist: str
    format: int = FORMAT
    recorder: str | None = None  # the form of the recorder, where there was one
    visit: str | None = None  # the same for all captures of one visit of a crawl
    robots_ignored: bool = False  # a crawl was told not to obey robots.txt
    metrics: dict[str, str] = field(default_factory=dict)  # by name, as JSON with sorted keys
    metrics_failed: dict[str, str] = field(default_factory=dict)  # by name, the reason

    @property
    def ok(self) -> bool:
        return self.outcome is Outcome.OK
