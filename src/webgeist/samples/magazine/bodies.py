"""The text of a story at a moment: paragraphs, figures, quotes, and what editors changed later."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from webgeist.samples.clock import START
from webgeist.samples.prose import Prose

if TYPE_CHECKING:
    from webgeist.samples.magazine.stories import Story

CORRECTED = START + timedelta(days=3)
RECOUNTED = START + timedelta(days=5)
COMMENTED = START + timedelta(days=4)


@dataclass(frozen=True)
class Part:
    """One piece of a story. `kind` is paragraph, heading, figure, quote or correction."""

    kind: str
    text: str
    more: str = ""  # the figure's picture, or who is quoted


@dataclass(frozen=True)
class Comment:
    author: str
    date: str
    text: str
    likes: int
    replies: tuple[Comment, ...]


def pages(story: Story, now: datetime) -> list[list[Part]]:
    """A story's pages: three for each seventh story, one for the others."""
    count = 3 if story.number % 7 == 3 else 1
    every = [_page(story, number) for number in range(count)]
    _edit(every[0], story, now)
    return every


def _page(story: Story, number: int) -> list[Part]:
    prose = Prose(f"body {story.number} {number}")
    parts = [Part("paragraph", prose.paragraph(prose.number(3, 5))) for _ in range(8)]
    parts.insert(2, Part("figure", prose.sentence(), f"landscape-{story.slug}-{number}"))
    parts.insert(4, Part("heading", prose.title(4)))
    parts.insert(
        6, Part("quote", prose.sentence().replace("“", "").replace("”", ""), prose.person())
    )
    if prose.number(0, 1):
        parts.insert(9, Part("figure", prose.sentence(), f"abstract-{story.slug}-{number}"))
    return parts


def _edit(parts: list[Part], story: Story, now: datetime) -> None:
    """Corrections to each tenth story from day 3 on, a new figure in others from day 5 on."""
    prose = Prose(f"edit {story.number}")
    if story.number % 10 == 0 and now >= CORRECTED > story.published:
        parts.insert(
            1, Part("paragraph", f"New since this story first appeared: {prose.paragraph(4)}")
        )
        parts.append(Part("correction", f"Correction, {CORRECTED:%-d %B %Y}: {prose.sentence()}"))
    if story.number % 10 == 4:
        before, after = prose.number(12, 40), prose.number(41, 95)
        amount = after if now >= RECOUNTED > story.published else before
        parts.insert(1, Part("paragraph", f"The council puts the cost at {amount} million euros."))


def comments(story: Story, now: datetime) -> tuple[Comment, ...]:
    """Threads, oldest first; each fourth story gets one more on day 4."""
    prose = Prose(f"comments {story.number}")
    count = prose.number(0, 6)
    if story.number % 4 == 0 and now >= COMMENTED > story.published:
        count += 1
    return tuple(_comment(story, f"{number}", story.published) for number in range(count))


def _comment(story: Story, name: str, after: datetime) -> Comment:
    prose = Prose(f"comment {story.number} {name}")
    replies = prose.number(0, 2) if name.count(".") < 2 else 0
    written = after + timedelta(hours=prose.number(1, 20))
    return Comment(
        author=prose.person(),
        date=f"{written:%-d %B %Y}",
        text=prose.paragraph(prose.number(1, 3)),
        likes=prose.number(0, 80),
        replies=tuple(_comment(story, f"{name}.{reply}", written) for reply in range(replies)),
    )


def count(threads: tuple[Comment, ...]) -> int:
    return sum(1 + count(comment.replies) for comment in threads)
