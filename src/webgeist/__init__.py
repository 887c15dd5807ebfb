"""webgeist turns rendered web pages into data.

>>> import webgeist
>>> page = webgeist.capture("https://example.org").page

Everything here also works inside a running event loop and twice in a notebook; the asynchronous
forms are in `webgeist.aio`. Other names are loaded when first used: importing webgeist is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from webgeist.functions import (
    capture_all,
    classify_blocks,
    compare,
    find_pagination,
    mine_menus,
    open_capture,
    open_repository,
    paginate,
    replay,
    teach,
)

if TYPE_CHECKING:
    from webgeist.functions import capture, query
else:
    from webgeist import capture, query  # the rooms of those names, which can be called

if TYPE_CHECKING:
    from webgeist.analyses.changes.change import Change
    from webgeist.capture.model import Capture
    from webgeist.capture.outcome import Outcome
    from webgeist.errors import WebgeistError
    from webgeist.repository.release import Release
    from webgeist.repository.repository import Repository
    from webgeist.scrape.freshness import ALWAYS
    from webgeist.scrape.run import Run
    from webgeist.settings import Settings

__version__ = "0.1.0"

__all__ = [
    "ALWAYS",
    "Capture",
    "Change",
    "Outcome",
    "Release",
    "Repository",
    "Run",
    "Settings",
    "WebgeistError",
    "__version__",
    "capture",
    "capture_all",
    "classify_blocks",
    "compare",
    "find_pagination",
    "mine_menus",
    "open_capture",
    "open_repository",
    "paginate",
    "query",
    "replay",
    "teach",
]

_CLASSES = {
    "ALWAYS": "webgeist.scrape.freshness",
    "Capture": "webgeist.capture.model",
    "Change": "webgeist.analyses.changes.change",
    "Outcome": "webgeist.capture.outcome",
    "Release": "webgeist.repository.release",
    "Repository": "webgeist.repository.repository",
    "Run": "webgeist.scrape.run",
    "Settings": "webgeist.settings",
    "WebgeistError": "webgeist.errors",
}


def __getattr__(name: str) -> Any:
    if name not in _CLASSES:
        raise AttributeError(f"module 'webgeist' has no attribute {name!r}")
    return getattr(import_module(_CLASSES[name]), name)
