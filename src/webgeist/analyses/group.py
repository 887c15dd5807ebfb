"""Captures that are looked at together: all of a page, or all of a host.

An analysis of a group says which capture each of its rows belongs to, so its table is kept,
replaced and published like that of any other. When a capture comes in, its group is looked at anew.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

import pyarrow as pa

from webgeist.analyses.analysis import Subject, promised

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from datetime import datetime

    from webgeist.analyses.scope import TableScope
    from webgeist.capture.model import Capture

T = TypeVar("T")
CAPTURE = pa.field("capture", pa.string(), nullable=False)


class Grain(StrEnum):
    """What belongs together: the captures of one URL, or of one host."""

    PAGE = "page"
    HOST = "host"


@dataclass(frozen=True)
class Member:
    """What is known of a capture without opening it."""

    capture: str
    url: str
    time: datetime


@dataclass(frozen=True, eq=False)
class Group:
    """The captures of one page or host, oldest first. They are opened one at a time, so that the
    largest host needs no more memory than what an analysis keeps of each. `given` is what users of
    the repository have to say to analyses, by their names.
    """

    name: str
    members: tuple[Member, ...]
    load: Callable[[str], Capture] = field(repr=False)
    given: Mapping[str, Any] = field(default_factory=dict, repr=False)
    _made: dict[str, Any] = field(default_factory=dict, repr=False)

    def newest(self) -> tuple[Member, ...]:
        """The last capture of each URL."""
        return tuple({member.url: member for member in self.members}.values())

    def subjects(self, members: Iterable[Member] | None = None) -> Iterator[tuple[Member, Subject]]:
        """Those with a page, opened in turn: of all captures, or of some."""
        for member in self.members if members is None else members:
            subject = Subject(self.load(member.capture))
            if subject.capture.page is not None:
                yield member, subject

    def shared(self, name: str, make: Callable[[], T]) -> T:
        """What several analyses need, made once."""
        if name not in self._made:
            self._made[name] = make()
        made: T = self._made[name]
        return made


@dataclass(frozen=True)
class GroupAnalysis:
    """`run` gives the rows of a whole group: the column `capture`, then those of `schema`.

    When what it says of a group changes, its `version` does. `scope` is how queries name its table,
    and what its columns mean.
    """

    name: str
    version: str
    schema: pa.Schema
    run: Callable[[Group], pa.Table] = field(repr=False)
    grain: Grain
    scope: TableScope | None = None

    def rows(self, group: Group) -> pa.Table:
        """What it says, sorted by capture. ValueError: in other columns than it promised, or of
        captures that are none of the group's.
        """
        table = promised(self.run(group), pa.schema([CAPTURE, *self.schema]))
        strangers = set(table["capture"].unique().to_pylist()) - {m.capture for m in group.members}
        if strangers:
            raise ValueError(f"gave rows of captures that it was not asked about: {min(strangers)}")
        return table.sort_by("capture")
