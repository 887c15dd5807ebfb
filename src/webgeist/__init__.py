"""webgeist turns rendered web pages into data.

>>> import webgeist
>>> page = webgeist.capture("https://example.org").page

Everything here also works inside a running event loop and twice in a notebook; the asynchronous
forms are in `webgeist.aio`. Classes are loaded when first used: importing webgeist is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from webgeist.functions import capture_all, open_capture, open_repository, replay

if TYPE_CHECKING:
    from webgeist.functions import capture
else:
    from webgeist import capture  # the room of that name, which can be called

if TYPE_CHECKING:
    from webgeist.capture.model import Capture
    from webgeist.capture.outcome import Outcome
    from webgeist.errors import WebgeistError
    from webgeist.repository.release import Release
    from webgeist.repository.repository import Repository
    from webgeist.settings import Settings

__version__ = "0.1.0"

__all__ = [
    "Capture",
    "Outcome",
    "Release",
    "Repository",
    "Settings",
    "WebgeistError",
    "__version__",
    "capture",
    "capture_all",
    "open_capture",
    "open_repository",
    "replay",
]

_CLASSES = {
    "Capture": "webgeist.capture.model",
    "Outcome": "webgeist.capture.outcome",
    "Release": "webgeist.repository.release",
    "Repository": "webgeist.repository.repository",
    "Settings": "webgeist.settings",
    "WebgeistError": "webgeist.errors",
}


def __getattr__(name: str) -> Any:
    if name not in _CLASSES:
        raise AttributeError(f"module 'webgeist' has no attribute {name!r}")
    return getattr(import_module(_CLASSES[name]), name)
