"""One tab's port: takes the browser's connections, and has each request answered and recorded."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

from webgeist.capture.recorder.entrance import BadEntranceError, connect, enter, refuse
from webgeist.capture.recorder.heads import RequestHead
from webgeist.capture.recorder.http1 import PageSide
from webgeist.capture.recorder.port import LOOPBACK, PageSlot
from webgeist.capture.recorder.relay import join
from webgeist.capture.recorder.talk import BadRequestError, PageLeftError, Talk
from webgeist.capture.recorder.upstream import OriginError
from webgeist.errors import WebgeistError

if TYPE_CHECKING:
    import socket
    import ssl

    from webgeist.capture.recorder.authority import Authority
    from webgeist.capture.recorder.entrance import Entrance
    from webgeist.capture.recorder.origin import Origin
    from webgeist.capture.recorder.recording import Draft, Recording
    from webgeist.capture.recorder.upstream import Line
    from webgeist.settings import Settings


class Answerer(Protocol):
    """Where answers come from: origins, or an archive."""

    async def prepare(self, origin: Origin) -> OriginError | None:
        """Be ready for requests to `origin` over TLS, or say why there can be no answer."""
        ...

    async def answer(self, talk: Talk, request: RequestHead, draft: Draft) -> Line | None:
        """Answer; if the protocol was switched, return the connection to go on with."""
        ...

    async def close(self) -> None: ...


class ProxySlot(PageSlot):
    """A slot that is an HTTP proxy."""

    def __init__(self, authority: Authority, answerer: Answerer, settings: Settings) -> None:
        super().__init__(settings)
        self._authority = authority
        self._answerer = answerer
        self._seconds = settings.recorder.idle_seconds

    @property
    def proxy(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"

    async def close(self) -> None:
        try:
            await super().close()
        finally:
            await self._answerer.close()

    async def _receive(self, client: socket.socket, recording: Recording) -> None:
        try:
            entrance, failure = await self._enter(client, recording)
        except BaseException:
            client.close()
            raise
        tls = self._credentials(entrance.tunnel, failure)
        wire = await connect(client, entrance.said, tls, self._seconds)
        try:
            talk = Talk(wire, PageSide(entrance.tunnel), self._seconds)
            await self._converse(talk, recording, failure)
            wire.close()
            await wire.gone
        finally:
            wire.abort()
            await wire.gone

    async def _enter(
        self, client: socket.socket, recording: Recording
    ) -> tuple[Entrance, OriginError | None]:
        """What the browser wants; if TLS, also whether its origin can be reached."""
        try:
            entrance = await enter(client, self._seconds)
        except BadEntranceError as error:
            draft = recording.draft(None)
            draft.fail("http_request_error", str(error))
            recording.add(draft)
            await refuse(client, str(error))
            raise PageLeftError from error
        origin = entrance.tunnel
        if origin is None or origin.scheme != "https":
            return entrance, None
        failure = await self._answerer.prepare(origin)
        if failure is not None and failure.tls is not None:
            self._record_certificate(origin, failure, recording)
        return entrance, failure

    def _record_certificate(
        self, origin: Origin, failure: OriginError, recording: Recording
    ) -> None:
        """The browser will send no request to a host whose certificate it does not accept."""
        draft = recording.draft(RequestHead("CONNECT", origin, b"/", ()))
        draft.fail_by(failure)
        recording.add(draft)

    def _credentials(
        self, tunnel: Origin | None, failure: OriginError | None
    ) -> ssl.SSLContext | None:
        """Who we are to the browser. An origin that is not to be trusted must not seem to be: the
        browser is shown a certificate that it refuses, and fails as it would without us.
        """
        if tunnel is None or tunnel.scheme != "https":
            return None
        trusted = failure is None or failure.tls is None
        return self._authority.context(tunnel.host, trusted=trusted)

    async def _converse(
        self, talk: Talk, recording: Recording, failure: OriginError | None
    ) -> None:
        while True:
            try:
                request = await talk.request()
            except BadRequestError as error:
                draft = recording.draft(None)
                draft.fail("http_request_error", str(error))
                recording.add(draft)
                await talk.notify("http_request_error", str(error))
                return
            if request is None:
                return
            if recording.full:
                await talk.notify("http_request_denied", "this page asked for too much")
                return
            line = await self._answer(talk, request, recording, failure)
            failure = None  # the next request may try again
            if line is not None:
                await join(talk.wire, line.wire)
                return
            if not talk.next_request():
                return

    async def _answer(
        self,
        talk: Talk,
        request: RequestHead,
        recording: Recording,
        failure: OriginError | None,
    ) -> Line | None:
        """Have one request answered, and record it whatever happens."""
        draft = recording.draft(request)
        try:
            if failure is not None:
                raise failure
            return await self._answerer.answer(talk, request, draft)
        except OriginError as error:
            draft.fail_by(error)
            await talk.notify(error.cause, str(error))
        except BadRequestError as error:
            draft.fail("http_request_error", str(error))
            await talk.notify("http_request_error", str(error))
        except PageLeftError:
            draft.fail("", "the page broke it off")
            raise
        except WebgeistError as error:
            await talk.notify("proxy_internal_error", str(error))
            raise
        except asyncio.CancelledError:
            draft.fail("", "the page's time was up", "time")
            raise
        finally:
            recording.add(draft)
        return None
