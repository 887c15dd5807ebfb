"""Random queries mean to DuckDB what they mean to a naive evaluator: the same rows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from tests.query.naive import World

from webgeist.query.ask import ask

if TYPE_CHECKING:
    from webgeist.repository.release import Release

_COMPARISONS = ("$eq", "$ne", "$gt", "$gte", "$lt", "$lte")
_TEXTS: dict[str, dict[str, tuple[str, ...]]] = {
    "@page": {"host": ("host0.test", "host1.test", "x"), "title": ("Page 1", "x")},
    "@dom": {
        "name": ("p", "img", "#text"),
        "tagName": ("IMG", "A", "linearGradient", "INPUT"),
        "class": ("nav", "item odd", ""),
        "id": ("n1", "n2"),
        "type": ("text", "email", "TEXT"),
    },
    "@styles": {"cursor": ("auto", "pointer"), "display": ("block", "none")},
    "@visual": {"kind": ("box", "image"), "font": ("Inter", "x"), "corners_kind": ("round",)},
    "@text": {"text": ("web", "it's")},
    "@links": {"url": ("http://h.test/3",), "text": ("go on",)},
    "@badge": {"badge": ("new", "sale")},
    "@trend": {"trend": ("up", "down")},
}
_NUMBERS: dict[str, dict[str, tuple[float, ...]]] = {
    "@page": {"nodes": (4, 24), "depth": (2, 3), "width": (1200, 3.5)},
    "@dom": {"node": (0, 3), "depth": (1, 2), "x": (10, 20.5, 0.1), "nodeType": (1, 3)},
    "@styles": {
        "font-size": (16, 16.5, 100),
        "opacity": (0.5, 0.6, 1),
        "width": (50, 600),
        "font-weight": (400, 650),
        "outline-width": (0, 1.5),
    },
    "@visual": {"words": (1, 7), "aspectRatio": (1, 1.6, 0.6), "radius": (0, 4.5), "block": (0, 2)},
    "@text": {"words": (2, 4), "node": (3,)},
    "@links": {"node": (2, 5)},
    "@badge": {"score": (0.25, 0.5), "block": (0, 3)},
    "@trend": {"rise": (2, 5)},
}
_RELATED: dict[str, tuple[str, ...]] = {
    "@page": ("@dom", "@visual", "@styles", "@text", "@links", "@badge", "@trend"),
    "@dom": ("@page", "@styles", "@visual", "@text", "@links", *("@parent", "@children")),
    "@styles": ("@dom", "@visual"),
    "@visual": ("@page", "@dom", "@badge", "@links"),
    "@text": ("@dom", "@page"),
    "@links": ("@dom", "@visual", "@page"),
    "@badge": ("@visual", "@page"),
    "@trend": ("@page",),
}
_WITHIN: dict[str, tuple[str, ...]] = {
    "@dom": ("@parent", "@children", "@siblings", "@ancestor", "@descendants"),
    "@visual": (
        *("@parent", "@children", "@siblings", "@ancestor", "@descendants"),
        *("$above", "$left_of", "$contains", "$overlaps"),
    ),
}


def _texts(values: tuple[str, ...]) -> st.SearchStrategy[Any]:
    value = st.sampled_from(values)
    return st.one_of(
        value,
        st.just(None),
        st.lists(value, min_size=1, max_size=3),
        value.map(lambda text: {"$ne": text}),
        st.booleans().map(lambda there: {"$exists": there}),
        st.lists(value, min_size=1, max_size=2).map(lambda texts: {"$nin": texts}),
        value.map(lambda text: {"$like": f"%{text[:2]}_%"}),
        st.sampled_from(("a", "^n", "e$", "[ivx]+", r"\d")).map(lambda text: {"$regex": text}),
        value.map(lambda text: {"$not": {"$like": f"{text[:1]}%"}}),
    )


def _numbers(values: tuple[float, ...]) -> st.SearchStrategy[Any]:
    value = st.sampled_from(values)
    compared = st.dictionaries(st.sampled_from(_COMPARISONS), value, min_size=1, max_size=2)
    return st.one_of(
        value,
        compared,
        compared.map(lambda said: {"$not": said}),
        st.lists(value, min_size=1, max_size=3),
        st.booleans().map(lambda there: {"$exists": there}),
        st.tuples(value, value).map(lambda ends: {"$between": sorted(ends)}),
        st.lists(value, min_size=1, max_size=2).map(lambda found: {"$nin": found}),
    )


_COLOURS = st.one_of(
    st.sampled_from(("black", "#333", "red", "rgb(0, 0, 0)", "rgba(0, 0, 255, 0.5)")),
    st.builds(
        lambda colour, within: {"$near": {"colour": colour, "within": within}},
        st.sampled_from(("black", "#333", "red", "rgb(60, 40, 50)")),
        st.sampled_from((5, 25, 60)),
    ),
    st.dictionaries(st.sampled_from(("$gt", "$lt")), st.sampled_from((0, 0.5, 1)), min_size=1).map(
        lambda said: {"$alpha": said}
    ),
)


@st.composite
def conditions(draw: st.DrawFn, scope: str, depth: int = 2) -> dict[str, Any]:
    kinds = ["text", "number", "text", "number"]
    kinds += ["colour"] if scope == "@styles" else []
    kinds += ["logic", "related"] if depth else []
    kind = draw(st.sampled_from(kinds))
    if kind == "colour":
        return {draw(st.sampled_from(("color", "background-color"))): draw(_COLOURS)}
    if kind == "text":
        name = draw(st.sampled_from(sorted(_TEXTS[scope])))
        return {name: draw(_texts(_TEXTS[scope][name]))}
    if kind == "number":
        name = draw(st.sampled_from(sorted(_NUMBERS[scope])))
        return {name: draw(_numbers(_NUMBERS[scope][name]))}
    if kind == "logic":
        inner = conditions(scope, depth - 1)
        return draw(
            st.one_of(
                st.lists(inner, min_size=1, max_size=3).map(lambda items: {"$and": items}),
                st.lists(inner, min_size=1, max_size=3).map(lambda items: {"$or": items}),
                inner.map(lambda item: {"$not": item}),
            )
        )
    return draw(_related(scope, depth))


@st.composite
def _related(draw: st.DrawFn, scope: str, depth: int) -> dict[str, Any]:
    key = draw(st.sampled_from((*_RELATED[scope], *_WITHIN.get(scope, ()))))
    inner = conditions(key if key in _TEXTS else scope, depth - 1)
    said = draw(inner)
    form = draw(st.sampled_from(("plain", "$any", "$all", "$none", "$cnt")))
    if form == "plain":
        return {key: said}
    if form == "$cnt":
        bound = {draw(st.sampled_from(_COMPARISONS)): draw(st.sampled_from((0, 1, 2, 5)))}
        return {key: (said if draw(st.booleans()) else {}) | {"$cnt": bound}}
    return {key: {form: said}}


@st.composite
def queries(draw: st.DrawFn) -> dict[str, Any]:
    scope = draw(st.sampled_from(sorted(_TEXTS)))
    query: dict[str, Any] = {"$from": scope, "$where": draw(conditions(scope))}
    texts, numbers = sorted(_TEXTS[scope]), sorted(_NUMBERS[scope])
    form = draw(st.sampled_from(("$select", "$count", "$top", "$avg", "$distinct")))
    if form == "$count":
        return query | {"$count": 1}
    if form == "$avg" and scope != "@styles":
        return query | {"$avg": draw(st.sampled_from(numbers))}
    if form in ("$top", "$distinct"):
        return query | {form: draw(st.sampled_from(texts))}
    keys = [key for key in ("capture", "node", "block") if _has_key(scope, key)]
    return query | {"$select": [*keys, *draw(st.lists(st.sampled_from(texts), unique=True))]}


def _has_key(scope: str, key: str) -> bool:
    of = {"node": ("@dom", "@styles", "@text", "@links", "@visual"), "block": ("@visual", "@badge")}
    return key == "capture" or scope in of[key]


class Pair:
    """The release, and the naive evaluator of its rows. Neither is shown where an example fails."""

    def __init__(self, release: Release) -> None:
        self.release = release
        self.naive = World.of(release)


@pytest.fixture(scope="module")
def pair(named: Release) -> Pair:
    return Pair(named)


def same_rows(pair: Pair, query: dict[str, Any]) -> None:
    answer = ask(pair.release, query)
    note(answer.sql)
    columns = ["value", "count"] if "$top" in query else answer.table.column_names
    found = [tuple(row[name] for name in columns) for row in answer.rows()]
    expected = pair.naive.answer(query)
    if "$avg" in query:
        ((have,),), ((want,),) = found, expected
        assert (have is None) == (want is None)
        assert have is None or math.isclose(have, want, rel_tol=1e-6)
        return
    assert sorted(found, key=repr) == sorted(expected, key=repr)


@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow])
@given(query=queries())
def test_same_rows_as_the_naive_evaluator(pair: Pair, query: dict[str, Any]) -> None:
    same_rows(pair, query)


@pytest.mark.slow
@settings(max_examples=5_000, suppress_health_check=[HealthCheck.too_slow])
@given(query=queries())
def test_same_rows_as_the_naive_evaluator_at_length(pair: Pair, query: dict[str, Any]) -> None:
    same_rows(pair, query)
