"""Answers requests for pages of the portfolio."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException

from webgeist.samples.portfolio.projects import PROJECTS
from webgeist.samples.prose import Prose
from webgeist.samples.rendering import Renderer, robots, sitemap

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from webgeist.samples.clock import Clock

# Address and menu text of the pages that are one template each.
PLAIN = {
    "/": "Ostinato",
    "/reel": "Reel",
    "/canvas": "Canvas",
    "/cursors": "Cursors",
    "/night": "Night",
    "/atlas": "Atlas",
    "/motion": "Motion",
    "/grid": "Grid",
    "/depth": "Depth",
    "/contact": "Contact",
}


class Views:
    def __init__(self, clock: Clock) -> None:
        self._clock, self._renderer = clock, Renderer("webgeist.samples.portfolio")

    def _page(self, request: Request, template: str, **context: object) -> Response:
        shared = {"projects": PROJECTS, "menu": PLAIN, "clock": self._clock, "prose": Prose}
        return self._renderer.page(request, template, 200, **shared, **context)

    def plain(self, request: Request) -> Response:
        name = request.url.path.strip("/") or "home"
        return self._page(request, f"{name}.html", title=PLAIN[request.url.path])

    def work(self, request: Request) -> Response:
        slug = request.path_params["slug"]
        place = next((n for n, entry in enumerate(PROJECTS) if entry.slug == slug), None)
        if place is None:
            raise HTTPException(404)
        project, following = PROJECTS[place], PROJECTS[(place + 1) % len(PROJECTS)]
        return self._page(
            request,
            "work.html",
            title=project.title,
            project=project,
            following=following,
        )

    def find(self, request: Request) -> Response:
        """A search engine's front page; with ?q= its results."""
        words = request.query_params.get("q", "").strip().lower()
        hits = [p for p in PROJECTS if words and words in f"{p.title} {p.kind} {p.line}".lower()]
        return self._page(request, "find.html", title="Find", words=words, hits=hits)

    def robots(self, request: Request) -> Response:
        return robots(request)

    def sitemap(self, request: Request) -> Response:
        return sitemap(request, [*PLAIN, "/find", *(project.path for project in PROJECTS)])
