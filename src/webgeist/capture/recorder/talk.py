"""A conversation with the browser over one connection: its requests one by one, and our answers."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

from webgeist.capture.recorder.heads import RequestHead
from webgeist.capture.recorder.http1 import Broken, Event, PageSide
from webgeist.capture.recorder.notices import notice

if TYPE_CHECKING:
    from webgeist.capture.recorder.heads import ResponseHead
    from webgeist.capture.recorder.wire import Wire


class PageLeftError(Exception):
    """The browser has closed its end."""


class BadRequestError(Exception):
    """A request that is no valid HTTP, or that stops halfway."""


class Talk:
    """`seconds` is how long a request may pause, and its head may take, once it has begun."""

    def __init__(self, wire: Wire, page: PageSide, seconds: float) -> None:
        self.wire = wire
        self.page = page
        self.answering = False  # the head of an answer is out: no other can be given
        self._seconds = seconds
        self._events: deque[Event] = deque()

    async def request(self) -> RequestHead | None:
        """The next request; None when the browser leaves. It may take its time to begin one."""
        if not self.page.expects and not self._events:
            await self._listen(None)
        if not self._events:
            await self._rest_of_head()
        event = self._events.popleft()
        if isinstance(event, Broken):
            raise BadRequestError(event.sentence)
        return event if isinstance(event, RequestHead) else None

    async def _rest_of_head(self) -> None:
        """All of it must come in time, however it drips."""
        try:
            async with asyncio.timeout(self._seconds):
                while not self._events:
                    await self._listen(None)
        except TimeoutError as error:
            raise BadRequestError(f"its head did not come within {self._seconds:g} s") from error

    async def body_piece(self) -> bytes | None:
        """The next piece of the request's body; None at its end."""
        try:
            while not self._events:
                await self._listen(self._seconds)
        except TimeoutError as error:
            raise BadRequestError(f"no more of it came within {self._seconds:g} s") from error
        event = self._events.popleft()
        if isinstance(event, Broken):
            raise BadRequestError(event.sentence)
        return event if isinstance(event, bytes) else None

    async def _listen(self, seconds: float | None) -> None:
        try:
            self._events.extend(self.page.receive(await self.wire.read(seconds)))
        except TimeoutError:
            raise
        except OSError as error:
            raise PageLeftError from error

    async def send(self, data: bytes) -> None:
        try:
            await self.wire.send(data)
        except OSError as error:
            raise PageLeftError from error

    def head(self, head: ResponseHead) -> bytes:
        """The bytes of an answer's head; from now on it is this answer or none."""
        self.answering = True
        return self.page.answer(head)

    async def notify(self, cause: str, sentence: str) -> None:
        """Answer in the origin's place; an answer that has begun can only be cut by closing."""
        if not self.answering:
            head, body = notice(cause, sentence)
            await self.send(self.head(head) + self.page.body(body) + self.page.end())

    def next_request(self) -> bool:
        """Go on to the next request on this connection, if there can be one."""
        if not self.page.reusable:
            return False
        self.answering = False
        self._events.extend(self.page.next_request())
        return True
