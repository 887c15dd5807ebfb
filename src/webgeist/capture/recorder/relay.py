"""Carries one request to its origin and the answer back, and writes both down on the way."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from webgeist.capture.recorder.heads import ResponseHead
from webgeist.capture.recorder.http1 import Broken, Event, Interim, OriginSide
from webgeist.capture.recorder.talk import BadRequestError, PageLeftError
from webgeist.capture.recorder.upstream import OriginError, explained
from webgeist.errors import WebgeistError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from webgeist.capture.recorder.heads import RequestHead
    from webgeist.capture.recorder.origin import Origin
    from webgeist.capture.recorder.recording import Draft
    from webgeist.capture.recorder.talk import Talk
    from webgeist.capture.recorder.upstream import Line, Lines
    from webgeist.capture.recorder.wire import Wire

_SMALL = 64 * 1024  # request bodies up to that are taken whole, and can be sent a second time
_MOST_INTERIM = 20
_SWITCHING = 101


class StaleError(Exception):
    """A kept connection turned out to be closed before it said anything: ask again on a new one."""


class Relay:
    """Answers requests by asking their origins. `seconds` is how long one may be silent."""

    def __init__(self, lines: Lines, seconds: float) -> None:
        self._lines = lines
        self._seconds = seconds

    async def prepare(self, origin: Origin) -> OriginError | None:
        """Connect ahead of the first request, so that TLS can fail as it would without a proxy.
        Who was reached a moment ago is connected to meanwhile.
        """
        if self._lines.expect(origin):
            return None
        try:
            self._lines.give_back(await self._lines.take(origin))
        except OriginError as error:
            return error
        return None

    async def close(self) -> None:
        await self._lines.close()

    async def answer(self, talk: Talk, request: RequestHead, draft: Draft) -> Line | None:
        """Answer one request. If the protocol was switched: the connection to go on with.

        OriginError if no whole answer came; what came of it has gone to the page.
        """
        small = request.length is not None and request.length <= _SMALL
        if not small:
            return await self._call(talk, request, draft, await self._lines.dial(request.origin))
        while (piece := await talk.body_piece()) is not None:
            draft.request_body.write(piece)
        try:
            return await self._call(talk, request, draft, await self._lines.take(request.origin))
        except StaleError:
            return await self._call(talk, request, draft, await self._lines.dial(request.origin))

    async def _call(
        self, talk: Talk, request: RequestHead, draft: Draft, line: Line
    ) -> Line | None:
        draft.address, draft.tls = line.address, line.tls
        call = _Call(talk, request, draft, line, self._seconds)
        try:
            switched = await call.run()
        except BaseException:
            line.wire.abort()
            raise
        if switched:
            return line
        if call.origin.reusable and line.wire.idle:
            self._lines.give_back(line)
        else:
            line.wire.close()
        return None


class _Call:
    """One request and its answer on one connection to the origin."""

    def __init__(
        self, talk: Talk, request: RequestHead, draft: Draft, line: Line, seconds: float
    ) -> None:
        self.origin = OriginSide()
        self._talk = talk
        self._request = request
        self._draft = draft
        self._line = line
        self._seconds = seconds
        self._heard = False  # the origin has said something
        self._failure: Exception | None = None  # of sending a large body

    async def run(self) -> bool:
        """Ask and pass the answer on. Whether the protocol was switched."""
        if self._talk.wire.ended:
            raise PageLeftError
        self._talk.wire.on_end = self._line.wire.abort  # who leaves does not want the rest
        sending = await self._ask()
        try:
            async with self._limit():
                events = await self._until_head()
            if events is None:
                return True
            while not await self._pass_on(events):
                events = self.origin.receive(await self._read(self._seconds))
            return False
        finally:
            self._talk.wire.on_end = None
            if sending is not None:
                sending.cancel()
                await asyncio.gather(sending, return_exceptions=True)

    async def _ask(self) -> asyncio.Task[None] | None:
        """Send the request; a large body goes out while the answer may already come."""
        head = self.origin.ask(self._request)
        if self._request.length is None or self._request.length > _SMALL:
            return asyncio.create_task(self._send_large(head))
        body = b"".join(map(self.origin.body, self._draft.request_body.chunks()))
        await self._send(head + body + self.origin.end())
        return None

    async def _send_large(self, head: bytes) -> None:
        try:
            await self._send(head)
            while (piece := await self._talk.body_piece()) is not None:
                if self._draft.keep(self._draft.request_body, piece) != piece:
                    self._stop(BadRequestError(self._too_long))
                    return
                await self._send(self.origin.body(piece))
            await self._send(self.origin.end())
        except (BadRequestError, PageLeftError, WebgeistError) as error:
            self._stop(error)

    def _stop(self, error: Exception) -> None:
        self._failure = error
        self._line.wire.abort()

    async def _send(self, data: bytes) -> None:
        """A server may answer and hang up without hearing us out: reading will tell."""
        with suppress(OSError):
            await self._line.wire.send(data)

    async def _read(self, seconds: float | None) -> bytes:
        """The next piece from the origin, or the reason why there is none."""
        try:
            data = await self._line.wire.read(seconds)
        except TimeoutError as error:
            raise self._late() from error
        except OSError as error:
            raise self._lost(error) from error
        if not data and (self._quiet_end() or self._stale):
            raise self._quiet_end() or StaleError
        self._heard = True
        return data

    @property
    def _stale(self) -> bool:
        return not self._heard and not self._line.fresh

    def _quiet_end(self) -> Exception | None:
        """Why the connection is over, where it was us who ended it."""
        if self._failure is not None:
            return self._failure
        return PageLeftError() if self._talk.wire.ended else None

    def _lost(self, error: OSError) -> Exception:
        if (ours := self._quiet_end()) is not None:
            return ours
        if self._stale:
            return StaleError()
        return explained(error, self._line.origin)

    def _late(self) -> OriginError:
        name = self._line.origin.authority
        return OriginError(
            "connection_read_timeout", f"{name} did not answer within {self._seconds:g} s"
        )

    @asynccontextmanager
    async def _limit(self) -> AsyncIterator[None]:
        """The whole head must come in time, however it drips."""
        try:
            async with asyncio.timeout(self._seconds):
                yield
        except TimeoutError as error:
            raise self._late() from error

    async def _until_head(self) -> list[Event] | None:
        """Pass on what comes before the answer. Its first events; None if it is a switch."""
        events: list[Event] = []
        for _ in range(_MOST_INTERIM):
            while not events:
                events = self.origin.receive(await self._read(None))
            first, *rest = events
            if not isinstance(first, Interim):
                return events
            events = rest
            await self._talk.send(self._talk.page.interim(first.head))
            if first.head.status == _SWITCHING:
                await self._switch(first.head)
                return None
        raise OriginError("http_protocol_error", f"{_MOST_INTERIM} answers, none of them final")

    async def _switch(self, head: ResponseHead) -> None:
        """From here on bytes are passed on unread, those first that have come already."""
        self._draft.answer, self._draft.whole = head, True
        await self._talk.send(self.origin.left_over)
        await self._send(self._talk.page.left_over)

    async def _pass_on(self, events: list[Event]) -> bool:
        """Write down and send to the page what came. Whether that was the last of it."""
        out: list[bytes] = []
        failure: OriginError | None = None
        for event in events:
            if isinstance(event, bytes):
                kept = self._draft.keep(self._draft.body, event)
                out.append(self._talk.page.body(kept))
                if kept != event:
                    failure = OriginError("http_response_body_size", self._too_long)
            elif isinstance(event, ResponseHead):
                self._draft.answer = event
                out.append(self._talk.head(event))
            elif isinstance(event, Broken):
                failure = OriginError(event.cause, event.sentence)
            else:
                self._draft.whole = True
                out.append(self._talk.page.end())
            if failure:
                break
        await self._talk.send(b"".join(out))
        if failure:
            raise failure
        return self._draft.whole

    @property
    def _too_long(self) -> str:
        return f"a body of more than recorder.body_bytes = {self._draft.most}"


async def join(page: Wire, origin: Wire) -> None:
    """Pass bytes both ways until one side leaves."""
    await asyncio.gather(_pump(page, origin), _pump(origin, page))


async def _pump(source: Wire, sink: Wire) -> None:
    try:
        while piece := await source.read():
            await sink.send(piece)
    except OSError:
        return  # the way most connections end
    finally:
        sink.close()
