"""Answers requests for pages of the manuals."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from starlette.exceptions import HTTPException

from webgeist.samples.manual.chapters import write
from webgeist.samples.rendering import Renderer, robots, sitemap

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from webgeist.samples.clock import Clock
    from webgeist.samples.manual.outline import Chapter, Manual, Section

T = TypeVar("T")

PLAIN = {"about": "About the project", "licence": "Licence"}


class Views:
    def __init__(self, manuals: tuple[Manual, ...], clock: Clock) -> None:
        self.manuals = {manual.slug: manual for manual in manuals}
        self.sections = {section.path: section for m in manuals for section in m.sections}
        self.chapters = {chapter.path: chapter for m in manuals for chapter in m.chapters}
        self._clock, self._renderer = clock, Renderer("webgeist.samples.manual")

    def _page(self, request: Request, template: str, **context: object) -> Response:
        shared = {"manuals": self.manuals.values(), "clock": self._clock}
        return self._renderer.page(request, template, 200, **shared, **context)

    def _manual(self, request: Request) -> Manual:
        return _found(self.manuals, request.path_params["manual"])

    def home(self, request: Request) -> Response:
        return self._page(request, "home.html")

    def plain(self, request: Request) -> Response:
        name = request.path_params["page"]
        return self._page(request, f"{name}.html", title=_found(PLAIN, name))

    def manual(self, request: Request) -> Response:
        return self._page(request, "manual.html", manual=self._manual(request))

    def section(self, request: Request) -> Response:
        section = _found(self.sections, request.url.path)
        return self._page(request, "section.html", manual=self._manual(request), section=section)

    def chapter(self, request: Request) -> Response:
        manual, chapter = self._manual(request), _found(self.chapters, request.url.path)
        place = manual.chapters.index(chapter)
        return self._page(
            request,
            "chapter.html",
            manual=manual,
            section=_section_of(manual, chapter),
            chapter=chapter,
            topics=write(chapter),
            previous=manual.chapters[place - 1] if place else None,
            following=manual.chapters[place + 1] if place + 1 < len(manual.chapters) else None,
        )

    def index(self, request: Request) -> Response:
        manual = self._manual(request)
        return self._page(request, "index.html", manual=manual, letters=_letters(manual))

    def search(self, request: Request) -> Response:
        words = request.query_params.get("q", "").strip()
        hits = [
            chapter
            for chapter in self.chapters.values()
            if words and words.lower() in f"{chapter.title} {chapter.lead}".lower()
        ]
        return self._page(request, "search.html", words=words, hits=hits)

    def robots(self, request: Request) -> Response:
        return robots(request, "/search")

    def sitemap(self, request: Request) -> Response:
        paths = ["/", *(f"/{name}" for name in PLAIN)]
        paths += [path for manual in self.manuals.values() for path in manual.paths]
        return sitemap(request, paths)


def _found(things: dict[str, T], key: str) -> T:
    if key not in things:
        raise HTTPException(404)
    return things[key]


def _section_of(manual: Manual, chapter: Chapter) -> Section:
    return next(section for section in manual.sections if chapter in section.chapters)


def _letters(manual: Manual) -> dict[str, list[tuple[str, str]]]:
    """Every topic and chapter under its first letter, with its address."""
    entries = {(chapter.title, chapter.path) for chapter in manual.chapters}
    for chapter in manual.chapters:
        topics = ((t.heading, f"{chapter.path}#{t.anchor}") for t in write(chapter))
        entries.update(topics)
    letters: dict[str, list[tuple[str, str]]] = {}
    for title, path in sorted(entries, key=lambda entry: (entry[0].lower(), entry[1])):
        letters.setdefault(title[0].upper(), []).append((title, path))
    return letters
