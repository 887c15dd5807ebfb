"""webgeist turns rendered web pages into data.

>>> import webgeist
>>> page = webgeist.capture("https://example.org").page

Everything here also works inside a running event loop and twice in a notebook; the asynchronous
forms are in `webgeist.aio`. Classes are loaded when first used: importing webgeist is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

# The room `webgeist.capture` and the function share a name. The room is loaded first, so that the
# function is what `webgeist.capture` means from here on; `from webgeist.capture.x import …` works.
import webgeist.capture  # noqa: F401 - the room, see above
from webgeist.functions import capture, capture_all, open_capture

if TYPE_CHECKING:
    from webgeist.capture.model import Capture
    from webgeist.capture.outcome import Outcome
    from webgeist.errors import WebgeistError
    from webgeist.settings import Settings

__version__ = "0.1.0"

__all__ = [
    "Capture",
    "Outcome",
    "Settings",
    "WebgeistError",
    "__version__",
    "capture",
    "capture_all",
    "open_capture",
]

_CLASSES = {
    "Capture": "webgeist.capture.model",
    "Outcome": "webgeist.capture.outcome",
    "Settings": "webgeist.settings",
    "WebgeistError": "webgeist.errors",
}


def __getattr__(name: str) -> Any:
    if name not in _CLASSES:
        raise AttributeError(f"module 'webgeist' has no attribute {name!r}")
    return getattr(import_module(_CLASSES[name]), name)
