"""A scraping program in memory: steps, and what they need. `reading` makes it from a file.

Every step knows the line it stands on, so that whoever runs it can say where something failed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NAME = re.compile(r"[^\W\d]\w*")
_HOLE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
SECRET = "env:"  # noqa: S105 - what names of environment variables begin with


@dataclass(frozen=True)
class Template:
    """A text with holes: `{name}` and `{loop.column}` are filled with what is known by then,
    `{env:NAME}` from the environment. `{{` and `}}` are braces.
    """

    text: str

    @property
    def holes(self) -> tuple[str, ...]:
        """What has to be known."""
        return tuple(hole for hole, _ in self.parts() if hole)

    def fill(self, known: Mapping[str, str | None]) -> str:
        """The text with its holes filled. KeyError where one is not known."""
        return "".join((known[hole] or "") if hole else text for hole, text in self.parts())

    def value(self, known: Mapping[str, str | None]) -> str | None:
        """The same; but what is one hole and nothing else may be missing (None)."""
        holes = self.holes
        if len(holes) == 1 and self.text == f"{{{holes[0]}}}":
            return known[holes[0]]
        return self.fill(known)

    def parts(self) -> Iterator[tuple[str, str]]:
        """Holes (and no text), and texts (and no hole), in turn."""
        begin = 0
        for found in _HOLE.finditer(self.text):
            yield "", self.text[begin : found.start()]
            if found[1] is None:
                yield "", found[0][0]
            else:
                yield found[1].strip(), ""
            begin = found.end()
        yield "", self.text[begin:]


@dataclass(frozen=True)
class Target:
    """What is looked for on a page: a `css` selector and a `text`, which must fit; further features
    are an address (see `relations.addresses`), of which the right node has most. Or the `cell`
    (loop.column) of the row that a loop is at.
    """

    features: Mapping[str, str] = field(default_factory=dict)
    cell: str | None = None
    attribute: str | None = None  # scraped instead of the text; addresses are resolved

    @property
    def is_address(self) -> bool:
        """Whether features say where it is, of which some may be lost."""
        return not self.features.keys() <= {"css", "text"}

    def __str__(self) -> str:
        shown = self.cell or ", ".join(f"{name} {each!r}" for name, each in self.features.items())
        return f"{self.attribute} of {shown}" if self.attribute else shown


@dataclass(frozen=True)
class Relation:
    """Rows of a page: `columns` are the cells of its first row; `rows` says what a row is, where
    that is known. Without either, the best proposal counts.
    """

    columns: Mapping[str, Target] = field(default_factory=dict)
    rows: Target | None = None


@dataclass(frozen=True)
class Condition:
    """`on page`: a target is there. Or a text that `is`, `contains` or `matches` something."""

    kind: str
    target: Target | None = None
    text: Template | None = None
    other: Template | None = None
    negated: bool = False


@dataclass(frozen=True)
class Fresh:
    """How recent a block's record must be: see `Run.last`, `runs`, `unless_changed`, `ALWAYS`."""

    seconds: float | None = None
    runs: int | None = None
    unless_changed: bool = False
    always: bool = False


@dataclass(frozen=True)
class Load:
    line: int
    url: Template


@dataclass(frozen=True)
class Click:
    line: int
    target: Target


@dataclass(frozen=True)
class Type:
    line: int
    into: Target
    text: Template
    enter: bool = False


@dataclass(frozen=True)
class Select:
    line: int
    target: Target
    option: Template


@dataclass(frozen=True)
class Scroll:
    """To a target; without one, to the end of the page."""

    line: int
    target: Target | None = None


@dataclass(frozen=True)
class Wait:
    """Until a target is there, for so long at most; without one, just so long."""

    line: int
    seconds: float
    target: Target | None = None


@dataclass(frozen=True)
class Scrape:
    line: int
    cells: Mapping[str, Target]
    optional: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Output:
    line: int
    columns: Mapping[str, Template]


@dataclass(frozen=True)
class ForEach:
    """`pages`: how many pages of the list at most; None for all, 1 for none but the first.
    `optional`: there may be no row at all.
    """

    line: int
    name: str
    relation: Relation
    steps: tuple[Step, ...]
    pages: int | None = None
    stop_after_duplicates: int | None = None
    optional: bool = False


@dataclass(frozen=True)
class SkipBlock:
    line: int
    name: str
    key: tuple[Template, ...]
    steps: tuple[Step, ...]
    within: tuple[str, ...] = ()
    fresh: Fresh = Fresh()
    retries: int = 0


@dataclass(frozen=True)
class If:
    line: int
    condition: Condition
    steps: tuple[Step, ...]
    otherwise: tuple[Step, ...] = ()


@dataclass(frozen=True)
class StopWhen:
    """Ends the innermost loop, or the program outside of loops."""

    line: int
    condition: Condition


Step = (
    Load | Click | Type | Select | Scroll | Wait | Scrape | Output | ForEach | SkipBlock | If
    | StopWhen
)  # fmt: skip


@dataclass(frozen=True)
class Program:
    """`name` is that of its log, so that a program that is edited goes on with what it had."""

    name: str
    steps: tuple[Step, ...]
    about: str = ""
    viewport: str = "desktop"
