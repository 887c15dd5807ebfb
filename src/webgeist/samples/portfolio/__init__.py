"""portfolio.localhost: a design studio that does everything a browser allows.

It is the sample for unusual looks: a page ten times wider than high, type of 120 pixels, overlays,
blend modes, clip paths, canvas, cursors, animations that end and some that never do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.routing import Route

from webgeist.samples import assets
from webgeist.samples.portfolio.projects import PROJECTS
from webgeist.samples.portfolio.views import PLAIN, Views
from webgeist.samples.rendering import static
from webgeist.samples.site import Site

if TYPE_CHECKING:
    from webgeist.samples.clock import Clock

PAGES = (*PLAIN, "/find", PROJECTS[0].path, PROJECTS[1].path)


def site(clock: Clock) -> Site:
    views = Views(clock)
    routes = [
        *(Route(path, views.plain) for path in PLAIN),
        Route("/work/{slug}", views.work),
        Route("/find", views.find),
        Route("/robots.txt", views.robots),
        Route("/sitemap.xml", views.sitemap),
        static(__name__),
        assets.mount(),
    ]
    return Site("portfolio", "Studio Ostinato", Starlette(routes=routes), pages=PAGES)
