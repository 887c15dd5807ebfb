"""The stories: who wrote which when. A story exists from the moment it is published."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from webgeist.samples.clock import START
from webgeist.samples.prose import Prose

BEFORE_START = 120  # stories that are there on day 0, one every thirty hours
SECTIONS = {
    "world": "World",
    "science": "Science",
    "culture": "Culture",
    "business": "Business",
    "travel": "Travel",
    "opinion": "Opinion",
}
TAGS = (
    "rivers harbours trains archives gardens bridges schools weather islands craft "
    "budgets maps music repair"
)
AUTHORS = tuple(Prose(f"author {number}").person() for number in range(9))


@dataclass(frozen=True)
class Story:
    """What stands in a list; the text is in `bodies`."""

    number: int
    section: str
    title: str
    summary: str
    author: str
    published: datetime
    tags: tuple[str, ...]
    minutes: int

    @property
    def slug(self) -> str:
        return f"{slugify(self.title)}-{self.number}"

    @property
    def path(self) -> str:
        return f"/{self.published:%Y/%m}/{self.slug}"

    @property
    def picture(self) -> str:
        return f"{('landscape', 'abstract', 'landscape', 'portrait')[self.number % 4]}-story-{self.number}"

    @property
    def section_name(self) -> str:
        return SECTIONS[self.section]


def slugify(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


@lru_cache(maxsize=4096)
def story(number: int) -> Story:
    prose = Prose(f"story {number}")
    return Story(
        number=number,
        section=list(SECTIONS)[number % len(SECTIONS)],
        title=prose.title(prose.number(5, 9)),
        summary=prose.sentence(),
        author=prose.pick(AUTHORS),
        published=_published(number),
        tags=tuple(sorted({prose.pick(TAGS.split()) for _ in range(3)})),
        minutes=prose.number(3, 14),
    )


def _published(number: int) -> datetime:
    """Until the clock starts one story every thirty hours, then two each day, at 05:00 and 08:00."""
    if number <= BEFORE_START:
        return START - timedelta(hours=1 + 30 * (BEFORE_START - number))
    day, which = divmod(number - BEFORE_START - 1, 2)
    return START + timedelta(days=day + 1) - timedelta(hours=(4, 1)[which])


def visible(now: datetime) -> list[Story]:
    """All stories published by then, newest first."""
    latest = BEFORE_START + 2 * max(0, (now - START).days + 1)
    stories = [story(number) for number in range(latest, 0, -1)]
    return [one for one in stories if one.published <= now]


def find(slug: str, now: datetime) -> Story | None:
    """The story with this slug, whose last part is its number, if it is published."""
    number = slug.rsplit("-", 1)[-1]
    if not number.isdecimal() or int(number) < 1:
        return None
    one = story(int(number))
    return one if one.slug == slug and one.published <= now else None
