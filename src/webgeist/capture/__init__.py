"""A URL becomes a Capture: browser, settling, snapshot, screenshot.

The room shares its name with the function `webgeist.capture`; so the room can be called:
`webgeist.capture("https://example.org")`. See `webgeist.functions.capture` for what it takes.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webgeist.capture.model import Capture


class _Room(ModuleType):
    def __call__(self, *args: Any, **options: Any) -> Capture:
        from webgeist import blocking
        from webgeist.capture import take

        return blocking.run(take.capture(*args, **options))


sys.modules[__name__].__class__ = _Room
