"""What is new in a repository since it was looked at last: captures, and answers to a query.

Each look is one transaction: what it found goes into the outbox together with how far it came.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from webgeist.analyses.changes.compare import compare
from webgeist.analyses.changes.teachings import read_teachings
from webgeist.query.ask import ask
from webgeist.watch import outbox
from webgeist.watch.notices import Notice, change_notice, query_notice
from webgeist.watch.tables import ANSWERS, BASELINES, LOOKED_AT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from webgeist.analyses.changes.change import Change
    from webgeist.analyses.changes.teachings import Teachings
    from webgeist.repository.repository import Repository

    Page = tuple[str, str]


@dataclass
class Seen:
    """What a look found: notices, and pages that could not be compared, with the reason."""

    notices: list[Notice] = field(default_factory=list)
    strange: list[tuple[str, str]] = field(default_factory=list)
    compared: int = 0


def look_at_pages(
    repository: Repository, channels: Sequence[str], now: float, urls: Collection[str] | None = None
) -> Seen:
    """Compare captures that have come since with the last one of their page that was comparable.

    A page that is met for the first time only gets a baseline, its newest capture.
    """
    with repository.transaction() as connection:
        baselines, looked_at = _baselines(connection), _looked_at(connection)
    pages: dict[Page, list[str]] = defaultdict(list)
    for entry in repository.captures():
        wanted = urls is None or entry.url in urls or entry.requested_url in urls
        if wanted and entry.capture not in looked_at:
            pages[entry.requested_url, entry.viewport].append(entry.capture)
    look = _Look(repository, read_teachings(repository.layout))
    fresh = {page: look.at(page, ids, baselines.get(page)) for page, ids in pages.items()}
    with repository.transaction() as connection:
        outbox.put(connection, look.seen.notices, channels, now)
        _keep(connection, {page: base for page, base in fresh.items() if base is not None})
        _mark(connection, (capture for ids in pages.values() for capture in ids))
    return look.seen


class _Look:
    """One look at pages; `seen` is what it found."""

    def __init__(self, repository: Repository, teachings: Teachings) -> None:
        self._repository = repository
        self._teachings = teachings
        self.seen = Seen()

    def at(self, page: Page, captures: Sequence[str], base: str | None) -> str | None:
        """What the page is to be compared with from now on."""
        if base is None:
            shown = [each for each in captures if self._repository.capture(each).has_page]
            return shown[-1] if shown else None
        for capture in captures:
            change = self._compare(base, capture)
            self.seen.compared += 1
            if not change.comparable:
                self.seen.strange.append((page[0], change.reason))
                continue
            if change.important:
                self.seen.notices.append(change_notice(*page, base, capture, change))
            base = capture
        return base

    def _compare(self, before: str, after: str) -> Change:
        old, new = self._repository.capture(before), self._repository.capture(after)
        taught = self._teachings.about(new.info.url, new.info.requested_url)
        return compare(old, new, taught=taught)


def _baselines(connection: sa.Connection) -> dict[Page, str]:
    rows = connection.execute(sa.select(BASELINES))
    return {(row.url, row.viewport): row.capture for row in rows}


def _looked_at(connection: sa.Connection) -> set[str]:
    return set(connection.execute(sa.select(LOOKED_AT.c.capture)).scalars())


def _keep(connection: sa.Connection, fresh: dict[Page, str]) -> None:
    rows = [
        {"url": url, "viewport": viewport, "capture": capture}
        for (url, viewport), capture in fresh.items()
    ]
    insert = sqlite.insert(BASELINES)
    changed = {"capture": insert.excluded.capture}
    if rows:
        connection.execute(
            insert.on_conflict_do_update(index_elements=["url", "viewport"], set_=changed), rows
        )


def _mark(connection: sa.Connection, captures: Iterable[str]) -> None:
    rows = [{"capture": capture} for capture in captures]
    if rows:
        connection.execute(sqlite.insert(LOOKED_AT).on_conflict_do_nothing(), rows)


def look_at_query(
    repository: Repository, query: str, channels: Sequence[str], now: float
) -> Notice | None:
    """Ask the newest release, and compare with the answer before; the first one is kept alone."""
    with repository.release() as release:
        rows = [json.dumps(row, sort_keys=True, default=str) for row in ask(release, query).rows()]
    name, new = sha256(query.encode()).hexdigest(), sorted(rows)
    with repository.transaction() as connection:
        asked = sa.select(ANSWERS.c.rows).where(ANSWERS.c.query == name)
        known = connection.execute(asked).scalar_one_or_none()
        notice = None
        if known is not None and known.splitlines() != new:
            notice = query_notice(query, known.splitlines(), new)
            outbox.put(connection, [notice], channels, now)
        insert = sqlite.insert(ANSWERS).values(query=name, rows="\n".join(new))
        connection.execute(
            insert.on_conflict_do_update(
                index_elements=["query"], set_={"rows": insert.excluded.rows}
            )
        )
    return notice
