"""Which links a crawl follows."""

from __future__ import annotations

import pytest

from webgeist.crawl.addresses import Address, parse
from webgeist.crawl.scope import Reach, Refusal, Rules, Scope, Step
from webgeist.errors import UsageError

SEED = "https://docs.example.org/guide/start.html"


def at(url: str) -> Address:
    found = parse(url)
    assert found is not None
    return found


def decide(rules: Rules, link: str, step: Step | None = None, source: str = SEED) -> object:
    return Scope(rules, [at(SEED)]).follow(at(source), step or Step(), at(link))


@pytest.mark.parametrize(
    ("reach", "inside", "outside"),
    [
        (Reach.PAGE, [SEED], ["https://docs.example.org/guide/other.html"]),
        (
            Reach.PREFIX,
            ["http://docs.example.org/guide/", "https://docs.example.org/guide/a/b?c"],
            ["https://docs.example.org/guidebook", "https://docs.example.org/"],
        ),
        (
            Reach.HOST,
            ["http://docs.example.org/x", "https://docs.example.org/"],
            ["https://example.org/guide/", "https://docs.example.org:8443/"],
        ),
        (
            Reach.DOMAIN,
            ["https://example.org/", "http://a.b.example.org:81/"],
            ["https://example.com/", "https://notexample.org/"],
        ),
        (Reach.ANY, ["http://elsewhere.example/"], []),
    ],
)
def test_the_reach_around_a_seed(reach: Reach, inside: list[str], outside: list[str]) -> None:
    for link in inside:
        assert decide(Rules(reach), link) == Step(1), link
    for link in outside:
        assert decide(Rules(reach), link) is Refusal.OUT_OF_SCOPE, link


def test_hops_lead_outside_and_count_only_in_a_row() -> None:
    rules = Rules(Reach.HOST, hops=2)
    away = "http://a.example/"
    assert decide(rules, away) == Step(1, 1)
    assert decide(rules, away, Step(1, 1)) == Step(2, 2)
    assert decide(rules, away, Step(2, 2)) is Refusal.OUT_OF_SCOPE
    assert decide(rules, "https://docs.example.org/", Step(2, 2)) == Step(3, 0)


def test_depth_is_the_distance_from_a_seed() -> None:
    rules = Rules(Reach.ANY, depth=2)
    assert decide(rules, "http://a.example/", Step(1)) == Step(2)
    assert decide(rules, "http://a.example/", Step(2)) is Refusal.TOO_DEEP


def test_patterns_choose_and_exclusion_wins() -> None:
    rules = Rules(Reach.ANY, include=("/news/", r"\.org/"), exclude=(r"\?print=",))
    assert decide(rules, "http://a.example/news/1") == Step(1)
    assert decide(rules, "http://a.org/x") == Step(1)
    assert decide(rules, "http://a.example/x") is Refusal.NOT_INCLUDED
    assert decide(rules, "http://a.org/news/?print=1") is Refusal.EXCLUDED


def test_a_wrong_pattern_is_told() -> None:
    with pytest.raises(UsageError, match="no regular expression"):
        Scope(Rules(exclude=("a(",)))


def test_leaving_the_domain_follows_no_link_inside_it() -> None:
    rules = Rules(Reach.ANY, leave_domain=True)
    assert decide(rules, "https://example.org/") is Refusal.SAME_DOMAIN
    assert decide(rules, "https://example.com/") == Step(1)


def test_a_seed_is_never_refused() -> None:
    rules = Rules(Reach.PAGE, exclude=(".",), depth=0, leave_domain=True)
    assert decide(rules, SEED, source="http://other.example/") == Step(1)


def test_a_place_that_a_seed_redirects_to_is_in_scope() -> None:
    scope = Scope(Rules(Reach.HOST), [at("http://example.org/")])
    assert not scope.contains(at("https://www.example.org/a"))
    scope.add(at("https://www.example.org/"))
    assert scope.contains(at("https://www.example.org/a"))
