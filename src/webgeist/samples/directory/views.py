"""Answers requests for pages of the register."""

from __future__ import annotations

from string import ascii_uppercase
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import Response

from webgeist.samples.directory.lists import Filter, cut
from webgeist.samples.directory.maps import draw_map
from webgeist.samples.directory.organisations import REGIONS
from webgeist.samples.directory.viewstate import BadStateError, State, pager, post_back, write_state
from webgeist.samples.rendering import Renderer, form, robots, sitemap

if TYPE_CHECKING:
    from starlette.requests import Request

    from webgeist.samples.clock import Clock
    from webgeist.samples.directory.lists import Slice
    from webgeist.samples.directory.organisations import Organisation

LIST = "/organisations"
GRID_SIZE = 10


class Views:
    def __init__(self, everything: tuple[Organisation, ...], clock: Clock) -> None:
        self.everything = everything
        self.by_path = {entry.path: entry for entry in everything}
        letters = {entry.letter for entry in everything}
        self._shared = {
            "regions": REGIONS,
            "clock": clock,
            "count": len(everything),
            "alphabet": [(letter, letter in letters) for letter in ascii_uppercase],
        }
        self._renderer = Renderer("webgeist.samples.directory")

    def _page(
        self, request: Request, template: str, status: int = 200, **context: object
    ) -> Response:
        return self._renderer.page(request, template, status, **self._shared, **context)

    def home(self, request: Request) -> Response:
        newest = sorted(self.everything, key=lambda entry: entry.founded, reverse=True)[:6]
        sizes = {region: len(Filter(region=region).of(self.everything)) for region in REGIONS}
        return self._page(request, "home.html", newest=newest, sizes=sizes)

    def about(self, request: Request) -> Response:
        return self._page(request, "about.html")

    def organisations(self, request: Request) -> Response:
        query = request.query_params
        wanted = Filter(query.get("q", ""), query.get("region", ""), query.get("letter", ""))
        number = query.get("page", "1")
        part = cut(wanted.of(self.everything), int(number) if number.isdecimal() else 0)
        if part is None:
            raise HTTPException(404)
        return self._page(
            request,
            "organisations.html",
            wanted=wanted,
            part=part,
            link=lambda page: wanted.link(LIST, page),
            region_link=lambda region: Filter(wanted.words, region, wanted.letter).link(LIST),
            letter_link=lambda letter: Filter(wanted.words, wanted.region, letter).link(LIST),
        )

    def _found(self, request: Request) -> Organisation:
        entry = self.by_path.get(f"{LIST}/{request.path_params['slug']}")
        if entry is None:
            raise HTTPException(404)
        return entry

    def organisation(self, request: Request) -> Response:
        entry = self._found(request)
        near = [other for other in self.everything if other.place == entry.place and other != entry]
        return self._page(request, "organisation.html", entry=entry, near=near[:4], errors={})

    def map(self, request: Request) -> Response:
        return Response(draw_map(self._found(request).slug), media_type="image/png")

    async def contact(self, request: Request) -> Response:
        entry, fields = self._found(request), await form(request)
        errors = {
            name: "Please fill this in."
            for name in ("name", "email", "message")
            if not fields.get(name)
        }
        if errors:
            return self._page(
                request, "organisation.html", status=422, entry=entry, near=[], errors=errors
            )
        return self._page(request, "sent.html", entry=entry, sender=fields["name"])

    async def search_aspx(self, request: Request) -> Response:
        """The same search as a Web Forms page: state in the form, every click a POST."""
        try:
            state = post_back(await form(request)) if request.method == "POST" else State()
        except BadStateError as error:
            return self._page(request, "bad_state.html", status=500, reason=str(error))
        part = self._grid(state)
        return self._page(
            request,
            "search_aspx.html",
            state=state,
            part=part,
            viewstate=write_state(state),
            pager=pager(part.page, part.pages),
        )

    def _grid(self, state: State) -> Slice:
        entries = Filter(state.words, state.region).of(self.everything)
        keys = {
            "Name": lambda entry: (0, entry.name),
            "Place": lambda entry: (0, f"{entry.place} {entry.name}"),
            "Members": lambda entry: (-entry.members, entry.name),
        }
        entries.sort(key=keys[state.sort])
        part = cut(entries, state.page, GRID_SIZE)
        if part is None:
            raise HTTPException(404)
        return part

    def robots(self, request: Request) -> Response:
        return robots(request, "/organisations/*/contact")

    def sitemap(self, request: Request) -> Response:
        return sitemap(request, ["/", "/about", LIST, "/search.aspx", *self.by_path])
