"""Asks for a file without a browser: robots.txt, sitemaps. Through the gate, and written down.

What comes back are exchanges as a recorder has them, so the archive can keep these too.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from webgeist.capture.gate import Gate
from webgeist.capture.recorder.heads import RequestHead, ResponseHead, value
from webgeist.capture.recorder.http1 import Broken, Interim, OriginSide
from webgeist.capture.recorder.origin import BadTargetError, parse_address
from webgeist.capture.recorder.recording import Recording
from webgeist.capture.recorder.upstream import Lines, OriginError, explained, verifying_context
from webgeist.page.links import resolve

if TYPE_CHECKING:
    import ssl

    from webgeist.capture.exchange import Exchange
    from webgeist.capture.recorder.http1 import Event
    from webgeist.capture.recorder.recording import Draft
    from webgeist.settings import Settings

_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class Fetcher:
    """Gets files, one connection each. `gate` and `tls` follow the settings unless given."""

    def __init__(
        self,
        settings: Settings,
        user_agent: str,
        *,
        gate: Gate | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._lines = Lines(gate or Gate.of(settings.gate), tls or verifying_context(), ())
        self._seconds = settings.limits.navigation_seconds
        self._user_agent = user_agent.encode("latin-1", "replace")

    async def get(self, url: str, *, most_bytes: int, redirects: int = 5) -> list[Exchange]:
        """Ask for `url` and follow its redirects; the last exchange is the answer.

        Whatever goes wrong is said in the exchange. A body longer than `most_bytes` is cut and
        marked. The caller closes the exchanges.
        """
        recording = Recording(redirects + 1, most_bytes)
        for _ in range(redirects + 1):
            draft = await self._ask(url, recording)
            recording.add(draft)
            place = redirect_of(draft.answer, url)
            if place is None:
                break
            url = place
        return recording.close()

    async def _ask(self, url: str, recording: Recording) -> Draft:
        try:
            origin, target = parse_address(url.partition("#")[0].encode("latin-1", "replace"))
        except BadTargetError as error:
            draft = recording.draft(None)
            draft.fail("http_request_error", str(error))
            return draft
        headers = (
            (b"Host", origin.authority.encode()),
            (b"User-Agent", self._user_agent),
            (b"Accept", b"*/*"),
            (b"Accept-Encoding", b"identity"),
            (b"Connection", b"close"),
        )
        draft = recording.draft(RequestHead("GET", origin, target, headers))
        try:
            async with asyncio.timeout(self._seconds):
                await self._call(draft)
        except TimeoutError:
            sentence = f"{origin.authority} did not answer within {self._seconds:g} s"
            draft.fail("connection_read_timeout", sentence)
        except OriginError as error:
            draft.fail_by(error)
        except OSError as error:
            draft.fail_by(explained(error, origin))
        return draft

    async def _call(self, draft: Draft) -> None:
        """Send the request of `draft`, and write its answer down."""
        assert draft.request is not None  # noqa: S101 - the caller has just set it
        line = await self._lines.dial(draft.request.origin)
        draft.address, draft.tls = line.address, line.tls
        origin = OriginSide()
        try:
            await line.wire.send(origin.ask(draft.request) + origin.end())
            while not draft.whole:
                for event in origin.receive(await line.wire.read()):
                    _note(draft, event)
        finally:
            line.wire.abort()
            await line.wire.gone


def _note(draft: Draft, event: Event) -> None:
    if isinstance(event, bytes):
        if draft.keep(draft.body, event) != event:
            raise OriginError("http_response_body_size", f"a body of more than {draft.most} bytes")
    elif isinstance(event, ResponseHead):
        draft.answer = event
    elif isinstance(event, Broken):
        raise OriginError(event.cause, event.sentence)
    elif not isinstance(event, Interim):
        draft.whole = True


def redirect_of(answer: ResponseHead | None, url: str) -> str | None:
    """Where an answer sends its reader to."""
    if answer is None or answer.status not in _REDIRECTS:
        return None
    place = value(answer.headers, b"location").decode("latin-1")
    return resolve(url, place) if place else None
