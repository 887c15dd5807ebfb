"""The magazine's pages: front, sections, stories, tags, authors, and the two growing lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.routing import Route

from webgeist.samples.magazine import bodies, briefs, counters, stories
from webgeist.samples.magazine.frame import number_in, slice_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from webgeist.samples.clock import Clock
    from webgeist.samples.magazine.frame import Frame
    from webgeist.samples.magazine.stories import Story


class Pages:
    """The handlers for what readers come for."""

    def __init__(self, clock: Clock, frame: Frame) -> None:
        self._clock = clock
        self._frame = frame

    def routes(self) -> list[Route]:
        return [
            Route("/", self.front),
            Route("/us/", self.front),
            Route("/section/{section}", self.section),
            Route("/section/{section}/page/{page:int}", self.section),
            Route("/tag/{tag}", self.tag),
            Route("/author/{author}", self.author),
            Route("/stream", self.stream),
            Route("/api/stream", self.stream_data),
            Route("/briefs", self.briefs),
            Route("/api/briefs", self.briefs_data),
            Route("/{year:int}/{month:int}/{slug}", self.story),
            Route("/us/{year:int}/{month:int}/{slug}", self.story),
        ]

    def _stories(self) -> list[Story]:
        return stories.visible(self._clock.now)

    async def front(self, request: Request) -> Response:
        every = self._stories()
        columns = {
            name: [one for one in every[7:] if one.section == section][:4]
            for section, name in stories.SECTIONS.items()
        }
        return self._frame.page(
            request,
            "front.html",
            lead=every[0],
            seconds=every[1:3],
            others=every[3:7],
            columns=columns,
        )

    async def section(self, request: Request) -> Response:
        section = request.path_params["section"]
        if section not in stories.SECTIONS:
            raise HTTPException(404)
        chosen = [one for one in self._stories() if one.section == section]
        page = slice_of(chosen, request.path_params.get("page", 1))
        name = stories.SECTIONS[section]
        return self._frame.page(request, "section.html", page=page, section=section, name=name)

    async def tag(self, request: Request) -> Response:
        tag = request.path_params["tag"]
        chosen = [one for one in self._stories() if tag in one.tags]
        return self._list(request, f"Tagged: {tag}", chosen)

    async def author(self, request: Request) -> Response:
        slug = request.path_params["author"]
        chosen = [one for one in self._stories() if stories.slugify(one.author) == slug]
        return self._list(request, f"By {chosen[0].author}" if chosen else "", chosen)

    def _list(self, request: Request, title: str, chosen: list[Story]) -> Response:
        if not chosen:
            raise HTTPException(404)
        page = slice_of(chosen, number_in(request))
        return self._frame.page(request, "list.html", title=title, page=page)

    async def story(self, request: Request) -> Response:
        now = self._clock.now
        one = stories.find(request.path_params["slug"], now)
        if one is None or one.path != request.url.path.removeprefix("/us"):
            raise HTTPException(404)
        pages, number = bodies.pages(one, now), number_in(request)
        if number > len(pages):
            raise HTTPException(404)
        threads = bodies.comments(one, now)
        return self._frame.page(
            request,
            "story.html",
            story=one,
            parts_of_page=pages[number - 1],
            number=number,
            last=len(pages),
            threads=threads,
            comment_count=bodies.count(threads),
            views=counters.views(one, now),
            shares=counters.shares(one, now),
            updated=counters.ago(one.published, now),
            related=[
                stories.story(one.number - 6 * step) for step in (1, 2, 3) if one.number > 6 * step
            ],
            before=stories.story(one.number - 1) if one.number > 1 else None,
            after=self._after(one),
        )

    def _after(self, one: Story) -> Story | None:
        following = stories.story(one.number + 1)
        return following if following.published <= self._clock.now else None

    async def stream(self, request: Request) -> Response:
        data = briefs.stream(self._stories(), self._clock.now, 1)
        return self._frame.page(request, "stream.html", data=data)

    async def stream_data(self, request: Request) -> Response:
        data = briefs.stream(self._stories(), self._clock.now, number_in(request))
        return JSONResponse(data)

    async def briefs(self, request: Request) -> Response:
        data = briefs.briefs(self._clock.days, 1)
        return self._frame.page(request, "briefs.html", data=data)

    async def briefs_data(self, request: Request) -> Response:
        return JSONResponse(briefs.briefs(self._clock.days, number_in(request)))
