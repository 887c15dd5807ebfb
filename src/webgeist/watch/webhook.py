"""A webhook: notices are sent to it by POST as JSON, through the egress gate.

Redirects are not followed: what was allowed is the address that the user gave.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from webgeist.capture.recorder.heads import RequestHead, ResponseHead
from webgeist.capture.recorder.http1 import Broken, Mark, OriginSide
from webgeist.capture.recorder.origin import BadTargetError, parse_address
from webgeist.capture.recorder.upstream import Lines, OriginError, explained, verifying_context
from webgeist.errors import UsageError
from webgeist.watch.channels import DeliveryError, secret_name

if TYPE_CHECKING:
    import ssl

    from webgeist.capture.gate import Gate
    from webgeist.capture.recorder.upstream import Line
    from webgeist.watch.notices import Notice

_GOOD = range(200, 300)
_REDIRECTS = range(300, 400)


class Webhook:
    """Confirms by a status of 2xx within `seconds`. UsageError where `url` is none."""

    def __init__(
        self,
        url: str,
        gate: Gate,
        user_agent: str,
        *,
        seconds: float = 30.0,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        try:
            self._origin, self._target = parse_address(url.encode("latin-1", "replace"))
        except BadTargetError as error:
            raise UsageError(f"the webhook is no address: {error}") from error
        self._lines = Lines(gate, tls or verifying_context(), ())
        self._agent = user_agent.encode("latin-1", "replace")
        self._seconds = seconds
        self.key = f"webhook {self._origin.authority} {secret_name(url)}"

    async def deliver(self, notice: Notice) -> None:
        body = json.dumps(notice.to_dict()).encode()
        headers = (
            (b"Host", self._origin.authority.encode()),
            (b"User-Agent", self._agent),
            (b"Content-Type", b"application/json"),
            (b"Content-Length", b"%d" % len(body)),
            (b"Idempotency-Key", notice.id.encode()),
            (b"Connection", b"close"),
        )
        request = RequestHead("POST", self._origin, self._target, headers)
        try:
            async with asyncio.timeout(self._seconds):
                self._judge(await self._ask(request, body))
        except TimeoutError as error:
            raise DeliveryError(
                f"{self._origin.authority} did not answer within {self._seconds:g} s"
            ) from error
        except OriginError as error:
            raise DeliveryError(str(error)) from error
        except OSError as error:
            raise DeliveryError(str(explained(error, self._origin))) from error

    async def _ask(self, request: RequestHead, body: bytes) -> ResponseHead:
        line = await self._lines.dial(self._origin)
        side = OriginSide()
        try:
            await line.wire.send(side.ask(request) + side.body(body) + side.end())
            return await _answer(line, side)
        finally:
            line.wire.abort()
            await line.wire.gone

    def _judge(self, answer: ResponseHead) -> None:
        who = self._origin.authority
        if answer.status in _REDIRECTS:
            raise DeliveryError(f"{who} redirects ({answer.status}), which is not followed")
        if answer.status not in _GOOD:
            raise DeliveryError(f"{who} answered {answer.status}")


async def _answer(line: Line, side: OriginSide) -> ResponseHead:
    """The head of the answer; its body is nobody's business."""
    while True:
        for event in side.receive(await line.wire.read()):
            if isinstance(event, ResponseHead):
                return event
            if isinstance(event, Broken):
                raise OriginError(event.cause, event.sentence)
            if event is Mark.CLOSED:
                raise OriginError("connection_terminated", "the server hung up without an answer")
