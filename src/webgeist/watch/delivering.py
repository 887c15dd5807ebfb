"""Takes notices from the outbox to their channels."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webgeist.watch import outbox
from webgeist.watch.channels import DeliveryError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from webgeist.repository.repository import Repository
    from webgeist.watch.channels import Channel
    from webgeist.watch.outbox import Letter


@dataclass
class Delivered:
    """What became of the letters that were due. `failures` are those that will be tried again,
    or not, each with channel, notice and reason.
    """

    sent: int = 0
    given_up: int = 0
    failures: list[tuple[str, str, str]] = field(default_factory=list)


async def deliver(
    repository: Repository,
    channels: Sequence[Channel],
    clock: Callable[[], float],
    *,
    attempts: int,
) -> Delivered:
    """Try everything that is due, once. After a failure its channel is left alone for this time."""
    by_key = {channel.key: channel for channel in channels}
    with repository.transaction() as connection:
        letters = outbox.due(connection, by_key, clock())
    done, broken = Delivered(), set[str]()
    for letter in letters:
        if letter.channel in broken:
            continue
        reason = await _attempt(by_key[letter.channel], letter)
        with repository.transaction() as connection:
            if reason is None:
                outbox.sent(connection, letter)
                done.sent += 1
                continue
            over = outbox.failed(connection, letter, reason, clock(), most=attempts)
        done.given_up += over
        done.failures.append((letter.channel, letter.notice.id, reason))
        broken.add(letter.channel)
    return done


async def _attempt(channel: Channel, letter: Letter) -> str | None:
    """Why it failed, if it did."""
    try:
        await channel.deliver(letter.notice)
    except DeliveryError as error:
        return str(error)
    return None
