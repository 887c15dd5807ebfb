"""What stands around every page of the magazine, in the look of the day, and how lists are cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException

from webgeist.samples.magazine import counters, stories
from webgeist.samples.shop.ads import advertisement

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from webgeist.samples.clock import Clock
    from webgeist.samples.magazine.stories import Story
    from webgeist.samples.rendering import Renderer

REDESIGN_ON_DAY = 10
PER_PAGE = 8


@dataclass(frozen=True)
class Slice:
    """One page of a list of stories; the first has the newest."""

    stories: list[Story]
    number: int
    last: int


def slice_of(every: list[Story], number: int) -> Slice:
    last = max(1, -(-len(every) // PER_PAGE))
    if not 1 <= number <= last:
        raise HTTPException(404)
    return Slice(every[(number - 1) * PER_PAGE : number * PER_PAGE], number, last)


def number_in(request: Request) -> int:
    """The page number in the query; what is none has no page."""
    text = request.query_params.get("page", "1")
    if not text.isdecimal() or int(text) < 1:
        raise HTTPException(404)
    return int(text)


class Frame:
    """Header, menu, sidebar and footer; from day 10 on in a new design around the same content."""

    def __init__(self, clock: Clock, renderer: Renderer) -> None:
        self._clock = clock
        self._renderer = renderer

    def page(
        self, request: Request, template: str, status: int = 200, **context: object
    ) -> Response:
        now, day = self._clock.now, self._clock.days
        every = stories.visible(now)
        american = request.url.path.startswith("/us/")
        return self._renderer.page(
            request,
            template,
            status,
            look=2 if day >= REDESIGN_ON_DAY else 1,
            sections=stories.SECTIONS,
            tags=stories.TAGS.split(),
            ad=advertisement("magazine", day),
            today=f"{now:%A, %-d %B %Y}",
            year=now.year,
            fresh=counters.ago(every[0].published, now),
            most_read=counters.most_read(every, now),
            edition="us" if american else "gb",
            plain_path=request.url.path.removeprefix("/us") if american else request.url.path,
            ago=lambda one: counters.ago(one.published, now),
            **context,
        )

    async def trouble(self, request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        return self.page(request, "trouble.html", status, code=status)
