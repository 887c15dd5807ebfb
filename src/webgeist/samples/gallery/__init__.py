"""gallery.localhost: one page per browser feature, for everybody who has to render all of them.

`frames.localhost` is the same application under another site's name, for frames across sites.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.routing import Route

from webgeist.samples import assets
from webgeist.samples.gallery import live, redirects, stored
from webgeist.samples.gallery.exhibits import read_rooms
from webgeist.samples.gallery.views import Views
from webgeist.samples.rendering import static
from webgeist.samples.site import Site

if TYPE_CHECKING:
    from webgeist.samples.clock import Clock


def site(clock: Clock) -> Site:
    rooms = read_rooms()
    views = Views(rooms, clock)
    exhibits = [exhibit for room in rooms for exhibit in room.exhibits]
    routes = [
        Route("/", views.home),
        *(Route(exhibit.path, views.exhibit) for exhibit in exhibits if not exhibit.own),
        Route("/frames/frameset", views.frameset),
        Route("/xhtml", views.xhtml),
        Route("/redirects/arrived", views.arrived),
        Route("/robots.txt", views.robots),
        Route("/sitemap.xml", views.sitemap),
        *redirects.ROUTES,
        *live.ROUTES,
        *stored.ROUTES,
        static(__name__),
        assets.mount(),
    ]
    pages = ("/", *(exhibit.path for room in rooms for exhibit in room.listed))
    app = Starlette(routes=routes)
    return Site("gallery", "The Browser Gallery", app, pages=pages, aliases=("frames",))
