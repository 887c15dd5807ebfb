"""How queries name the table of an analysis, and what its columns mean."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Note(NamedTuple):
    """What a column means, and in which unit."""

    unit: str
    meaning: str


@dataclass(frozen=True)
class TableScope:
    """`@name` in queries. A row belongs to its capture, and where the table has a column `block` or
    `node`, to that block or node: so it is joined without further words.

    Tables without one are called by their own name; `features_NAME` are further columns of
    `@visual`.
    """

    name: str
    about: str = ""
    notes: Mapping[str, Note] = field(default_factory=dict)
