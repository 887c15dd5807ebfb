"""The magazine's back rooms: archive, feed, robots, sitemap, and what robots shall not see."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from webgeist.samples import rendering
from webgeist.samples.magazine import months, stories
from webgeist.samples.prose import Prose

if TYPE_CHECKING:
    from starlette.requests import Request

    from webgeist.samples.clock import Clock
    from webgeist.samples.magazine.frame import Frame
    from webgeist.samples.rendering import Renderer


class Archive:
    """Handlers for readers who look for something old, and for machines."""

    def __init__(self, clock: Clock, frame: Frame, renderer: Renderer) -> None:
        self._clock = clock
        self._frame = frame
        self._renderer = renderer

    def routes(self) -> list[Route]:
        return [
            Route("/archive", self.index),
            Route("/archive/{year:int}/{month:int}", self.month),
            Route("/archive/{year:int}/{month:int}/{day:int}", self.day),
            Route("/about", self.about),
            Route("/private/", self.private),
            Route("/private/drafts", self.private),
            Route("/feed.xml", self.feed),
            Route("/robots.txt", self.robots),
            Route("/sitemap.xml", self.sitemap),
        ]

    def _stories(self) -> list[stories.Story]:
        return stories.visible(self._clock.now)

    async def index(self, request: Request) -> Response:
        every = self._stories()
        sheets = [sheet for month in months.months(every) if (sheet := months.sheet(every, month))]
        return self._frame.page(request, "archive.html", sheets=sheets, date=date)

    async def month(self, request: Request) -> Response:
        wanted = request.path_params["year"], request.path_params["month"]
        sheet = months.sheet(self._stories(), wanted)
        if sheet is None:
            raise HTTPException(404)
        return self._frame.page(request, "month.html", sheet=sheet, date=date)

    async def day(self, request: Request) -> Response:
        wanted = tuple(request.path_params[part] for part in ("year", "month", "day"))
        chosen = [
            one
            for one in self._stories()
            if (one.published.year, one.published.month, one.published.day) == wanted
        ]
        if not chosen:
            raise HTTPException(404)
        return self._frame.page(request, "day.html", chosen=chosen, day=chosen[0].published)

    async def about(self, request: Request) -> Response:
        prose = Prose("about the review")
        paragraphs = [prose.paragraph(4) for _ in range(4)]
        people = [(name, stories.slugify(name)) for name in stories.AUTHORS]
        return self._frame.page(request, "about.html", paragraphs=paragraphs, people=people)

    async def private(self, request: Request) -> Response:
        prose = Prose("drafts")
        drafts = [prose.title(6) for _ in range(8)]
        return self._frame.page(request, "private.html", drafts=drafts)

    async def feed(self, request: Request) -> Response:
        text = self._renderer.text(request, "feed.xml", stories=self._stories()[:20])
        return Response(text, media_type="application/rss+xml")

    async def robots(self, request: Request) -> Response:
        return rendering.robots(request, "/private/")

    async def sitemap(self, request: Request) -> Response:
        every = self._stories()
        paths = ["/", "/stream", "/briefs", "/archive", "/about"]
        paths += [f"/section/{section}" for section in stories.SECTIONS]
        paths += [f"/archive/{year}/{month:02}" for year, month in months.months(every)]
        return rendering.sitemap(request, paths + [one.path for one in every])
