"""The six departments of the shop and what is sold in each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Category:
    """A department. `count` is its number of products on day 0; one more arrives each day."""

    slug: str
    name: str
    blurb: str
    count: int
    things: tuple[str, ...]
    materials: tuple[str, ...]
    prices: tuple[int, int]  # lowest and highest, in whole euros


CATEGORIES = (
    Category(
        "kitchen",
        "Kitchen & Table",
        "Pans, pots and plates that outlive fashions.",
        66,
        ("Mug", "Kettle", "Skillet", "Bowl", "Carafe", "Teapot", "Bread Bin", "Grinder"),
        ("Stoneware", "Cast Iron", "Glass", "Enamel", "Beech"),
        (9, 140),
    ),
    Category(
        "lighting",
        "Lighting",
        "Lamps for reading, eating and finding the stairs.",
        41,
        ("Table Lamp", "Pendant", "Floor Lamp", "Wall Light", "Lantern", "Desk Lamp"),
        ("Brass", "Opal Glass", "Linen", "Steel", "Rattan"),
        (29, 390),
    ),
    Category(
        "furniture",
        "Furniture",
        "Made to be sat on, written at and handed down.",
        58,
        ("Chair", "Stool", "Side Table", "Bench", "Bookcase", "Desk", "Armchair"),
        ("Oak", "Walnut", "Ash", "Cane", "Birch"),
        (69, 1290),
    ),
    Category(
        "textiles",
        "Textiles",
        "Wool, linen and cotton, woven by people we know.",
        78,
        ("Throw", "Cushion", "Rug", "Curtain", "Tea Towel", "Bedspread", "Tablecloth"),
        ("Wool", "Linen", "Cotton", "Jute", "Alpaca"),
        (12, 320),
    ),
    Category(
        "desk",
        "Desk & Paper",
        "Everything for a tidy desk and an untidy mind.",
        52,
        ("Notebook", "Pen", "Tray", "Letter Opener", "Planner", "Pencil Case", "Bookend"),
        ("Leather", "Brass", "Recycled Paper", "Cork", "Maple"),
        (4, 95),
    ),
    Category(
        "garden",
        "Garden & Outdoors",
        "Tools and seats for rooms without a roof.",
        47,
        ("Trowel", "Planter", "Watering Can", "Folding Chair", "Bird Feeder", "Fire Bowl"),
        ("Terracotta", "Galvanised Steel", "Teak", "Copper", "Larch"),
        (11, 260),
    ),
)

BY_SLUG = {category.slug: category for category in CATEGORIES}
