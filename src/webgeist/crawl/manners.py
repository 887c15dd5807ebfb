"""Knows what each host's robots.txt says: from memory, from state.db, or by asking the host."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from webgeist.crawl.robots import MOST_BYTES, REDIRECTS, Robots, decode
from webgeist.crawl.tables import ROBOTS

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from webgeist.capture.fetch import Fetcher

    Transaction = Callable[[], AbstractContextManager[sa.Connection]]

_REMEMBERED = 10_000  # hosts


class Manners:
    """`of` asks a host at most once at a time, and again only when the answer has expired."""

    def __init__(
        self, fetcher: Fetcher, transaction: Transaction, clock: Callable[[], float]
    ) -> None:
        self._fetcher = fetcher
        self._transaction = transaction
        self._clock = clock
        self._known: dict[str, tuple[Robots, float]] = {}
        self._asking: dict[str, asyncio.Task[Robots]] = {}

    async def of(self, origin: str) -> Robots:
        """What the host at `origin` (as in https://example.org) allows."""
        known = self._known.get(origin) or self._stored(origin)
        if known is not None and known[1] > self._clock():
            self._remember(origin, *known)
            return known[0]
        if origin not in self._asking:
            self._asking[origin] = asyncio.create_task(self._ask(origin))
            self._asking[origin].add_done_callback(lambda _: self._asking.pop(origin))
        return await asyncio.shield(self._asking[origin])

    def _stored(self, origin: str) -> tuple[Robots, float] | None:
        with self._transaction() as connection:
            asked = sa.select(ROBOTS).where(ROBOTS.c.origin == origin)
            found = connection.execute(asked).one_or_none()
        return None if found is None else (Robots(found.status, found.text), found.expires)

    async def _ask(self, origin: str) -> Robots:
        chain = await self._fetcher.get(
            f"{origin}/robots.txt", most_bytes=MOST_BYTES, redirects=REDIRECTS
        )
        answer = chain[-1]
        # A body that was cut is good for as far as it goes (RFC 9309, 2.5).
        said = answer.error if answer.status is None else decode(answer.body.read())
        robots = Robots(answer.status, said)
        if answer.refused:
            robots = Robots(HTTPStatus.NOT_FOUND)  # our own gate, which will say so of each page
        for exchange in chain:
            exchange.close()
        expires = self._clock() + robots.kept_seconds
        self._remember(origin, robots, expires)
        self._store(origin, robots, expires)
        return robots

    def _store(self, origin: str, robots: Robots, expires: float) -> None:
        insert = sqlite.insert(ROBOTS)
        columns = ("status", "text", "expires")
        newer = {name: insert.excluded[name] for name in columns}
        row = {"origin": origin, "status": robots.status, "text": robots.text, "expires": expires}
        with self._transaction() as connection:
            connection.execute(
                insert.on_conflict_do_update(index_elements=["origin"], set_=newer), row
            )

    def _remember(self, origin: str, robots: Robots, expires: float) -> None:
        if len(self._known) >= _REMEMBERED:
            self._known.pop(next(iter(self._known)))
        self._known[origin] = robots, expires
