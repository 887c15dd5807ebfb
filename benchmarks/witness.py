"""A server on loopback that writes down every request it gets, and every byte of every body."""

from __future__ import annotations

import hashlib
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import uvicorn

from benchmarks.lab import PACKED, PLAIN, endless, lab
from benchmarks.listening import listen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starlette.types import Message, Receive, Scope, Send

_SWITCHING = 101


class Facts(NamedTuple):
    """What server and recorder must agree on: bodies by their SHA-256, as they were sent."""

    method: str
    url: str
    status: int | None
    asked: str
    said: str


@dataclass
class Seen:
    """One request as the server saw it, and the answer that it gave."""

    method: str
    url: str
    status: int | None = None
    asked: Any = field(default_factory=hashlib.sha256)
    said: Any = field(default_factory=hashlib.sha256)

    @property
    def facts(self) -> Facts:
        return Facts(
            self.method, self.url, self.status, self.asked.hexdigest(), self.said.hexdigest()
        )


class Witness:
    """The lab as lab.web.localhost and other.web.localhost. `log` is in the order of asking.

    `coded` has the SHA-256 of bodies that were sent with a content coding, by that of the content.
    """

    def __init__(self, scheme: str, port: int) -> None:
        self.log: list[Seen] = []
        self.coded = {hashlib.sha256(PLAIN).hexdigest(): hashlib.sha256(PACKED).hexdigest()}
        self._scheme = scheme
        self._port = port
        self._lab = lab()

    def url(self, path: str, host: str = "lab.web.localhost") -> str:
        return f"{self._scheme}://{host}:{self._port}{path}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        seen = self._note(scope)

        async def hearing() -> Message:
            message = await receive()
            if scope["type"] == "http":
                seen.asked.update(message.get("body") or b"")
            return message

        async def saying(message: Message) -> None:
            if message["type"] == "websocket.accept":
                seen.status = _SWITCHING
            seen.status = message.get("status", seen.status)
            if message["type"] == "http.response.body" and seen.method != "HEAD":
                seen.said.update(message.get("body") or b"")
            await send(message)

        app = endless if scope["path"].endswith("/endless") else self._lab
        await app(scope, hearing, saying)

    def _note(self, scope: Scope) -> Seen:
        host = dict(scope["headers"])[b"host"].decode().partition(":")[0]
        query = b"?" + scope["query_string"] if scope["query_string"] else b""
        path = (scope["raw_path"] + query).decode()
        seen = Seen(scope.get("method", "GET"), self.url(path, host))
        self.log.append(seen)
        return seen


@contextmanager
def witness(certificate: Path | None) -> Iterator[Witness]:
    """A witness on a free port, over HTTPS if it has a certificate for *.web.localhost."""
    with listen() as listener:
        app = Witness("https" if certificate else "http", listener.getsockname()[1])
        config = uvicorn.Config(
            app,
            log_level="error",
            lifespan="off",
            ws="websockets-sansio",
            timeout_graceful_shutdown=1,
            ssl_certfile=certificate,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield app
        finally:
            server.should_exit = True
            thread.join()
