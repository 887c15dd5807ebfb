"""boards.localhost: seven lists to scrape, which fail when they are told to.

Ads, rides, a feed, foundations, and restaurants with menus, features and reviews; what changes in a
week is in `world`, what can go wrong in `trouble`.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from webgeist.samples.boards import world
from webgeist.samples.boards.trouble import Trouble
from webgeist.samples.rendering import form, sitemap
from webgeist.samples.site import Site

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.requests import Request

    from webgeist.samples.clock import Clock

PAGES = (
    "/", "/ads", "/rides", "/feed", "/foundations", "/restaurants", "/restaurants/1",
    "/restaurants/1/menus/Lunch", "/restaurants/1/reviews",
)  # fmt: skip
_STYLE = "<style>body{font:1rem/1.5 sans-serif;max-width:50rem;margin:2rem auto}li{margin:.5rem 0}</style>"


def site(clock: Clock) -> Site:
    trouble = Trouble()
    boards = Boards(clock, trouble)
    app = Starlette(routes=[*boards.routes()])
    app.state.trouble = trouble
    return Site("boards", "The Boards", app, PAGES)


class Boards:
    """Answers requests for pages of the boards."""

    def __init__(self, clock: Clock, trouble: Trouble) -> None:
        self._clock = clock
        self._trouble = trouble

    def routes(self) -> list[Route]:
        pages: dict[str, Callable[[Request], str]] = {
            "/": self.home,
            "/ads": self.ads,
            "/ads/{number:int}": lambda request: _detail("ad", request),
            "/rides": self.rides,
            "/drivers/{number:int}": lambda request: _detail("driver", request),
            "/feed": self.feed,
            "/foundations": self.foundations,
            "/foundations/{number:int}": lambda request: _detail("foundation", request),
            "/restaurants": self.restaurants,
            "/restaurants/{number:int}": self.restaurant,
            "/restaurants/{number:int}/menus/{menu}": self.menu,
            "/restaurants/{number:int}/reviews": self.reviews,
        }
        found = [Route(path, self._page(draw)) for path, draw in pages.items()]
        control = Route("/control", self.control, methods=["GET", "POST"])
        return [*found, control, Route("/sitemap.xml", lambda request: sitemap(request, PAGES))]

    def _page(self, draw: Callable[[Request], str]) -> Callable[[Request], Response]:
        def answer(request: Request) -> Response:
            return self._trouble.answer() or HTMLResponse(draw(request))

        return answer

    async def control(self, request: Request) -> Response:
        if request.method == "POST":
            try:
                self._trouble.plan(await form(request))
            except ValueError as error:
                raise HTTPException(400, str(error)) from error
        return JSONResponse(vars(self._trouble))

    # --- pages ---------------------------------------------------------------------------------

    def home(self, _: Request) -> str:
        names = ("ads", "rides", "feed", "foundations", "restaurants")
        links = "".join(f'<li><a href="/{name}">{name.title()}</a></li>' for name in names)
        return _html("The Boards", f"<ul>{links}</ul>")

    def ads(self, request: Request) -> str:
        numbers = world.ads(self._clock.days, self._trouble.push())
        return _listed("Ads", request, numbers, 12, lambda n: _item("ads", "ad", n))

    def rides(self, request: Request) -> str:
        def draw(ride: int) -> str:
            found, who = world.thing("ride", ride), world.driver(ride)
            return (
                f'<li class="ride"><b>{escape(found.title)}</b> <span class="place">{found.place}</span> '
                f'<a href="/drivers/{who}">Driver {who}</a></li>'
            )

        return _listed("Rides", request, world.rides(self._clock.days), 20, draw)

    def feed(self, request: Request) -> str:
        def draw(post: int) -> str:
            found = world.thing("post", post)
            return f'<li class="post" id="post{post}"><b>{escape(found.title)}</b> <p>{escape(found.text)}</p></li>'

        return _listed("Feed", request, world.posts(self._clock.days), 25, draw)

    def foundations(self, request: Request) -> str:
        numbers = world.foundations(self._clock.days)
        return _listed(
            "Foundations", request, numbers, 15, lambda n: _item("foundations", "foundation", n)
        )

    def restaurants(self, request: Request) -> str:
        numbers = world.restaurants(self._clock.days)
        return _listed(
            "Restaurants", request, numbers, 10, lambda n: _item("restaurants", "restaurant", n)
        )

    def restaurant(self, request: Request) -> str:
        number = self._restaurant(request)
        found = world.thing("restaurant", number)
        features = "".join(
            f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in world.features(number)
        )
        links = "".join(
            f'<li class="menu"><a href="/restaurants/{number}/menus/{menu}">{menu}</a></li>'
            for menu in world.menus(number)
        )
        return _html(
            found.title,
            f'<p>{found.place}</p><table class="features">{features}</table><ul>{links}</ul>'
            f'<a class="reviews" href="/restaurants/{number}/reviews">Reviews</a>',
        )

    def menu(self, request: Request) -> str:
        number, menu = self._restaurant(request), request.path_params["menu"]
        if menu not in world.menus(number):
            raise HTTPException(404)
        rows = "".join(
            f'<tr class="dish"><td>{escape(dish)}</td><td>{price}</td></tr>'
            for dish, price in world.dishes(number, menu, self._clock.days)
        )
        return _html(menu, f"<table><tr><th>Dish</th><th>Price</th></tr>{rows}</table>")

    def reviews(self, request: Request) -> str:
        number = self._restaurant(request)

        def draw(review: int) -> str:
            found = world.thing(f"review {number}", review)
            return f'<li class="review" id="review{review}"><b>{found.price % 5 + 1} stars</b> <p>{escape(found.text)}</p></li>'

        return _listed("Reviews", request, world.reviews(number, self._clock.days), 10, draw)

    def _restaurant(self, request: Request) -> int:
        number: int = request.path_params["number"]
        if number not in world.restaurants(self._clock.days):
            raise HTTPException(404)
        return number


def _detail(kind: str, request: Request) -> str:
    found = world.thing(kind, request.path_params["number"])
    return _html(
        found.title,
        f'<p class="text">{escape(found.text)}</p><dl><dt>Place</dt><dd>{found.place}</dd>'
        f"<dt>Price</dt><dd>{found.price}</dd></dl>",
    )


def _item(path: str, kind: str, number: int) -> str:
    found = world.thing(kind, number)
    return f'<li class="item"><a href="/{path}/{number}">{escape(found.title)}</a> <span>{found.place}</span></li>'


def _listed(
    title: str, request: Request, numbers: Sequence[int], size: int, draw: Callable[[int], str]
) -> str:
    wanted = request.query_params.get("page", "1")
    page, pages = int(wanted) if wanted.isdecimal() else 0, max(1, -(-len(numbers) // size))
    if not 1 <= page <= pages:
        raise HTTPException(404)
    shown = "".join(map(draw, numbers[(page - 1) * size : page * size]))
    older = f'<a rel="next" href="?page={page + 1}">Older</a>' if page < pages else ""
    return _html(title, f"<ul>{shown}</ul><p>Page {page} of {pages} {older}</p>")


def _html(title: str, body: str) -> str:
    safe = escape(title)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{safe}</title>{_STYLE}</head>'
        f"<body><h1>{safe}</h1>{body}</body></html>"
    )
