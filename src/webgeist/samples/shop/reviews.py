"""What customers say about a product, newest first."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from webgeist.samples.clock import START
from webgeist.samples.prose import Prose

if TYPE_CHECKING:
    from datetime import datetime

    from webgeist.samples.shop.catalogue import Product

PER_PAGE = 5
NEW_REVIEW_ON_DAY = 4


@dataclass(frozen=True)
class Review:
    author: str
    stars: int
    date: str
    title: str
    text: str
    helpful: int


def reviews(item: Product, day: int) -> list[Review]:
    """Between none and 23; from day 4 on each fifth product has one more, at the head."""
    count = Prose(f"reviews {item.slug}").number(0, 23)
    extra = 1 if item.number % 5 == 0 and day >= NEW_REVIEW_ON_DAY else 0
    dates = [START + timedelta(days=NEW_REVIEW_ON_DAY)] * extra
    dates += [START - timedelta(days=2 * back + 1) for back in range(count)]
    return [_review(item, date) for date in dates]


def _review(item: Product, written: datetime) -> Review:
    date = f"{written:%Y-%m-%d}"
    prose = Prose(f"review {item.slug} {date}")
    return Review(
        author=prose.person(),
        stars=min(5, max(1, round(item.rating) + prose.number(-1, 1))),
        date=date,
        title=prose.title(3),
        text=prose.paragraph(prose.number(1, 3)),
        helpful=prose.number(0, 40),
    )


def page(item: Product, day: int, number: int) -> dict[str, object]:
    """One page as JSON; `next` is the number of the page after it, or null."""
    every = reviews(item, day)
    end = number * PER_PAGE
    return {
        "total": len(every),
        "reviews": [asdict(review) for review in every[end - PER_PAGE : end]],
        "next": number + 1 if end < len(every) else None,
    }
