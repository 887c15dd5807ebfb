"""Notices that are to be delivered, in state.db: each to each channel, until it has confirmed.

    waiting ──confirmed──→ sent
       └──failed too often──→ given-up

A notice is put in by the transaction that makes its cause known, and marked as sent after the
channel confirmed. So none is lost, and one is sent again only if the program died in between.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from webgeist.watch.notices import Notice, dump, load
from webgeist.watch.tables import OUTBOX

if TYPE_CHECKING:
    from collections.abc import Iterable

WAITING, SENT, GIVEN_UP = "waiting", "sent", "given-up"
_FIRST_SECONDS = 60.0
LONGEST_SECONDS = 3600.0


@dataclass(frozen=True)
class Letter:
    """A notice on its way to a channel."""

    notice: Notice
    channel: str
    attempts: int


def pause(attempts: int) -> float:
    """Seconds until a channel is tried again that failed so often: a minute, two, … an hour."""
    return min(_FIRST_SECONDS * 2.0 ** min(attempts - 1, 10), LONGEST_SECONDS)


def put(
    connection: sa.Connection, notices: Iterable[Notice], channels: Iterable[str], now: float
) -> None:
    """To be delivered to each channel; what was put in before stays as it is."""
    keys = list(channels)
    rows = [
        {"notice": each.id, "channel": key, "body": dump(each), "next_try": now}
        for each in notices
        for key in keys
    ]
    fresh = {"state": WAITING, "attempts": 0, "reason": ""}
    if rows:
        insert = sqlite.insert(OUTBOX).on_conflict_do_nothing()
        connection.execute(insert, [row | fresh for row in rows])


def due(connection: sa.Connection, channels: Iterable[str], now: float) -> list[Letter]:
    """What these channels are to be given now. A next attempt that lies further ahead than any
    pause is a clock's mistake.
    """
    time = (OUTBOX.c.next_try <= now) | (OUTBOX.c.next_try > now + LONGEST_SECONDS)
    asked = sa.select(OUTBOX).where(
        OUTBOX.c.state == WAITING, OUTBOX.c.channel.in_(list(channels)), time
    )
    rows = connection.execute(asked.order_by(OUTBOX.c.next_try, OUTBOX.c.notice))
    return [Letter(load(row.body), row.channel, row.attempts) for row in rows]


def sent(connection: sa.Connection, letter: Letter) -> None:
    connection.execute(_of(letter).values(state=SENT, attempts=letter.attempts + 1, reason=""))


def failed(
    connection: sa.Connection, letter: Letter, reason: str, now: float, *, most: int
) -> bool:
    """An attempt failed; whether it was the last. Whatever else waits for the channel waits as
    long: it would fail, too, and count against it.
    """
    attempts = letter.attempts + 1
    over = attempts >= most
    others = sa.update(OUTBOX).where(
        OUTBOX.c.channel == letter.channel, OUTBOX.c.state == WAITING, OUTBOX.c.next_try <= now
    )
    connection.execute(others.values(next_try=now + pause(attempts)))
    connection.execute(
        _of(letter).values(
            state=GIVEN_UP if over else WAITING,
            attempts=attempts,
            next_try=now + pause(attempts),
            reason=reason,
        )
    )
    return over


def _of(letter: Letter) -> sa.Update:
    return sa.update(OUTBOX).where(
        OUTBOX.c.notice == letter.notice.id, OUTBOX.c.channel == letter.channel
    )


def waiting(connection: sa.Connection) -> dict[str, tuple[int, float]]:
    """For each channel, how many notices wait for it, and when the first is to be tried."""
    asked = (
        sa.select(OUTBOX.c.channel, sa.func.count(), sa.func.min(OUTBOX.c.next_try))
        .where(OUTBOX.c.state == WAITING)
        .group_by(OUTBOX.c.channel)
    )
    return {channel: (number, first) for channel, number, first in connection.execute(asked)}
