"""DOM paths laid upon each other: what differs becomes a wildcard (MenuMiner, section 5.2).

The fewer wildcards, the more uniform are the segments. The aligned path is a menu's signature: it
tells whether a segment of another page is in the same place of the same template.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from webgeist.analyses.menus.tree import Step

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webgeist.analyses.menus.tree import Path

ANY = "*"
_PARTS = 3  # of a step that can differ: name, id, classes


@dataclass(frozen=True, slots=True)
class Signature:
    """Steps with wildcards; between `head` and `tail` there may be others (`gap`: how many)."""

    head: Path
    tail: Path = ()
    gap: int = 0

    @property
    def wildcards(self) -> int:
        """How much differs: 0 where all paths are the same."""
        parts = (part for step in (*self.head, *self.tail) for part in _parts(step))
        return sum(part == ANY for part in parts) + _PARTS * self.gap

    def __str__(self) -> str:
        gap = ["..."] if self.gap else []
        return " > ".join([*map(str, self.head), *gap, *map(str, self.tail)])


def align(paths: Iterable[Path]) -> Signature:
    """The signature of some paths."""
    first, *rest = dict.fromkeys(paths)
    signature = Signature(first)
    for path in rest:
        signature = widen(signature, path)
    return signature


@lru_cache(100_000)
def widen(signature: Signature, path: Path) -> Signature:
    """The signature that a further path leaves."""
    if not signature.gap and len(path) == len(signature.head):
        return Signature(tuple(map(_common, signature.head, path)))
    whole = (*signature.head, *signature.tail)
    front = signature.head if signature.gap else whole
    back = signature.tail if signature.gap else whole
    head = _agreeing(front, path)
    most = min(len(path), len(whole)) - len(head)
    tail = _agreeing(back[::-1], path[::-1])[:most][::-1]
    longest = max(len(path), len(whole) + signature.gap)
    return Signature(head, tail, longest - len(head) - len(tail))


@lru_cache(100_000)
def matches(signature: Signature, path: Path) -> bool:
    """Whether a path has what the signature asks for."""
    return widen(signature, path).wildcards <= signature.wildcards


@lru_cache(200_000)
def difference(one: Path, other: Path) -> int:
    """Wildcards that two paths need."""
    return 0 if one == other else widen(Signature(one), other).wildcards


def _agreeing(steps: Path, path: Path) -> Path:
    """The steps at the beginning that have the same name, aligned."""
    found = []
    for one, other in zip(steps, path, strict=False):
        if one.name != other.name:
            break
        found.append(_common(one, other))
    return tuple(found)


def _common(one: Step, other: Step) -> Step:
    if one == other:
        return one
    kept = [a if a == b else ANY for a, b in zip(_parts(one), _parts(other), strict=True)]
    return Step(*kept)


def _parts(step: Step) -> tuple[str, str, str]:
    return step.name, step.id, step.classes
