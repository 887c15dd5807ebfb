"""What an analysis is: a pure function from one capture to the rows of one table."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pyarrow as pa

from webgeist.page.hierarchy import hierarchy

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from webgeist.analyses.scope import TableScope
    from webgeist.capture.model import Capture
    from webgeist.page.hierarchy import Hierarchy
    from webgeist.page.model import Page


T = TypeVar("T")
_MOST_PIXELS = 48_000_000  # that a picture is looked at with: 1,280 by 37,500


class NothingToSeeError(Exception):
    """A capture without a page or a picture: an analysis that needs one has nothing to say."""


@dataclass(frozen=True, eq=False)
class Subject:
    """A capture that is looked at: its parts are made when first asked for, and shared by all
    analyses of it.
    """

    capture: Capture
    _made: dict[str, Any] = field(default_factory=dict, repr=False)

    def shared(self, name: str, make: Callable[[], T]) -> T:
        """What several analyses need, made once."""
        if name not in self._made:
            self._made[name] = make()
        made: T = self._made[name]
        return made

    @cached_property
    def page(self) -> Page:
        page = self.capture.page
        if page is None:
            raise NothingToSeeError(f"no page: {self.capture.info.outcome}")
        return page

    @cached_property
    def hierarchy(self) -> Hierarchy:
        return hierarchy(self.page)

    @property
    def picture(self) -> NDArray[np.uint8]:
        """The full page, (height, width, 3) RGB. Very large ones are reduced."""
        return self._picture[0]

    @property
    def reduced(self) -> int:
        """How many CSS pixels one of the picture's is wide: 1, but more for very large ones."""
        return self._picture[1]

    @cached_property
    def _picture(self) -> tuple[NDArray[np.uint8], int]:
        shot = self.capture.screenshot
        if shot is None:
            raise NothingToSeeError("no picture")
        return shot.pixels(_MOST_PIXELS)

    @cached_property
    def boxes(self) -> NDArray[np.int32]:
        """The blocks' boxes in whole pixels of the picture: left, top, right, bottom."""
        return np.rint(self.hierarchy.box / self.reduced).astype(np.int32)


@dataclass(frozen=True)
class Analysis:
    """`run` gives the rows of a capture, by `schema`. A table has the analysis' name.

    When what it says of a capture changes, its `version` does. `scope` is how queries name its
    table, and what its columns mean.
    """

    name: str
    version: str
    schema: pa.Schema
    run: Callable[[Subject], pa.Table] = field(repr=False)
    scope: TableScope | None = None

    def rows(self, subject: Subject) -> pa.Table:
        """What it says of a capture, in the columns that it promised. ValueError: in others."""
        return promised(self.run(subject), self.schema)


def promised(table: object, schema: pa.Schema) -> pa.Table:
    """What an analysis gave, in the columns that it promised. ValueError: in others."""
    if not isinstance(table, pa.Table):
        raise TypeError(f"gave {type(table).__name__} instead of an Arrow table")
    if table.column_names != schema.names:
        wrong = set(table.column_names) ^ set(schema.names)
        raise ValueError(f"gave other columns than it promised: {', '.join(sorted(wrong))}")
    return table.cast(schema)
