"""Annotators that others write: an entry point of the group `webgeist.annotators`.

    # my_package.py
    def prices(elements):
        for node in elements.clickable:
            if "€" in elements.text(node):
                yield node, "PRICE", elements.text(node)

A broken one is told in the log and left out.
"""

from __future__ import annotations

import logging
from functools import lru_cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from webgeist.analyses.blocks.elements import Elements

    Annotator = Callable[[Elements], Iterable[tuple[int, str, str | float]]]

GROUP = "webgeist.annotators"
_log = logging.getLogger(__name__)


@lru_cache(maxsize=1)
def other_annotators() -> tuple[Annotator, ...]:
    """Those that are installed and can be loaded."""
    found = []
    for entry in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        try:
            found.append(entry.load())
        except Exception as error:  # noqa: BLE001 - a stranger's code may raise anything; it is told
            _log.warning("the annotator %s is left out: %s", entry.name, error)
    return tuple(found)
