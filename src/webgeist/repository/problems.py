"""What `check` can find."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from webgeist.errors import WebgeistError
from webgeist.repository.versions import NewerVersionError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Part = Literal[
    "settings",
    "teachings",
    "state",
    "current",
    "manifest",
    "table",
    "reference",
    "batch",
    "picture",
    "archive",
    "index",
]


@dataclass(frozen=True)
class Problem:
    """Something that is not as it should be: what kind of thing, which one, and what is wrong."""

    part: Part
    path: Path
    message: str
    newer: bool = False  # not damaged, but written by a newer webgeist

    def __str__(self) -> str:
        return f"{self.part}: {self.message}"


@contextmanager
def noting(problems: list[Problem], part: Part, path: Path) -> Iterator[None]:
    """Errors in the block become a problem; checking goes on behind it."""
    try:
        yield
    except WebgeistError as error:
        newer = isinstance(error, NewerVersionError)
        problems.append(Problem(part, path, error.message, newer))
