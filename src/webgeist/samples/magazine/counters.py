"""Numbers that move while nothing happens: views, shares, and how long ago something was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.samples.prose import Prose

if TYPE_CHECKING:
    from datetime import datetime

    from webgeist.samples.magazine.stories import Story

NETWORKS = ("Mail", "Forum", "Messenger")


def hours_since(then: datetime, now: datetime) -> int:
    return max(0, int((now - then).total_seconds() // 3600))


def ago(then: datetime, now: datetime) -> str:
    hours = hours_since(then, now)
    if hours >= 48:
        return f"{hours // 24} days ago"
    return "just now" if hours == 0 else f"{hours} hour{'s' if hours > 1 else ''} ago"


def views(story: Story, now: datetime) -> int:
    """Grows by the hour, fast at first."""
    prose = Prose(f"views {story.number}")
    hours = hours_since(story.published, now)
    return prose.number(200, 900) + prose.number(40, 160) * min(hours, 72) + hours


def shares(story: Story, now: datetime) -> dict[str, int]:
    prose = Prose(f"shares {story.number}")
    seen = views(story, now)
    return {network: seen // prose.number(12, 60) for network in NETWORKS}


def most_read(stories: list[Story], now: datetime) -> list[Story]:
    return sorted(stories[:40], key=lambda one: (-views(one, now), one.number))[:6]
