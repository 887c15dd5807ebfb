"""Sorting and filtering a list of offers, as the links above it ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webgeist.samples.shop.catalogue import Offer

SORTS = {
    "newest": "Newest",
    "price": "Price, low to high",
    "price-down": "Price, high to low",
    "name": "Name",
    "rating": "Rating",
}
SIZES = (12, 24, 48)
BANDS = {"50": (0, 5000), "150": (5000, 15000), "more": (15000, 10**9)}
BAND_NAMES = {"50": "Under €50", "150": "€50 to €150", "more": "Over €150"}


@dataclass(frozen=True)
class Wish:
    """What the visitor asked for. Unknown values count as not asked."""

    path: str
    query: str
    sort: str
    size: int
    material: str
    band: str
    number: int

    def link(self, **changes: object) -> str:
        """This list with some answers changed; anything but a page number goes back to page 1."""
        values = {
            "q": self.query,
            "sort": self.sort if self.sort != "newest" else "",
            "per": self.size if self.size != SIZES[0] else "",
            "material": self.material,
            "price": self.band,
            **changes,
        }
        if values.get("page") == 1:
            del values["page"]
        query = urlencode({name: value for name, value in values.items() if value})
        return f"{self.path}?{query}" if query else self.path


def wish(path: str, asked: Mapping[str, str]) -> Wish:
    size = asked.get("per", "")
    number = asked.get("page", "1")
    return Wish(
        path=path,
        query=asked.get("q", "").strip(),
        sort=asked["sort"] if asked.get("sort") in SORTS else "newest",
        size=int(size) if size.isdecimal() and int(size) in SIZES else SIZES[0],
        material=asked.get("material", ""),
        band=asked["price"] if asked.get("price") in BANDS else "",
        number=int(number) if number.isdecimal() else 0,
    )


def apply(wanted: Wish, offers: list[Offer]) -> list[Offer]:
    low, high = BANDS.get(wanted.band, (0, 10**9))
    kept = [
        one
        for one in offers
        if low <= one.price < high and wanted.material in ("", one.product.material)
    ]
    return _sorted(kept, wanted.sort)


def _sorted(offers: list[Offer], order: str) -> list[Offer]:
    match order:
        case "price":
            return sorted(offers, key=lambda one: one.price)
        case "price-down":
            return sorted(offers, key=lambda one: -one.price)
        case "name":
            return sorted(offers, key=lambda one: one.product.name)
        case "rating":
            return sorted(offers, key=lambda one: -one.product.rating)
        case _:
            return offers
