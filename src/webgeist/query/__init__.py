"""DQL, the design query language: parse, plan, SQL, answer.

The room shares its name with the function `webgeist.query`; so the room can be called:
`webgeist.query("my-pages", {"$from": "@dom", "$count": 1})`. See `webgeist.functions.query`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webgeist.query.ask import Answer


class _Room(ModuleType):
    def __call__(self, *args: Any, **options: Any) -> Answer:
        from webgeist.query.asking import query

        return query(*args, **options)


sys.modules[__name__].__class__ = _Room
