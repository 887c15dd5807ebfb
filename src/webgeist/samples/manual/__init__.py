"""manual.localhost: documentation of an invented product, three manuals under one host.

It is the sample for menus: every page has the global menu, the pages of a manual share its main
menu, the chapters of a section share a local one; /about and /licence belong to no manual.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.routing import Route

from webgeist.samples import assets
from webgeist.samples.manual.outline import read_manuals
from webgeist.samples.manual.views import Views
from webgeist.samples.rendering import static
from webgeist.samples.site import Site

if TYPE_CHECKING:
    from webgeist.samples.clock import Clock

PAGES = (
    "/",
    "/about",
    "/engine/",
    "/engine/start/your-first-pipeline",
    "/engine/operations/settings",
    "/engine/index",
    "/toolkit/",
    "/toolkit/testing/unit-tests",
    "/cookbook/",
    "/cookbook/cleaning/removing-duplicates",
)


def site(clock: Clock) -> Site:
    views = Views(read_manuals(), clock)
    routes = [
        Route("/", views.home),
        Route("/search", views.search),
        Route("/robots.txt", views.robots),
        Route("/sitemap.xml", views.sitemap),
        Route("/{page:str}", views.plain),
        static(__name__),
        assets.mount(),
        Route("/{manual}/", views.manual),
        Route("/{manual}/index", views.index),
        Route("/{manual}/{section}/", views.section),
        Route("/{manual}/{section}/{chapter}", views.chapter),
    ]
    return Site("manual", "Meridian documentation", Starlette(routes=routes), pages=PAGES)
