"""Small pages, whole crawls of them, and what became of each page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.crawl.plan import Bounds, Plan
from webgeist.crawl.run import Crawl, End
from webgeist.crawl.scope import Reach, Rules
from webgeist.crawl.tables import FRONTIER

if TYPE_CHECKING:
    from webgeist.repository.repository import Repository
    from webgeist.settings import Settings


def page(*links: str) -> str:
    anchors = "".join(f'<a href="{link}">link</a> ' for link in links)
    return f"<!doctype html><title>page</title><p>words {anchors}</p>"


async def crawled(repository: Repository, settings: Settings, *seeds: str) -> dict[str, str]:
    """How each page ended, of a crawl of seeds and what they link to, wherever."""
    plan = Plan(seeds, Rules(Reach.ANY, depth=1))
    assert await Crawl(repository, plan, Bounds(), settings).run() is End.COMPLETE
    with repository.transaction() as connection:
        rows = connection.execute(FRONTIER.select()).all()
    return {row.url: f"{row.state}: {row.reason}" for row in rows}


def attempts(repository: Repository) -> dict[str, int]:
    with repository.transaction() as connection:
        return {row.url: row.attempts for row in connection.execute(FRONTIER.select())}
