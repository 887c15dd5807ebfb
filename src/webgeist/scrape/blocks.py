"""A skip block as a loop that runs its body once, or not at all.

    new ──next──→ open ──next──→ committed        the body reached its end
     │             │ ├─ dropped ─→ abandoned      an exception, break or return left the body
     └─→ skipped   └─ failed ─next→ open          the site failed, and there are attempts left

That a `for` loop was left is seen by the loop's iterator being dropped, which Python does at once.
Nothing depends on it: a block that is never asked for its next item is never committed.
"""

from __future__ import annotations

import asyncio
from enum import Enum
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

    from webgeist.scrape.freshness import Freshness
    from webgeist.scrape.keys import Key
    from webgeist.scrape.retrying import Retries
    from webgeist.scrape.rows import Draft
    from webgeist.scrape.session import Session


class State(Enum):
    NEW = "new"
    OPEN = "open"
    FAILED = "failed"
    COMMITTED = "committed"
    SKIPPED = "skipped"
    ABANDONED = "abandoned"


class Block:
    """A block on its way: its key, its rows so far, and the block around it.

    It is what the loop gives, and as a context manager an attempt: `with attempt:` keeps a failure
    of the site to itself while there are attempts left.
    """

    def __init__(self, key: Key, wanted: Freshness, retries: Retries) -> None:
        self.key = key
        self.wanted = wanted
        self.above: Block | None = None
        self.token = ""
        self.rows: list[Draft] = []
        self.state = State.NEW
        self._retries = retries
        self._failures = 0

    @property
    def is_open(self) -> bool:
        """Whether the body runs, and those of all blocks around it."""
        mine = self.state in (State.OPEN, State.FAILED)
        return mine and (self.above is None or self.above.is_open)

    @property
    def pause(self) -> float:
        """Seconds to wait before the next attempt."""
        return self._retries.pause(self._failures)

    def try_again(self) -> Self:
        self.rows.clear()
        self.state = State.OPEN
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> bool:
        if error is None or not self._retries.again(error, self._failures + 1):
            return False
        self._failures += 1
        self.state = State.FAILED
        return True

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool:
        return self.__exit__(kind, error, traceback)


class SkipBlock:
    """What `run.skip_block` gives: use it in `for` or `async for`, once.

    With `retries`, write `for attempt in run.skip_block(…): with attempt: …`, and the body is run
    again after a failure of the site.
    """

    def __init__(self, session: Session, block: Block) -> None:
        self._session = session
        self._block = block

    @property
    def committed(self) -> bool:
        """Whether the body ran to its end, and this is written down."""
        return self._block.state is State.COMMITTED

    def __iter__(self) -> Loop:
        return Loop(self._session, self._block)

    def __aiter__(self) -> Loop:
        return Loop(self._session, self._block)


class Loop:
    """The iterator of one loop statement, which alone holds it: who leaves the loop drops it."""

    def __init__(self, session: Session, block: Block) -> None:
        self._session = session
        self._block = block

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Block:
        session, block = self._session, self._block
        if block.state is State.OPEN:
            session.commit(block)
        elif block.state is State.FAILED:
            session.sleep(block.pause)
            return block.try_again()
        elif block.state is State.NEW:
            session.place(block)
            if session.decide(block):
                session.push(block)
                return block
        raise StopIteration

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Block:
        session, block = self._session, self._block
        if block.state is State.OPEN:
            await asyncio.to_thread(session.commit, block)
        elif block.state is State.FAILED:
            await asyncio.sleep(block.pause)
            return block.try_again()
        elif block.state is State.NEW:
            session.place(block)  # here, because the thread has a context of its own
            if await asyncio.to_thread(session.decide, block):
                session.push(block)
                return block
        raise StopAsyncIteration

    def __del__(self) -> None:
        if self._block.state in (State.OPEN, State.FAILED):
            self._session.abandon(self._block)
