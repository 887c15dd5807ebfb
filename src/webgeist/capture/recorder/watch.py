"""Watches one page's targets: hears what they ask for, and takes the bodies from Chromium.

Nothing is held back. Chromium's network process keeps a copy of each body as it passes (CDP's
"durable messages"); it is asked for when the answer has ended. That copy is bounded, and so is what
is fetched of it at a time: it comes whole, in one message.
"""

from __future__ import annotations

import asyncio
import base64
from functools import partial
from typing import TYPE_CHECKING, Any

from webgeist.capture.cdp import CommandError, CommandTimeoutError
from webgeist.capture.exchange import Body, Spool
from webgeist.capture.recorder.conclude import Connections, Taken, conclude, left, wants_body
from webgeist.capture.recorder.hops import Hops
from webgeist.errors import BrowserError

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence

    from webgeist.capture.exchange import Exchange, Session
    from webgeist.capture.recorder.hops import Hop
    from webgeist.settings import Settings

MOST_BYTES = 32 << 20  # of one body that is fetched
_KEPT_BYTES = 256 << 20  # of all bodies that Chromium keeps for us
_POSTED_BYTES = 4 << 20  # of a request's body that is told with it
_KEEPING = {"maxTotalBufferSize": _KEPT_BYTES, "maxResourceBufferSize": MOST_BYTES}
_TELLING = {  # the page's process itself keeps what blobs and forms send, until it is asked for it
    "maxTotalBufferSize": 4 * _POSTED_BYTES,
    "maxResourceBufferSize": _POSTED_BYTES,
    "maxPostDataSize": _POSTED_BYTES,
}
_LARGE = 1 << 20  # bodies above that come one at a time
_LAST_SECONDS = 5.0  # how long a page's end may wait for what is still on its way
_ENDS = frozenset({"Network.loadingFinished", "Network.loadingFailed"})
_NO_TARGET = (CommandError, CommandTimeoutError, BrowserError)  # it is gone, or does not answer


class Watch:
    """All that a page and its workers ask for, until `end`."""

    def __init__(self, settings: Settings) -> None:
        self._hops = Hops(settings.limits.requests)
        self._most = settings.recorder.body_bytes
        self._spool = Spool().open()
        self._taken: dict[str, Taken] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._large = asyncio.Lock()
        self._told = asyncio.Event()
        self._over = False  # what comes now was made by the end itself
        self._unable = ""

    def attend(self, session: Session) -> None:
        """Commands are obeyed in their order: the target runs only after them."""
        session.listen(partial(self._hear, session))
        session.post("Network.configureDurableMessages", _KEEPING)
        session.post("Network.enable", _TELLING)
        if not self._tasks:
            self._start(self._try(session))

    async def _try(self, session: Session) -> None:
        """Whether this Chromium can keep bodies at all."""
        try:
            await session.send("Network.configureDurableMessages", _KEEPING)
        except CommandError as error:
            self._unable = str(error)
        except (CommandTimeoutError, BrowserError):
            return  # that is the capture's outcome

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self._tasks.append(asyncio.create_task(work))

    def _hear(self, session: Session, method: str, params: dict[str, Any]) -> None:
        if self._over:
            return
        self._hops.handle(method, params)
        hop = self._hops.current(params.get("requestId", ""))
        if hop is None:
            return
        if method in _ENDS and wants_body(hop):
            self._start(self._take(session, hop))
        elif method == "Network.requestWillBeSent" and hop.posted is None:
            self._start(self._take_posted(session, hop))
        self._told.set()

    async def _take(self, session: Session, hop: Hop) -> None:
        size = max(hop.received, hop.encoded)
        if size > MOST_BYTES:
            self._taken[hop.request] = Taken(None, "length")
        elif hop.got and hop.got.coded and not hop.received:
            return  # a prefetch: nobody knows what it would expand to
        elif size > _LARGE:
            async with self._large:
                await self._fetch(session, hop)
        else:
            await self._fetch(session, hop)

    async def _fetch(self, session: Session, hop: Hop) -> None:
        try:
            got = await session.send("Network.getResponseBody", {"requestId": hop.request})
        except _NO_TARGET:
            return
        data = _data(got["body"], got["base64Encoded"])
        if not _is_it(data, hop.received, coded=got["base64Encoded"]):
            return
        body = Body(self._spool)
        self._taken[hop.request] = Taken(body, "length" if len(data) > self._most else "")
        body.write(data[: self._most])

    async def _take_posted(self, session: Session, hop: Hop) -> None:
        try:
            got = await session.send("Network.getRequestPostData", {"requestId": hop.request})
        except _NO_TARGET:
            return
        hop.posted = _data(got["postData"], got.get("base64Encoded", False))

    async def end(self) -> None:
        """Wait for what is on its way, but not long. Raises what kept us from recording."""
        try:
            async with asyncio.timeout(_LAST_SECONDS):
                while not self._hops.settle():
                    self._told.clear()
                    await self._told.wait()
                await asyncio.gather(*self._tasks, return_exceptions=True)
        except TimeoutError:
            self._hops.settle()
        finally:
            self._over = True
            for task in self._tasks:
                task.cancel()
            ended = await asyncio.gather(*self._tasks, return_exceptions=True)
        self._check(ended)

    def _check(self, ended: Sequence[BaseException | None]) -> None:
        if self._unable:
            raise BrowserError(
                f"this Chromium cannot record by itself: {self._unable}",
                remedy="use a newer one, or set recorder.form to proxy",
            )
        for error in ended:
            if isinstance(error, Exception):
                raise error

    def exchanges(self, dialled: Sequence[Exchange]) -> list[Exchange]:
        """What left the browser. `dialled` is what the tunnel saw of it."""
        connections = Connections(dialled)
        hops = [hop for hop in self._hops.hops if left(hop, connections)]
        made: list[Exchange] = []
        try:
            for hop in hops:
                made.append(self._conclude(len(made), hop, connections))
        except BaseException:
            for exchange in made:
                exchange.close()
            raise
        given = {exchange.body for exchange in made}
        self._taken = {name: each for name, each in self._taken.items() if each.body not in given}
        return made

    def _conclude(self, number: int, hop: Hop, connections: Connections) -> Exchange:
        """The last hop of a request has its body. Those of redirects are not to be had."""
        taken = Taken(None, "unspecified")
        if wants_body(hop) and not hop.followed:
            taken = self._taken.get(hop.request, taken)
        return conclude(
            hop,
            taken,
            connections,
            number=number,
            spool=self._spool,
            latest=self._hops.latest,
        )

    def close(self) -> None:
        """Give back what no exchange has."""
        for taken in self._taken.values():
            if taken.body is not None:
                taken.body.close()
        self._spool.close()


def _is_it(data: bytes, received: int, *, coded: bool) -> bool:
    """Whether what Chromium gave is the body of which a page got so many bytes.

    What it has not kept it gives as no bytes, coded. What the page's process had in its place is
    text, perhaps of another encoding than that of the bytes.
    """
    if coded:
        return len(data) >= max(received, 1)
    return len(data) == received or not received


def _data(text: str, coded: bool) -> bytes:
    return base64.b64decode(text) if coded else text.encode("utf-8", "surrogatepass")
