"""Plans as they are kept, and the words that users say times and sizes in."""

from __future__ import annotations

from datetime import timedelta

import pytest

from webgeist.crawl.plan import (
    Bounds,
    Plan,
    dump_bounds,
    dump_plan,
    load,
    parse_age,
    parse_size,
)
from webgeist.crawl.scope import Reach, Rules
from webgeist.errors import UsageError


def test_a_plan_is_kept_whole() -> None:
    rules = Rules(Reach.DOMAIN, ("a", "ü"), ("b",), hops=1, depth=3, leave_domain=True)
    plan = Plan(("http://a/", "http://b/"), rules, ("mobile", "1000x800"), sitemaps=True)
    bounds = Bounds(pages=3, seconds=1.5)
    assert load(dump_plan(plan), dump_bounds(bounds)) == (plan, bounds)
    assert load(dump_plan(Plan(())), "{}") == (Plan(()), Bounds())


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("30m", 1800), ("12h", 43_200), ("7d", 604_800), ("2W", 1_209_600), ("0", 0)],
)
def test_lengths_of_time(text: str, seconds: int) -> None:
    assert parse_age(text) == timedelta(seconds=seconds)


@pytest.mark.parametrize("text", ["", "d", "7", "-1d", "1.5h", "7 d", "٣d", "9" * 20 + "w"])
def test_what_is_no_length_of_time(text: str) -> None:
    with pytest.raises(UsageError, match="90s"):
        parse_age(text)


@pytest.mark.parametrize(
    ("text", "size"),
    [("5000", 5000), ("20k", 20_000), ("500M", 500_000_000), ("2GB", 2 * 10**9), ("0", 0)],
)
def test_sizes(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "k", "5x", "-5", "1.5G", "5 M", "b"])
def test_what_is_no_size(text: str) -> None:
    with pytest.raises(UsageError, match="500M"):
        parse_size(text)
