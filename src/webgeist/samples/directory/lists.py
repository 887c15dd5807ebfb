"""Which organisations a list shows: filters, then a page of twenty, with the links around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgeist.samples.directory.organisations import Organisation

SIZE = 20


@dataclass(frozen=True)
class Filter:
    words: str = ""
    region: str = ""
    letter: str = ""

    def of(self, everything: Sequence[Organisation]) -> list[Organisation]:
        return [entry for entry in everything if self._takes(entry)]

    def _takes(self, entry: Organisation) -> bool:
        return (
            self.words.lower() in entry.name.lower()
            and self.region in ("", entry.region)
            and entry.letter.startswith(self.letter)
        )

    def link(self, path: str, page: int = 1) -> str:
        """The address of one page of this list; what is not set stays out of it."""
        query = {"q": self.words, "region": self.region, "letter": self.letter}
        query["page"] = str(page) if page > 1 else ""
        return f"{path}?{urlencode({k: v for k, v in query.items() if v})}".rstrip("?")


@dataclass(frozen=True)
class Slice:
    """One page of a list. Pages count from 1; a list without entries has one, empty."""

    entries: list[Organisation]
    page: int
    pages: int
    total: int
    first: int

    @property
    def last(self) -> int:
        return self.first + len(self.entries) - 1


def cut(entries: list[Organisation], page: int, size: int = SIZE) -> Slice | None:
    """The page-th part, or None where the list is shorter."""
    pages = max(1, -(-len(entries) // size))
    if not 1 <= page <= pages:
        return None
    start = (page - 1) * size
    return Slice(entries[start : start + size], page, pages, len(entries), start + 1)
