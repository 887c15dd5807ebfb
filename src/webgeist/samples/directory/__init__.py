"""directory.localhost: a public register of 120 organisations.

It is the sample for lists: pages by ?page=N, letters, regions, detail pages, and at /search.aspx
the same list behind postbacks, where the next page has no address of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.routing import Route

from webgeist.samples import assets
from webgeist.samples.directory.organisations import organisations
from webgeist.samples.directory.views import Views
from webgeist.samples.rendering import static
from webgeist.samples.site import Site

if TYPE_CHECKING:
    from webgeist.samples.clock import Clock


def site(clock: Clock) -> Site:
    everything = organisations()
    views = Views(everything, clock)
    routes = [
        Route("/", views.home),
        Route("/about", views.about),
        Route("/organisations", views.organisations),
        Route("/organisations/{slug}", views.organisation),
        Route("/organisations/{slug}/contact", views.contact, methods=["POST"]),
        Route("/map/{slug}.png", views.map),
        Route("/search.aspx", views.search_aspx, methods=["GET", "POST"]),
        Route("/robots.txt", views.robots),
        Route("/sitemap.xml", views.sitemap),
        static(__name__),
        assets.mount(),
    ]
    pages = (
        "/",
        "/organisations",
        "/organisations?page=2",
        "/organisations?page=6",
        "/organisations?letter=K",
        "/organisations?region=Coast",
        everything[0].path,
        everything[-1].path,
        "/search.aspx",
        "/about",
    )
    return Site("directory", "The Civic Register", Starlette(routes=routes), pages=pages)
