"""One ASGI application for all sample sites: the Host header decides which one answers.

A site is a module with `def site(clock: Clock) -> Site`; `SITES` lists them. `control.localhost`
moves the clock for those who only have HTTP: POST /clock with `days=N`, `now=ISO time` or both.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse
from starlette.routing import Route

from webgeist.samples.clock import START, Clock
from webgeist.samples.rendering import form

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from webgeist.samples.site import Site

SITES = (
    "shop",
    "magazine",
    "manual",
    "directory",
    "portfolio",
    "gallery",
    "museum",
    "boards",
    "office",
)
END = START + timedelta(days=3653)  # ten years: lists that grow daily are still quick to draw
MOST_LOGGED = 100_000  # requests: whoever serves for weeks forgets the oldest
_SOCKET_STATUS = {"websocket.accept": 101, "websocket.close": 403}  # what goes over the wire


def load_sites(clock: Clock) -> list[Site]:
    return [import_module(f"webgeist.samples.{name}").site(clock) for name in SITES]


@dataclass(slots=True)
class LoggedRequest:
    """One request as it came; `path` has the query. `status` is None until the answer begins."""

    method: str
    host: str
    path: str
    status: int | None = None


class SampleWeb:
    """The ASGI application; `sites` and `clock` are there for those who run it in their own process.

    `log` has the requests in the order of arrival, the last `MOST_LOGGED` of them.
    """

    def __init__(self, clock: Clock | None = None) -> None:
        self.clock = clock or Clock()
        self._log: deque[LoggedRequest] = deque(maxlen=MOST_LOGGED)
        self.sites = load_sites(self.clock)
        self._apps: dict[str, ASGIApp] = {}
        for site in self.sites:
            for name in (site.name, *site.aliases):
                self._apps[f"{name}.localhost"] = site.app
        self._apps["control.localhost"] = Starlette(
            routes=[Route("/clock", self._move_clock, methods=["GET", "POST"])]
        )
        self._apps["localhost"] = Starlette(routes=[Route("/", self._index)])

    @property
    def log(self) -> list[LoggedRequest]:
        """The requests so far, as a list of the caller's own; any thread may ask."""
        return list(self._log)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._apps["localhost"](scope, receive, send)
            return
        asked = _read(scope)
        self._log.append(asked)
        app = self._apps.get(asked.host) or PlainTextResponse(
            f"no sample site is called {asked.host}: localhost lists them all", status_code=404
        )
        await app(scope, receive, _noting_status(asked, send))

    async def _index(self, request: Request) -> HTMLResponse:
        port = request.url.port or 80
        rows = "".join(
            f'<li><a href="http://{site.name}.localhost:{port}/">{escape(site.title)}</a></li>'
            for site in self.sites
        )
        return HTMLResponse(
            f"<!doctype html><html lang=en><title>webgeist samples</title><h1>Sample sites</h1><ul>{rows}</ul>"
        )

    async def _move_clock(self, request: Request) -> JSONResponse:
        if request.method == "POST":
            try:
                self.clock.now = moved(self.clock.now, await form(request))
            except (ValueError, OverflowError) as error:
                raise HTTPException(400, f"the clock stays where it is: {error}") from error
        return JSONResponse({"now": self.clock.now.isoformat(), "days": self.clock.days})


def moved(now: datetime, wish: Mapping[str, str]) -> datetime:
    """The time a form asks for: `now` sets it (UTC where it names no zone), then `days` adds to it.

    A wish that cannot be read or fulfilled is a ValueError or an OverflowError.
    """
    if not wish or not wish.keys() <= {"now", "days"}:
        raise ValueError("send days=N, now=ISO time or both, as a form")
    then = datetime.fromisoformat(wish["now"]) if "now" in wish else now
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    then = then.astimezone(UTC) + timedelta(days=float(wish.get("days", "0")))
    if not START <= then <= END:
        raise ValueError(f"the sample web lives from {START} to {END}, not at {then}")
    return then


def _read(scope: Scope) -> LoggedRequest:
    host = dict(scope["headers"]).get(b"host", b"").decode("latin-1").rsplit(":", 1)[0].lower()
    path: bytes = scope["raw_path"]
    if scope["query_string"]:
        path += b"?" + scope["query_string"]
    return LoggedRequest(scope.get("method", "GET"), host, path.decode("latin-1"))


def _noting_status(asked: LoggedRequest, send: Send) -> Send:
    """`send`, which writes the answer's status into the log before the client can see it."""

    async def noting(message: Message) -> None:
        if asked.status is None:
            asked.status = message.get("status") or _SOCKET_STATUS.get(message["type"])
        await send(message)

    return noting
