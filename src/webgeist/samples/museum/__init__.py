"""museum.localhost: nasty pages, each with one sentence on what is nasty and what a client should do.

`EXHIBITS` lists them all; the routes, the home page and the fault tests are driven by it. Nasty
servers below HTTP are in `webgeist.samples.museum.servers`.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from webgeist.samples.museum import (
    answers,
    hostile,
    loading,
    redirects,
    refusals,
    robots,
    scripts,
    sitemaps,
    sizes,
    texts,
    traps,
)
from webgeist.samples.museum.exhibit import Exhibit, Hall, html
from webgeist.samples.site import Site

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request

    from webgeist.samples.clock import Clock
    from webgeist.samples.museum.exhibit import Answer

__all__ = ["EXHIBITS", "HALLS", "Exhibit", "Hall", "site"]

HALLS: tuple[Hall, ...] = (
    answers.HALL,
    refusals.HALL,
    redirects.HALL,
    scripts.HALL,
    hostile.HALL,
    loading.HALL,
    sizes.HALL,
    texts.HALL,
    traps.HALL,
    sitemaps.HALL,
    robots.HALL,
)
EXHIBITS: tuple[Exhibit, ...] = tuple(exhibit for hall in HALLS for exhibit in hall.exhibits)

_STYLE = "<style>body{font:1rem/1.5 sans-serif;max-width:60rem;margin:2rem auto}dt{margin-top:.8rem}code{color:#666}</style>"


def site(clock: Clock) -> Site:  # noqa: ARG001 (every site takes the clock; nastiness has no date)
    routes = [Route("/", _home)]
    for hall in HALLS:
        routes += [
            Route(exhibit.route, _endpoint(exhibit.answer))
            for exhibit in hall.exhibits
            if exhibit.kind != "robots"
        ]
    more = [route for hall in HALLS for route in hall.routes]
    return Site(
        "museum", "Museum of nasty pages", Starlette(routes=[*routes, *more]), aliases=robots.HOSTS
    )


def _endpoint(answer: Answer) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        return answer(request)

    return endpoint


async def _home(request: Request) -> Response:
    if robots.host_of(request) in robots.HOSTS:
        return robots.front(request)
    port = f":{request.url.port}" if request.url.port else ""
    return HTMLResponse(html("Museum of nasty pages", _catalogue(port), _STYLE))


def _catalogue(port: str) -> str:
    halls = "".join(
        f"<h2>{escape(hall.title)}</h2><dl>{_entries(hall, port)}</dl>" for hall in HALLS
    )
    return f"<h1>Museum of nasty pages</h1><p>{len(EXHIBITS)} exhibits. Mind the traps.</p>{halls}"


def _entries(hall: Hall, port: str) -> str:
    return "".join(
        f'<dt><a href="{escape(_address(exhibit, port))}">{escape(exhibit.title)}</a> <code>{exhibit.kind}</code></dt>'
        f"<dd>Nasty: {escape(exhibit.nastiness)}. Expected: {escape(exhibit.expected)}.</dd>"
        for exhibit in hall.exhibits
    )


def _address(exhibit: Exhibit, port: str) -> str:
    """Exhibits of this host by path, those of other hosts in full."""
    return (
        exhibit.path
        if exhibit.host == "museum"
        else f"http://{exhibit.host}.localhost{port}{exhibit.path}"
    )
