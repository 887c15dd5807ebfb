"""Two lists that grow in the browser: the stream of stories and the page of short notes."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from webgeist.samples.magazine import counters
from webgeist.samples.prose import Prose

if TYPE_CHECKING:
    from datetime import datetime

    from webgeist.samples.magazine.stories import Story

STREAM_LENGTH = 60
STREAM_PAGE = 10
BRIEFS_LENGTH = 48
BRIEFS_PAGE = 8


@dataclass(frozen=True)
class Item:
    """A story as the stream's JSON has it."""

    path: str
    title: str
    summary: str
    section: str
    picture: str
    when: str


@dataclass(frozen=True)
class Brief:
    number: int
    title: str
    text: str


def stream(stories: list[Story], now: datetime, page: int) -> dict[str, object]:
    """The newest sixty stories, ten at a time."""
    items = [
        Item(
            one.path,
            one.title,
            one.summary,
            one.section_name,
            one.picture,
            counters.ago(one.published, now),
        )
        for one in stories[:STREAM_LENGTH]
    ]
    return _slice([asdict(item) for item in items], page, STREAM_PAGE)


def briefs(day: int, page: int) -> dict[str, object]:
    """The newest forty-eight notes, eight at a time; one new note each day."""
    newest = BRIEFS_LENGTH + day
    notes = [_brief(number) for number in range(newest, newest - BRIEFS_LENGTH, -1)]
    return _slice([asdict(note) for note in notes], page, BRIEFS_PAGE)


def _brief(number: int) -> Brief:
    prose = Prose(f"brief {number}")
    return Brief(number, prose.title(4), prose.paragraph(2))


def _slice(items: list[dict[str, object]], page: int, size: int) -> dict[str, object]:
    end = page * size
    return {
        "total": len(items),
        "items": items[end - size : end],
        "next": page + 1 if end < len(items) else None,
    }
