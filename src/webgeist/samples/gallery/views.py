"""Answers requests for the gallery's pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response

from webgeist.samples.prose import Prose
from webgeist.samples.rendering import Renderer, robots, sitemap

if TYPE_CHECKING:
    from starlette.requests import Request

    from webgeist.samples.clock import Clock
    from webgeist.samples.gallery.exhibits import Room


class Views:
    def __init__(self, rooms: tuple[Room, ...], clock: Clock) -> None:
        self.rooms = rooms
        self.exhibits = {exhibit.path: exhibit for room in rooms for exhibit in room.exhibits}
        self._clock, self._renderer = clock, Renderer("webgeist.samples.gallery")

    def _page(self, request: Request, template: str, **context: object) -> Response:
        shared = {"rooms": self.rooms, "clock": self._clock, "prose": Prose}
        return self._renderer.page(request, template, 200, **shared, **context)

    def home(self, request: Request) -> Response:
        return self._page(request, "home.html")

    def exhibit(self, request: Request) -> Response:
        exhibit = self.exhibits[request.url.path]
        return self._page(request, exhibit.template, exhibit=exhibit)

    def frameset(self, request: Request) -> Response:
        return self._page(request, "frames/frameset.html")

    def xhtml(self, request: Request) -> Response:
        text = self._renderer.text(request, "xhtml.xhtml")
        return Response(text, media_type="application/xhtml+xml")

    def arrived(self, request: Request) -> Response:
        way = request.query_params.get("by", "nothing")
        return self._page(request, "redirects/arrived.html", way=way)

    def robots(self, request: Request) -> Response:
        return robots(request, "/data/", "/events/stream")

    def sitemap(self, request: Request) -> Response:
        listed = (exhibit.path for room in self.rooms for exhibit in room.listed)
        return sitemap(request, ["/", *listed])
