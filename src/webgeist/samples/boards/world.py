"""What is on the boards on a day: every number follows from the day, so a day can be looked at again.

Seven lists, after the tasks of the skip block paper: ads, rides, a feed, foundations, and
restaurants with menus, features and reviews. They differ in how much of them is new after a week.
"""

from __future__ import annotations

from dataclasses import dataclass

from webgeist.samples.prose import PLACES, Prose

ADS, ADS_A_DAY = 120, 9  # half of what is shown is new after a week
RIDES, RIDES_A_DAY, DRIVERS = 120, 4, 40
POSTS, POSTS_A_DAY = 300, 8
FOUNDATIONS = 90
RESTAURANTS = 36
_DAYS_SHOWN = 14


@dataclass(frozen=True)
class Thing:
    """Something that has a page of its own."""

    number: int
    title: str
    text: str
    place: str
    price: int


def thing(kind: str, number: int) -> Thing:
    prose = Prose(f"{kind} {number}")
    place = prose.pick(PLACES)
    return Thing(number, prose.title(), prose.sentence(), place, prose.number(5, 900))


def ads(day: int, pushed: int = 0) -> list[int]:
    """The numbers of the ads, newest first; the oldest go."""
    newest = ADS + day * ADS_A_DAY + pushed
    return list(range(newest, newest - ADS, -1))


def rides(day: int) -> list[int]:
    newest = RIDES + day * RIDES_A_DAY
    return list(range(newest, newest - RIDES, -1))


def driver(ride: int) -> int:
    """Who offers a ride: many are by the same few."""
    return Prose(f"driver {ride}").number(1, DRIVERS)


def posts(day: int) -> list[int]:
    """A feed goes back to its beginning."""
    return list(range(POSTS + day * POSTS_A_DAY, 0, -1))


def foundations(day: int) -> list[int]:
    return list(range(1, FOUNDATIONS + 1 + day // 7))


def restaurants(day: int) -> list[int]:
    return list(range(1, RESTAURANTS + 1 + day // 7))


def menus(restaurant: int) -> list[str]:
    return ["Lunch", "Dinner", "Wine"][: 1 + restaurant % 3]


def dishes(restaurant: int, menu: str, day: int) -> list[tuple[str, int]]:
    """Names and prices; one menu in fifteen gets a dish a week."""
    prose = Prose(f"dishes {restaurant} {menu}")
    more = day // 7 if restaurant % 15 == 0 else 0
    return [(prose.title(3), prose.number(4, 40)) for _ in range(prose.number(4, 9) + more)]


def features(restaurant: int) -> list[tuple[str, str]]:
    prose = Prose(f"features {restaurant}")
    return [(name, prose.pick(("yes", "no"))) for name in ("Parking", "Terrace", "Cards", "Music")]


def reviews(restaurant: int, day: int) -> list[int]:
    """The numbers of the reviews, newest first; one restaurant in six is reviewed each week."""
    more = day // 7 * 3 if restaurant % 6 == 0 else 0
    return list(range(Prose(f"reviews {restaurant}").number(6, 24) + more, 0, -1))
