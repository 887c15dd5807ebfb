"""One ASGI application for all sample sites: the Host header decides which one answers.

A site is a module with `def site(clock: Clock) -> Site`; `SITES` lists them. `control.localhost`
moves the clock for those who only have HTTP: POST /clock with `days=N` or `now=ISO time`.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse
from starlette.routing import Route

from webgeist.samples.clock import Clock
from webgeist.samples.rendering import form

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp, Receive, Scope, Send

    from webgeist.samples.site import Site

SITES = (
    "shop",
    "magazine",
    "manual",
    "directory",
    "portfolio",
    "gallery",
    "museum",
)


def load_sites(clock: Clock) -> list[Site]:
    return [import_module(f"webgeist.samples.{name}").site(clock) for name in SITES]


class SampleWeb:
    """The ASGI application; `sites` and `clock` are there for those who run it in their own process."""

    def __init__(self, clock: Clock | None = None) -> None:
        self.clock = clock or Clock()
        self.sites = load_sites(self.clock)
        self._apps: dict[str, ASGIApp] = {}
        for site in self.sites:
            for name in (site.name, *site.aliases):
                self._apps[name] = site.app
        self._apps["control"] = Starlette(
            routes=[Route("/clock", self._move_clock, methods=["GET", "POST"])]
        )
        self._apps[""] = Starlette(routes=[Route("/", self._index)])

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._apps[""](scope, receive, send)
            return
        host = dict(scope["headers"]).get(b"host", b"").decode("latin-1").rsplit(":", 1)[0]
        name = host.removesuffix("localhost").removesuffix(".")
        app = self._apps.get(name) or PlainTextResponse(
            f"no sample site is called {host}", status_code=404
        )
        await app(scope, receive, send)

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
            moved = await form(request)
            if "now" in moved:
                self.clock.now = datetime.fromisoformat(moved["now"]).astimezone(UTC)
            self.clock.advance(timedelta(days=float(moved.get("days", "0"))))
        return JSONResponse({"now": self.clock.now.isoformat(), "days": self.clock.days})
