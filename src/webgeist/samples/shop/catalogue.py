"""What the shop sells on a given day. Everything follows from a product's number and the day."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from webgeist.samples.prose import ADJECTIVES, PLACES, Prose
from webgeist.samples.shop.categories import CATEGORIES, Category

PRICES_FALL_ON_DAY = 2
SOLD_OUT_ON_DAY = 6
COLOURS = ("Chalk", "Ink", "Moss", "Rust", "Sand", "Slate")


@dataclass(frozen=True)
class Product:
    """A thing for sale; what does not change from day to day."""

    number: int
    category: Category
    slug: str
    name: str
    material: str
    maker: str
    colour: str
    summary: str
    description: tuple[str, ...]
    specification: tuple[tuple[str, str], ...]
    list_price: int  # cents
    rating: float

    @property
    def path(self) -> str:
        return f"/p/{self.slug}"

    @property
    def picture(self) -> str:
        return f"product-{self.slug}"


@dataclass(frozen=True)
class Offer:
    """A product on one day: its price then, its stock then."""

    product: Product
    price: int
    old_price: int | None
    stock: int
    viewers: int
    new: bool

    @property
    def saving(self) -> int:
        """Percent below the old price."""
        return 0 if self.old_price is None else round(100 - 100 * self.price / self.old_price)


@lru_cache(maxsize=4096)
def product(category: Category, number: int) -> Product:
    prose = Prose(f"product {category.slug} {number}")
    thing, material = prose.pick(category.things), prose.pick(category.materials)
    name = f"{prose.pick(PLACES)} {material} {thing}"
    slug = f"{name.lower().replace(' ', '-')}-{category.slug[0]}{number}"
    low, high = category.prices
    price = round(low * (high / low) ** (prose.number(0, 100) / 100)) * 100 - prose.pick((0, 5, 10))
    return Product(
        number=number,
        category=category,
        slug=slug,
        name=name,
        material=material,
        maker=prose.company(),
        colour=prose.pick(COLOURS),
        summary=f"{material} {thing.lower()} for {prose.pick(_ROOMS)} and {prose.pick(ADJECTIVES)} days.",
        description=(prose.paragraph(4), prose.paragraph(3)),
        specification=_specification(prose, slug, material),
        list_price=price,
        rating=prose.number(28, 50) / 10,
    )


_ROOMS = ("small kitchens", "long evenings", "quiet corners", "crowded tables", "early mornings")


def _specification(prose: Prose, slug: str, material: str) -> tuple[tuple[str, str], ...]:
    sides = [prose.number(6, 90) for _ in range(3)]
    return (
        ("Article number", slug.rsplit("-", 1)[-1].upper().zfill(6)),
        ("Material", material),
        ("Dimensions", "{} x {} x {} cm".format(*sides)),
        ("Weight", f"{prose.number(1, 180) / 10} kg"),
        ("Made in", prose.pick(PLACES)),
        ("Care", prose.pick(("Wipe clean", "Dishwasher safe", "Wash at 30 degrees", "Oil yearly"))),
        ("Guarantee", f"{prose.pick((2, 3, 5, 10))} years"),
    )


def offer(item: Product, day: int) -> Offer:
    """Each third product is cheaper from day 2 on, each seventh always was; each eighth sells out."""
    price, old = item.list_price, None
    if item.number % 7 == 0:
        price, old = round(price * 0.8), price
    if item.number % 3 == 0 and day >= PRICES_FALL_ON_DAY:
        price, old = round(price * 0.9), old or price
    prose = Prose(f"stock {item.slug} {day}")
    sold_out = item.number % 8 == 0 and day >= SOLD_OUT_ON_DAY
    stock = 0 if sold_out else prose.number(1, 40)
    return Offer(item, price, old, stock, prose.number(120, 2400), born(item) > day - 3)


def born(item: Product) -> int:
    """The day on which the product appeared: 0 or less for those that were there from the start."""
    return item.number - item.category.count


def offers(category: Category, day: int) -> list[Offer]:
    """All of a category on a day, newest first."""
    numbers = range(category.count + day, 0, -1)
    return [offer(product(category, number), day) for number in numbers]


def everything(day: int) -> list[Offer]:
    return [one for category in CATEGORIES for one in offers(category, day)]


def find(slug: str, day: int) -> Offer | None:
    """The product with this slug, if it exists on that day. Its number stands at the slug's end."""
    code = slug.rsplit("-", 1)[-1]
    category = _BY_INITIAL.get(code[:1])
    if category is None or not code[1:].isdecimal():
        return None
    number = int(code[1:])
    if not 1 <= number <= category.count + day or product(category, number).slug != slug:
        return None
    return offer(product(category, number), day)


_BY_INITIAL = {category.slug[0]: category for category in CATEGORIES}


def featured(day: int) -> list[Offer]:
    """For the home page: the newest of each category and one older one of the first two."""
    newest = [offers(category, day)[0] for category in CATEGORIES]
    steady = [offer(product(category, 6), day) for category in CATEGORIES[:2]]
    return newest + steady


def related(item: Product, day: int) -> list[Offer]:
    """Four others of the same category, always older, so that new arrivals do not change them."""
    category = item.category
    return [
        offer(product(category, (item.number * step) % category.count + 1), day)
        for step in (5, 7, 11, 13)
    ]


def search(query: str, day: int) -> list[Offer]:
    """Products whose name, category or colour has every word of the query."""
    words = query.lower().split()
    return [one for one in everything(day) if words and all(w in _text(one.product) for w in words)]


def _text(item: Product) -> str:
    return f"{item.name} {item.category.name} {item.colour}".lower()
