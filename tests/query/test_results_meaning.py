"""Random distributions, groups, orders and samples, against the naive evaluator."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from tests.query.naive import World
from tests.query.naive_results import heat, result, sampled
from tests.query.test_meaning import _NUMBERS, _TEXTS, conditions

from webgeist.query.ask import ask

if TYPE_CHECKING:
    from webgeist.repository.release import Release

_SCOPES = ("@dom", "@visual", "@text", "@page")
_KEYS = {"@dom": "node", "@visual": "block", "@text": "node", "@page": "capture"}


class Pair:
    """The release, and all its rows. Neither is shown where an example fails."""

    def __init__(self, release: Release) -> None:
        self.release = release
        self.naive = World.of(release)

    def rows(self, query: dict[str, Any], where: Any) -> list[dict[str, Any]]:
        scope = query["$from"]
        found = [row for row in self.naive.rows[scope] if self.naive.fulfils(scope, row, where)]
        sample = query.get("$sample")
        return sampled(found, sample["share"], sample["seed"]) if sample else found


@pytest.fixture(scope="module")
def pair(named: Release) -> Pair:
    return Pair(named)


@st.composite
def histograms(draw: st.DrawFn, of: str) -> dict[str, Any]:
    step: dict[str, Any] = draw(
        st.sampled_from(({"width": 1}, {"width": 2.5}, {"bins": 4}, {"bins": 7}, {"bins": 1}))
    )
    span: dict[str, Any] = draw(
        st.sampled_from(({}, {"range": [0, 5]}, {"range": [1.5, 30]}, {"range": [-4, 90]}))
    )
    return {"of": of} | step | span


@st.composite
def queries(draw: st.DrawFn) -> dict[str, Any]:
    scope = draw(st.sampled_from(_SCOPES))
    query: dict[str, Any] = {"$from": scope, "$where": draw(conditions(scope, 1))}
    text = draw(st.sampled_from(sorted(_TEXTS[scope])))
    number = draw(st.sampled_from(sorted(_NUMBERS[scope])))
    if draw(st.booleans()):
        query["$sample"] = {
            "share": draw(st.sampled_from((0.3, 0.7))),
            "seed": draw(st.sampled_from("ab")),
        }
    kind = draw(st.sampled_from(("$top", "$cdf", "$histogram", "$group", "$select")))
    if kind in ("$top", "$cdf"):
        of = draw(st.sampled_from((text, number)))
        return query | {kind: of} | draw(st.sampled_from(({}, {"$compare": True})))
    if kind == "$histogram":
        return query | {kind: draw(histograms(number))}
    if kind == "$group":
        aggregates = [{"$count": 1}, {"$min": number}, {"$max": number}, {"$sum": number}]
        aggregates += [{"$quantile": {"of": number, "q": q}} for q in (0.25,)] + [{"$avg": number}]
        wanted = draw(st.lists(st.sampled_from(aggregates), min_size=1, unique_by=repr))
        return query | {"$group": [text], "$select": wanted}
    order = [draw(st.sampled_from(("", "-"))) + number, "capture", _KEYS[scope]]
    columns = list(dict.fromkeys((number, "capture", _KEYS[scope])))
    limit = draw(st.sampled_from((0, 1, 7, 10_000)))
    return query | {"$select": columns, "$order": list(dict.fromkeys(order)), "$limit": limit}


def _alike(have: Any, want: Any) -> bool:
    if isinstance(want, float) and isinstance(have, (int, float)):
        if math.isnan(want):
            return math.isnan(have)
        return math.isclose(have, want, rel_tol=1e-6, abs_tol=1e-9)
    return bool(have == want)


def same(have: list[dict[str, Any]], want: list[dict[str, Any]]) -> None:
    assert len(have) == len(want)
    for one, other in zip(have, want, strict=True):
        assert list(one) == list(other)
        assert all(_alike(one[name], other[name]) for name in one), (one, other)


def same_result(pair: Pair, query: dict[str, Any]) -> None:
    answer = ask(pair.release, query)
    note(answer.sql)
    found, everything = pair.rows(query, query["$where"]), pair.rows(query, {})
    have = list(answer.rows())
    if "$group" in query:
        have.sort(key=repr)
    same(have, result(found, everything, query))


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(query=queries())
def test_same_results_as_the_naive_evaluator(pair: Pair, query: dict[str, Any]) -> None:
    same_result(pair, query)


@pytest.mark.slow
@settings(max_examples=5_000, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(query=queries())
def test_same_results_as_the_naive_evaluator_at_length(pair: Pair, query: dict[str, Any]) -> None:
    same_result(pair, query)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    scope=st.sampled_from(("@dom", "@visual")),
    data=st.data(),
    size=st.sampled_from(((1, 1), (4, 3), (20, 20))),
)
def test_the_same_heat_maps(
    pair: Pair, scope: str, data: st.DataObject, size: tuple[int, int]
) -> None:
    query = {"$from": scope, "$where": data.draw(conditions(scope, 1))}
    columns, rows = size
    answer = ask(pair.release, query | {"$heatmap": {"columns": columns, "rows": rows}})
    pages = pair.naive.rows["@page"]
    sizes = {p["capture"]: (p["screenshot_width"], p["screenshot_height"]) for p in pages}
    same(list(answer.rows()), heat(pair.rows(query, query["$where"]), sizes, columns, rows))
