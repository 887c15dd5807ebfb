"""shop.localhost: a furnishing shop with departments, numbered pages, reviews, basket and sign-in.

The same application answers ads.localhost, whose banners stand on pages of this and other sites.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException

from webgeist.samples import assets, rendering
from webgeist.samples.shop import ads, catalogue
from webgeist.samples.shop.account import Counter
from webgeist.samples.shop.categories import CATEGORIES
from webgeist.samples.shop.views import Shop
from webgeist.samples.site import Site

if TYPE_CHECKING:
    from webgeist.samples.clock import Clock

PACKAGE = "webgeist.samples.shop"


def money(cents: int) -> str:
    return f"€{cents / 100:,.2f}"


def site(clock: Clock) -> Site:
    renderer = rendering.Renderer(PACKAGE, money=money)
    shop = Shop(clock, renderer)
    app = Starlette(
        routes=[
            *shop.routes(),
            *Counter(clock, shop).routes(),
            *ads.routes(clock, renderer),
            rendering.static(PACKAGE),
            assets.mount(),
        ],
        exception_handlers={HTTPException: shop.trouble},
    )
    kitchen, lighting = CATEGORIES[:2]
    pages = (
        "/",
        "/c/kitchen",
        "/c/kitchen?page=3",
        "/c/furniture?sort=price",
        catalogue.product(kitchen, 6).path,
        catalogue.product(lighting, 8).path,
        "/search?q=lamp",
        "/login",
        "/info/about",
    )
    return Site("shop", "Harbour & Hearth, a shop", app, pages, aliases=("ads",))
