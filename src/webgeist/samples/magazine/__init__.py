"""magazine.localhost: a review with sections, long stories, comments, an archive and growing lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException

from webgeist.samples import assets, rendering
from webgeist.samples.magazine import stories
from webgeist.samples.magazine.archive import Archive
from webgeist.samples.magazine.frame import Frame
from webgeist.samples.magazine.views import Pages
from webgeist.samples.site import Site

if TYPE_CHECKING:
    from webgeist.samples.clock import Clock

PACKAGE = "webgeist.samples.magazine"


def site(clock: Clock) -> Site:
    renderer = rendering.Renderer(PACKAGE, slugify=stories.slugify)
    frame = Frame(clock, renderer)
    app = Starlette(
        routes=[
            *Archive(clock, frame, renderer).routes(),
            *Pages(clock, frame).routes(),
            rendering.static(PACKAGE),
            assets.mount(),
        ],
        exception_handlers={HTTPException: frame.trouble},
    )
    pages = (
        "/",
        "/section/science",
        "/section/culture/page/2",
        stories.story(stories.BEFORE_START).path,
        stories.story(114).path,
        stories.story(115).path,
        "/stream",
        "/briefs",
        "/archive/2026/02",
    )
    return Site("magazine", "The Harbour Review, a magazine", app, pages)
