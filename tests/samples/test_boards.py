"""boards.localhost: lists that follow the clock, and fail when they are told to."""

from __future__ import annotations

import http.client
import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from webgeist.samples.boards import world
from webgeist.samples.boards.trouble import Trouble

if TYPE_CHECKING:
    from tests.samples.conftest import Visitor

SITE = "boards"


def listed(visitor: Visitor, path: str) -> list[str]:
    """The addresses of the items of all pages of a list."""
    found, page = [], 1
    while True:
        text = visitor.page(f"{path}?page={page}")
        found += re.findall(r'<li class="item"><a href="([^"]+)"', text)
        if 'rel="next"' not in text:
            return found
        page += 1


def test_lists_are_whole(visitor: Visitor) -> None:
    assert len(listed(visitor, "/ads")) == world.ADS
    assert len(set(listed(visitor, "/foundations"))) == world.FOUNDATIONS
    assert len(set(listed(visitor, "/restaurants"))) == world.RESTAURANTS


def test_a_week_later(traveller: Visitor) -> None:
    before = listed(traveller, "/ads"), listed(traveller, "/foundations")
    traveller.server.clock.advance(timedelta(days=7))
    after = listed(traveller, "/ads"), listed(traveller, "/foundations")
    assert len(set(after[0]) - set(before[0])) == 7 * world.ADS_A_DAY
    assert len(set(after[1]) - set(before[1])) == 1


def test_rides_point_to_the_same_few() -> None:
    rides = world.rides(0)
    assert len({world.driver(ride) for ride in rides}) <= world.DRIVERS < len(rides)


def test_feeds_and_reviews_grow_at_the_head() -> None:
    assert world.posts(7)[56:] == world.posts(0)
    assert world.reviews(6, 7)[3:] == world.reviews(6, 0)
    assert world.reviews(5, 7) == world.reviews(5, 0)


def test_new_ads_push_old_ones_to_the_next_page(traveller: Visitor) -> None:
    assert traveller.ask("/control", {"rate": "2"}).status == 200
    seen = listed(traveller, "/ads")
    assert len(seen) > len(set(seen))


@pytest.mark.parametrize(("how", "status"), [("500", 500), ("expired", 403)])
def test_a_failure_comes_once_and_in_time(traveller: Visitor, how: str, status: int) -> None:
    traveller.ask("/control", {"after": "3", "how": how})
    assert [traveller.ask("/feed").status for _ in range(4)] == [200, 200, status, 200]


def test_half_a_page(traveller: Visitor) -> None:
    traveller.ask("/control", {"after": "1", "how": "cut"})
    with pytest.raises((http.client.IncompleteRead, ConnectionError)):
        traveller.ask("/feed")


def test_silence_is_planned_like_the_others() -> None:
    trouble = Trouble()
    trouble.plan({"after": "1", "how": "silence"})
    answer = trouble.answer()
    assert answer is not None
    assert answer.headers["content-length"] == "9000"
    assert trouble.answer() is None


@pytest.mark.parametrize(
    "wish", [{}, {"how": "fire", "after": "1"}, {"after": "-1"}, {"after": "x"}]
)
def test_senseless_wishes(visitor: Visitor, wish: dict[str, str]) -> None:
    assert visitor.ask("/control", wish or {"x": "y"}).status == 400


@pytest.mark.parametrize(
    "path", ["/ads?page=99", "/ads?page=x", "/restaurants/999", "/restaurants/1/menus/Tea"]
)
def test_what_is_not_there(visitor: Visitor, path: str) -> None:
    assert visitor.ask(path).status == 404
