"""Runs: short things that follow each other without any other words between them.

"« 1 2 3 … 9 Next" is a run of eight, whatever elements it is made of. A long text, or a link with
other words, ends a run. Points, bars and dashes neither belong to it nor end it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webgeist.analyses.blocks.annotators.annotate import Annotations
    from webgeist.analyses.blocks.elements import Elements

_MEMBERS = frozenset(
    (
        *("NUMBER", "ARROW", "ELLIPSIS", "NEXT", "PREVIOUS", "FIRST", "LAST", "OLDER", "NEWER"),
        *("NUMBER_INSIDE", "PAGE_ONLY", "MORE_ONLY", "ALL_ONLY"),
    )
)
_BY_LABEL = frozenset(f"LABEL_{kind}" for kind in ("NEXT", "PREVIOUS", "FIRST", "LAST", "NUMBER"))
_BY_NAME = frozenset({"OWN_NEXT", "OWN_PREVIOUS", "OWN_FIRST", "OWN_LAST"})
_FURTHEST = 60  # nodes between two members


@dataclass(frozen=True)
class Runs:
    """Where each member stands: the run's number, and its place in it from 0."""

    place: Mapping[int, tuple[int, int]]
    length: Mapping[int, int]


def find_runs(elements: Elements, notes: Annotations) -> Runs:
    """All runs of a page, in document order."""
    texts = elements.other_texts
    clickable = set(elements.clickable)
    place: dict[int, tuple[int, int]] = {}
    length: dict[int, int] = {}
    run, last = -1, -(10**9)
    for node in sorted([*texts, *clickable]):
        said = texts.get(node)
        if said is not None and not any(c.isalnum() for c in said) and node not in notes.of:
            continue
        if not _is_member(elements, notes.of.get(node, {}), node, node in clickable):
            if node in clickable and not elements.text(node):
                continue  # an empty link says nothing
            last = -(10**9)
            continue
        if node - last > _FURTHEST:
            run += 1
        place[node] = (run, length.get(run, 0))
        length[run] = length.get(run, 0) + 1
        last = int(elements.page.end[node]) if node in clickable else node
    return Runs(place, length)


def _is_member(elements: Elements, notes: Mapping[str, object], node: int, clickable: bool) -> bool:
    if not _MEMBERS.isdisjoint(notes):
        return True
    if not clickable:
        return False
    if not _BY_LABEL.isdisjoint(notes):
        return True
    return not _BY_NAME.isdisjoint(notes) and len(elements.text(node)) < 25
