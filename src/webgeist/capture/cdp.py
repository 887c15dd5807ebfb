"""The Chrome DevTools Protocol over two pipes: commands out, answers and events in.

Messages are JSON ended by a zero byte. An answer is matched by its number, which stands at its very
start, so a large answer can be handed on as bytes and decoded elsewhere. Why not a library:
docs/decisions.md.
"""

from __future__ import annotations

import asyncio
import itertools
import re
from typing import TYPE_CHECKING, Any

import orjson

from webgeist.errors import BrowserError
from webgeist.page import browser_json

if TYPE_CHECKING:
    from collections.abc import Callable

    Listener = Callable[[str, dict[str, Any]], None]

_ANSWER = re.compile(rb'\{"id":(\d+),')


class CommandError(Exception):
    """Chromium refused a command: it said why. The page or target it was meant for may be gone."""


class CommandTimeoutError(Exception):
    """Chromium did not answer a command in time: the page's thread is busy or the browser hangs."""


class Frames:
    """Cuts a byte stream into messages at zero bytes, without joining what is not complete yet."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def feed(self, data: bytes) -> list[bytes]:
        *complete, rest = data.split(b"\0")
        if not complete:
            self._parts.append(data)
            return []
        complete[0] = b"".join((*self._parts, complete[0]))
        self._parts = [rest] if rest else []
        return complete


class Connection(asyncio.Protocol):
    """One browser's protocol connection. Sessions of all its tabs share it."""

    def __init__(self, writer: asyncio.WriteTransport, default_seconds: float) -> None:
        self._writer = writer
        self._default_seconds = default_seconds
        self._numbers = itertools.count(1)
        self._frames = Frames()
        self._pending: dict[int, asyncio.Future[bytes]] = {}
        self._listeners: dict[str, Listener] = {}
        self.closed: asyncio.Future[Exception | None] = asyncio.get_running_loop().create_future()

    def listen(self, session: str, listener: Listener) -> None:
        """Hand every event of `session` ("" for the browser itself) to `listener`."""
        self._listeners[session] = listener

    def forget(self, session: str) -> None:
        self._listeners.pop(session, None)

    async def send(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        *,
        session: str = "",
        seconds: float | None = None,
    ) -> dict[str, Any]:
        """The result of a command, decoded."""
        raw = await self.send_raw(method, params, session=session, seconds=seconds)
        result: dict[str, Any] = browser_json.loads(raw)["result"]
        return result

    async def send_raw(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        *,
        session: str = "",
        seconds: float | None = None,
    ) -> bytes:
        """The whole answer to a command as it came, `{"id":…,"result":…}`."""
        number, answer = self._post(method, params, session)
        try:
            async with asyncio.timeout(seconds or self._default_seconds):
                raw = await answer
        except TimeoutError as error:
            raise CommandTimeoutError(method) from error
        finally:
            self._pending.pop(number, None)
        if raw[:64].partition(b",")[2].startswith(b'"error"'):
            raise CommandError(f"{method}: {browser_json.loads(raw)['error'].get('message')}")
        return raw

    def post(self, method: str, params: dict[str, Any] | None = None, *, session: str = "") -> None:
        """Send a command whose answer nobody waits for."""
        if not self.closed.done():
            number, answer = self._post(method, params, session)
            answer.add_done_callback(lambda _: self._pending.pop(number, None))

    def _post(
        self, method: str, params: dict[str, Any] | None, session: str
    ) -> tuple[int, asyncio.Future[bytes]]:
        if self.closed.done():
            raise BrowserError("Chromium has died", remedy="try again")
        number = next(self._numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._pending[number] = answer
        self._writer.write(orjson.dumps(message) + b"\0")
        return number, answer

    def data_received(self, data: bytes) -> None:
        for message in self._frames.feed(data):
            self._dispatch(message)

    def _dispatch(self, message: bytes) -> None:
        if match := _ANSWER.match(message):
            answer = self._pending.get(int(match[1]))
            if answer is not None and not answer.done():
                answer.set_result(message)
            return
        event = browser_json.loads(message)
        listener = self._listeners.get(event.get("sessionId", ""))
        if listener is not None:
            listener(event["method"], event["params"])

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.closed.done():
            self.closed.set_result(exc)
        for answer in self._pending.values():
            if not answer.done():
                answer.set_exception(BrowserError("Chromium has died", remedy="try again"))
                answer.exception()  # nobody may be waiting: that is no error of its own
