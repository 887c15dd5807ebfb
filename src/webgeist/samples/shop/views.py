"""The shop's public pages: home, departments, products, search and a few of words only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, RedirectResponse
from starlette.routing import Route

from webgeist.samples import rendering
from webgeist.samples.prose import Prose
from webgeist.samples.shop import basket, catalogue, listing, paging, reviews
from webgeist.samples.shop.ads import advertisement
from webgeist.samples.shop.categories import BY_SLUG, CATEGORIES, Category

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from webgeist.samples.clock import Clock
    from webgeist.samples.rendering import Renderer
    from webgeist.samples.shop.catalogue import Offer

NOTES = {
    "about": "About Harbour & Hearth",
    "delivery": "Delivery",
    "returns": "Returns",
    "care": "Care and repair",
    "contact": "Contact",
    "terms": "Terms of sale",
    "privacy": "Privacy",
}
CAMPAIGNS = (
    ("Things that last longer than fashions", "Made by 140 small workshops. Kept for generations."),
    ("The spring table", "Bowls, linen and light for the first long evenings."),
    ("A desk of one's own", "Paper, brass and leather for work worth doing."),
    ("Out of doors again", "Teak, terracotta and a fire for when it gets cold."),
)


class Shop:
    """The pages' handlers. Everything they show follows from the clock and the request."""

    def __init__(self, clock: Clock, renderer: Renderer) -> None:
        self._clock = clock
        self._renderer = renderer

    def routes(self) -> list[Route]:
        return [
            Route("/", self.home),
            Route("/c/{slug}", self.category),
            Route("/p/{slug}", self.product),
            Route("/api/reviews/{slug}", self.reviews),
            Route("/search", self.search),
            Route("/info/{name}", self.note),
            Route("/newsletter", self.newsletter, methods=["POST"]),
            Route("/newsletter/thanks", self.thanks),
            Route("/robots.txt", self.robots),
            Route("/sitemap.xml", self.sitemap),
        ]

    def page(
        self, request: Request, template: str, status: int = 200, **context: object
    ) -> Response:
        """A page with what all of them show: departments, basket, advertisement, cookie banner."""
        return self._renderer.page(
            request,
            template,
            status,
            categories=CATEGORIES,
            notes=NOTES,
            day=self._clock.days,
            year=self._clock.now.year,
            ad=advertisement("inline", self._clock.days),
            basket_size=sum(basket.read(request).values()),
            signed_in=basket.user(request),
            consent="consent" in request.cookies,
            hours=self._clock.now.hour,
            **context,
        )

    async def home(self, request: Request) -> Response:
        day = self._clock.days
        campaign = CAMPAIGNS[day // 7 % len(CAMPAIGNS)]
        featured = catalogue.featured(day)
        return self.page(request, "home.html", campaign=campaign, week=day // 7, featured=featured)

    async def category(self, request: Request) -> Response:
        category = BY_SLUG.get(request.path_params["slug"])
        if category is None:
            raise HTTPException(404)
        offers = catalogue.offers(category, self._clock.days)
        return self._list(request, "category.html", offers, category)

    async def search(self, request: Request) -> Response:
        offers = catalogue.search(request.query_params.get("q", ""), self._clock.days)
        return self._list(request, "search.html", offers, None)

    def _list(
        self, request: Request, template: str, offers: list[Offer], category: Category | None
    ) -> Response:
        wanted = listing.wish(request.url.path, request.query_params)
        page = paging.page(listing.apply(wanted, offers), wanted.number, wanted.size)
        if page is None:
            raise HTTPException(404)
        return self.page(
            request,
            template,
            category=category,
            wish=wanted,
            page=page,
            sorts=listing.SORTS,
            sizes=listing.SIZES,
            bands=listing.BAND_NAMES,
            materials=sorted({one.product.material for one in offers}),
        )

    async def product(self, request: Request) -> Response:
        one = self._find(request)
        day = self._clock.days
        return self.page(
            request,
            "product.html",
            offer=one,
            item=one.product,
            reviews=reviews.page(one.product, day, 1),
            related=catalogue.related(one.product, day),
        )

    async def reviews(self, request: Request) -> Response:
        number = request.query_params.get("page", "1")
        if not number.isdecimal() or int(number) < 1:
            raise HTTPException(404)
        item = self._find(request).product
        return JSONResponse(reviews.page(item, self._clock.days, int(number)))

    def _find(self, request: Request) -> Offer:
        one = catalogue.find(request.path_params["slug"], self._clock.days)
        if one is None:
            raise HTTPException(404)
        return one

    async def note(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in NOTES:
            raise HTTPException(404)
        prose = Prose(f"note {name}")
        parts = [(prose.title(3), prose.paragraph(4), prose.paragraph(3)) for _ in range(4)]
        return self.page(request, "note.html", name=name, title=NOTES[name], parts=parts)

    async def newsletter(self, request: Request) -> Response:
        fields = await rendering.form(request)
        if "@" not in fields.get("email", ""):
            raise HTTPException(400)
        return RedirectResponse("/newsletter/thanks", 303)

    async def thanks(self, request: Request) -> Response:
        return self.page(request, "thanks.html")

    async def robots(self, request: Request) -> Response:
        return rendering.robots(request, "/account", "/cart")

    async def sitemap(self, request: Request) -> Response:
        products = [one.product.path for one in catalogue.everything(self._clock.days)]
        departments = [f"/c/{category.slug}" for category in CATEGORIES]
        notes = [f"/info/{name}" for name in NOTES]
        return rendering.sitemap(request, ["/", *departments, *notes, *products])

    async def trouble(self, request: Request, error: Exception) -> Response:
        """The page for an HTTPException: it has the shop's frame, as such pages do."""
        status = error.status_code if isinstance(error, HTTPException) else 500
        return self.page(request, "trouble.html", status, code=status)
