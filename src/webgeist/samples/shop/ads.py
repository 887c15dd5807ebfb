"""The advertising network: one advertisement per slot and day, as banners and as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.routing import Route

from webgeist.samples.prose import Prose

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from webgeist.samples.clock import Clock
    from webgeist.samples.rendering import Renderer

SLOTS = {"leaderboard": (728, 90), "rectangle": (300, 250), "story": (970, 120)}


@dataclass(frozen=True)
class Advertisement:
    sponsor: str
    line: str
    call: str
    picture: str
    hue: int


def advertisement(slot: str, day: int) -> Advertisement:
    prose = Prose(f"ad {slot} {day}")
    return Advertisement(
        sponsor=prose.company(),
        line=f"{prose.title(2)}. {prose.title(2)}. Every day.",
        call=prose.pick(("Learn more", "Shop now", "Try it free", "Book today", "See offers")),
        picture=f"abstract-ad-{slot}-{day}",
        hue=prose.number(0, 359),
    )


def routes(clock: Clock, renderer: Renderer) -> list[Route]:
    """What ads.localhost answers: /banner/SLOT for iframes and /click as the landing page."""

    async def banner(request: Request) -> Response:
        slot = request.path_params["slot"]
        if slot not in SLOTS:
            raise HTTPException(404)
        width, height = SLOTS[slot]
        ad = advertisement(slot, clock.days)
        return renderer.page(request, "banner.html", ad=ad, slot=slot, width=width, height=height)

    async def click(request: Request) -> Response:
        return renderer.page(request, "landing.html", ad=advertisement("leaderboard", clock.days))

    return [Route("/banner/{slot}", banner), Route("/click", click)]
