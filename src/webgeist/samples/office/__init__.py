"""office.localhost: the same files behind five kinds of doors that are hard for scrapers.

`/cases` needs a sign-in with a token that counts once; `/register.aspx` is a Web Forms page, where
even a file is a POST; `/arrivals` grows by scrolling; `/late` is drawn by scripts that take their
time, the pager last; `/notices` turns its pages in place. Every list has `records.COUNTS` entries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from webgeist.samples.office import postback, scripted
from webgeist.samples.office.door import Door
from webgeist.samples.office.drawing import html
from webgeist.samples.rendering import sitemap
from webgeist.samples.site import Site

if TYPE_CHECKING:
    from starlette.requests import Request

    from webgeist.samples.clock import Clock

PAGES = (
    "/", "/register.aspx", "/arrivals", "/late", "/late?page=2", "/late?page=3", "/notices", "/rules",
)  # fmt: skip
_LINKS = ("cases", "register.aspx", "arrivals", "late", "notices", "rules")


def site(_clock: Clock) -> Site:
    routes = [
        Route("/", home),
        Route("/rules", rules),
        Route("/sitemap.xml", lambda request: sitemap(request, PAGES)),
        Route("/register.aspx", postback.answer, methods=["GET", "POST"]),
        *Door().routes(),
        *scripted.routes(),
    ]
    return Site("office", "The Records Office", Starlette(routes=routes), PAGES)


def home(_: Request) -> Response:
    links = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in _LINKS)
    return HTMLResponse(html("The Records Office", f"<ul>{links}</ul>"))


def rules(_: Request) -> Response:
    return HTMLResponse(html("Rules", "<p>Files are read in the reading room.</p>"))
