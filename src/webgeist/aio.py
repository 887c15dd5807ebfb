"""The asynchronous forms of webgeist's functions, for programs that have an event loop."""

from __future__ import annotations

from webgeist.capture.take import capture, capture_all

__all__ = ["capture", "capture_all"]
