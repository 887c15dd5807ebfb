"""Serve mode: the same proxy, but answers come from what is stored. Nothing is ever dialled."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from webgeist.capture.recorder.heads import ResponseHead
from webgeist.capture.recorder.slot import ProxySlot
from webgeist.capture.recorder.talk import BadRequestError, PageLeftError
from webgeist.capture.recorder.upstream import OriginError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from webgeist.capture.exchange import Headers
    from webgeist.capture.recorder.authority import Authority
    from webgeist.capture.recorder.heads import RequestHead
    from webgeist.capture.recorder.origin import Origin
    from webgeist.capture.recorder.recording import Draft
    from webgeist.capture.recorder.talk import Talk
    from webgeist.capture.recorder.wire import Wire
    from webgeist.settings import Settings

    Lookup = Callable[[str, str, int], "StoredAnswer | None"]
    BodyLookup = Callable[[str, str, bytes], "StoredAnswer | None"]

_SWITCHING = 101
_WITHOUT_BODY = frozenset({204, 304})
_FRAMING = frozenset({b"content-length", b"transfer-encoding"})


class LostError(OriginError):
    """What failed for Chromium itself: it learns of it again by no answer, but by a connection that
    ends.
    """


class SilenceError(Exception):
    """Nothing, or nothing more, came as long as the page was there: it waits in vain again."""


class StoredBody(Protocol):
    """The bytes of an answer as they were sent, no longer chunked. `exchange.Body` is one.

    What was not whole raises after its last chunk as a lookup does.
    """

    @property
    def size(self) -> int: ...

    def chunks(self) -> Iterable[bytes]: ...


@dataclass(frozen=True)
class StoredAnswer:
    status: int
    reason: str
    headers: Headers
    body: StoredBody


class Replay:
    """A `Recorder` that answers from an archive alone.

    `lookup(method, url, nth)` gives the answer to the nth time (from 0) that a page asks for the
    same; it runs in threads. Of what failed it raises the OriginError of then, or LostError; for a
    certificate that was not accepted, to CONNECT; of what was not answered while the page was
    there, SilenceError. What it does not know (None) is answered 404; its exchange has no status
    and the cause destination_not_found. Web sockets are never answered: their frames are not
    stored. Where `by_body` is given, it is asked first, with what the request says.
    """

    def __init__(
        self,
        settings: Settings,
        authority: Authority,
        lookup: Lookup,
        by_body: BodyLookup | None = None,
    ) -> None:
        self._settings = settings
        self._authority = authority
        self._lookup = lookup
        self._by_body = by_body
        self._slots: list[ProxySlot] = []

    @property
    def arguments(self) -> tuple[str, ...]:
        return (f"--ignore-certificate-errors-spki-list={self._authority.spki}",)

    async def slot(self) -> ProxySlot:
        slot = ProxySlot(self._authority, _Archive(self._lookup, self._by_body), self._settings)
        self._slots.append(slot)
        return slot

    async def close(self) -> None:
        for slot in self._slots:
            await slot.close()
        self._slots.clear()


class _Archive:
    def __init__(self, lookup: Lookup, by_body: BodyLookup | None) -> None:
        self._lookup = lookup
        self._by_body = by_body

    async def prepare(self, origin: Origin) -> OriginError | None:
        """Every host is there, as far as TLS goes, but those that were not to be trusted."""
        try:
            await asyncio.to_thread(self._lookup, "CONNECT", origin.url(), 0)
        except OriginError as error:
            return error if error.tls else None
        return None

    async def close(self) -> None:
        """There is nothing open."""

    async def answer(self, talk: Talk, request: RequestHead, draft: Draft) -> None:
        while (piece := await talk.body_piece()) is not None:
            if draft.keep(draft.request_body, piece) != piece:
                raise BadRequestError(f"a body of more than {draft.most} bytes")
        try:
            await self._play(talk, request, draft)
        except LostError as error:
            draft.fail_by(error)
            raise PageLeftError from error
        except SilenceError as error:
            await _left(talk.wire)
            raise PageLeftError from error

    async def _play(self, talk: Talk, request: RequestHead, draft: Draft) -> None:
        found = None
        if self._by_body is not None:
            said = draft.request_body.read()
            found = await asyncio.to_thread(self._by_body, request.method, request.url, said)
        found = found or await asyncio.to_thread(
            self._lookup, request.method, request.url, draft.nth
        )
        if found is None or found.status == _SWITCHING:
            sentence = f"{request.method} {request.url} is not stored"
            raise OriginError("destination_not_found", sentence)
        draft.answer = ResponseHead(found.status, found.reason, found.headers)
        await talk.send(talk.head(_framed(found, request.method)))
        if request.method != "HEAD" and found.status not in _WITHOUT_BODY:
            for chunk in found.body.chunks():
                draft.body.write(chunk)
                await talk.send(talk.page.body(chunk))
        draft.whole = True
        await talk.send(talk.page.end())


async def _left(wire: Wire) -> None:
    """Returns when the browser has closed its end."""
    gone = asyncio.Event()
    wire.on_end = gone.set
    if not wire.ended:
        await gone.wait()


def _framed(found: StoredAnswer, method: str) -> ResponseHead:
    """The head for a body that is whole and whose size is known."""
    headers = [(name, text) for name, text in found.headers if name.lower() not in _FRAMING]
    if method == "HEAD":
        headers = [header for header in found.headers if header[0].lower() != b"transfer-encoding"]
    elif found.status not in _WITHOUT_BODY:
        headers.append((b"Content-Length", b"%d" % found.body.size))
    return ResponseHead(found.status, found.reason, tuple(headers))
