"""Page numbers whose addresses say nothing: `332 333` lead to `/list-9HX2` and `/list-29VW`.

The numbers alone must do: several that go up by one, in one folder, each to a place of its own,
with a gap and an arrow among them. Years do not count.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgeist.analyses.blocks.link import Link

_FEWEST = 4
_STEPS = 2  # by one
_YEARS = range(1900, 2101)
_LEADING = frozenset(
    {"NEXT", "PREVIOUS", "ARROW", "LABEL_NEXT", "LABEL_PREVIOUS", "OWN_NEXT", "OWN_PREVIOUS"}
)
_ASIDE = frozenset({"HELD_ASIDE", "OWN_ASIDE", "TIME"})


def opaque_pages(run: Sequence[Link]) -> list[Link]:
    """The page numbers of such a run; none where it is something else."""
    found = [link for link in run if link.number is not None and "NUMBER" in link.notes]
    found = [link for link in found if link.target and not link.current]
    numbers = [link.number for link in found if link.number is not None]
    if len(found) < _FEWEST or any(_ASIDE & link.notes for link in run):
        return []
    if not _goes_on(numbers) or all(number in _YEARS for number in numbers):
        return []
    folders = {(link.target or "").rpartition("/")[0] for link in found}
    places = {link.target for link in found}
    if len(folders) > 1 or len(places) < len(found):
        return []
    return found if _is_pager(run, numbers) else []


def _goes_on(numbers: Sequence[float]) -> bool:
    steps = [after - before for before, after in pairwise(numbers)]
    return all(step > 0 for step in steps) and steps.count(1) >= _STEPS


def _is_pager(run: Sequence[Link], numbers: Sequence[float]) -> bool:
    """An arrow beside the numbers, and a gap of the current page or of pages that are left out."""
    gap = any(after - before > 1 for before, after in pairwise(numbers))
    return gap and any(_LEADING & link.notes for link in run)
