"""Whatever is asked: an answer or a QueryError with the place. Never another exception."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from webgeist.errors import QueryError, UsageError
from webgeist.query.ask import ask
from webgeist.query.operators import ALL

if TYPE_CHECKING:
    from pathlib import Path

    from webgeist.repository.release import Release


def wrong(release: Release, query: Any) -> QueryError:
    with pytest.raises(QueryError) as caught:
        ask(release, query)
    return caught.value


@pytest.mark.parametrize(
    ("query", "where", "words"),
    [
        ({"$from": "@dmo"}, "$from", "did you mean @dom?"),
        ({"$form": "@dom"}, "$form", "did you mean $from?"),
        ({"$where": [{"@styles": {"font-sise": 1}}]}, "$where[0].@styles.font-sise", "font-size"),
        ({"$where": {"url": {"$gtt": 1}}}, "$where.url.$gtt", "did you mean $gt?"),
        ({"$where": {"$nand": []}}, "$where.$nand", "$and"),
        ({"$where": {"nodes": "many"}}, "$where.nodes", "a number is needed"),
        ({"$where": {"url": 3}}, "$where.url", "a text is needed"),
        ({"$where": {"settled": "yes"}}, "$where.settled", "true or false"),
        ({"$where": {"settled": {"$gt": True}}}, "$where.settled.$gt", "true and false"),
        ({"$where": {"time": "yesterday"}}, "$where.time", "ISO 8601"),
        ({"$where": {"time": 5}}, "$where.time", "a time"),
        ({"$where": {"tiles": 5}}, "$where.tiles", "$exists"),
        ({"$where": {"url": {"$in": []}}}, "$where.url.$in", "empty"),
        ({"$where": {"url": []}}, "$where.url", "empty"),
        ({"$where": {"url": {}}}, "$where.url", "operator"),
        ({"$where": {"$or": []}}, "$where.$or", "empty"),
        ({"$where": {"$or": 5}}, "$where.$or", "list"),
        ({"$where": []}, "$where", "no condition"),
        ({"$where": {}}, "$where", "no condition"),
        ({"$where": 5}, "$where", "object"),
        ({"$where": {"url": {"$regex": "("}}}, "url.$regex", "missing"),
        ({"$where": {"nodes": {"$regex": "a"}}}, "$where.nodes.$regex", "for texts"),
        ({"$where": {"nodes": {"$between": [1]}}}, "$where.nodes.$between", "two"),
        ({"$where": {"nodes": {"$exists": 1}}}, "$where.nodes.$exists", "true or false"),
        (
            {"$where": {"@links": {"@visual": {"@trend": {}}}}},
            "$where.@links.@visual.@trend",
            "page",
        ),
        ({"$where": {"@parent": {}}}, "$where.@parent", "no tree"),
        ({"$where": {"$above": {}}}, "$where.$above", "@visual"),
        ({"$where": {"@dom": {"$cnt": {"$lt": -1}}}}, "$where.@dom.$cnt.$lt", "whole number"),
        ({"$where": {"@dom": {"$cnt": {"$like": 1}}}}, "$where.@dom.$cnt.$like", "operator"),
        ({"$where": {"@dom": {"$cnt": {}}}}, "$where.@dom.$cnt", "comparison"),
        (
            {"$where": {"@dom": {"$all": {"name": "p"}, "depth": 1}}},
            "$where.@dom.$all",
            "go into it",
        ),
        (
            {"$where": {"@styles": {"color": {"$near": "bluish"}}}},
            "$where.@styles.color.$near",
            "#f00",
        ),
        ({"$where": {"@styles": {"color": {"$near": {}}}}}, "$where.@styles.color.$near", "within"),
        ({"$where": {"@styles": {"color": {"$gt": 5}}}}, "$where.@styles.color.$gt", "$near"),
        (
            {"$where": {"@styles": {"cursor": {"$alpha": 1}}}},
            "$where.@styles.cursor.$alpha",
            "colour",
        ),
        (
            {"$where": {"@styles": {"color": {"$near": {"colour": "red", "within": 1e9}}}}},
            "$where.@styles.color.$near",
            "distance",
        ),
        (
            {"$where": {"@styles": {"font-size": {"$gt": "2em"}}}},
            "$where.@styles.font-size.$gt",
            "units",
        ),
        ({"$select": []}, "$select", "empty"),
        ({"$select": [5]}, "$select[0]", "name"),
        ({"$select": [{}]}, "$select[0]", "name"),
        ({"$select": ["urll"]}, "$select[0]", "did you mean url?"),
        ({"$select": [{"url": 2}]}, "$select[0].url", "1 is needed"),
        ({"$select": [{"$avg": "url"}]}, "$select[0].$avg", "for numbers"),
        ({"$select": ["url", {"$count": 1}]}, "$select", "neither in $group"),
        ({"$select": ["url", {"url": 1}]}, "$select", "two columns"),
        ({"$select": ["@trend.rise", "@nothing.x"]}, "$select[1]", "no scope"),
        ({"$select": [{"x": {"$nope": 1}}]}, "$select[0].x", "no column"),
        ({"$distinct": []}, "$distinct", "empty"),
        ({"$group": []}, "$group", "empty"),
        ({"$order": "nothing"}, "$order[0]", "no column"),
        ({"$order": [{"url": "up"}]}, "$order[0]", "asc or desc"),
        ({"$limit": -1}, "$limit", "whole number"),
        ({"$limit": "10"}, "$limit", "whole number"),
        ({"$sample": 2}, "$sample", "at most 1"),
        ({"$sample": {"seed": "a"}}, "$sample", "share"),
        ({"$compare": True}, "$compare", "distributions"),
        ({"$compare": True, "$top": "url"}, "$compare", "$where"),
        ({"$compare": 1}, "$compare", "true or false"),
        ({"$fetch": "nodes"}, "$fetch", "no texts"),
        ({"$count": 1, "$top": "url"}, "$top", "one result"),
        ({"$top": {"limit": 3}}, "$top.of", "needs"),
        ({"$top": {"of": "url", "limit": 0}}, "$top.limit", "whole number"),
        ({"$top": {"of": "url", "bins": 3}}, "$top.bins", "no bins"),
        ({"$top": "tiles"}, "$top", "lists"),
        ({"$histogram": "url"}, "$histogram", "for numbers"),
        ({"$histogram": {"of": "nodes", "width": 0}}, "$histogram.width", "more than 0"),
        ({"$histogram": {"of": "nodes", "width": 1, "bins": 2}}, "$histogram", "either"),
        ({"$histogram": {"of": "nodes", "range": [3, 1]}}, "$histogram.range", "lower end"),
        ({"$heatmap": {}}, "$heatmap", "no boxes"),
        ({"$from": "@dom", "$heatmap": {"rows": 0}}, "$heatmap.rows", "whole number"),
        ({"$select": [{"$quantile": {"of": "nodes", "q": 2}}]}, "$select[0].$quantile.q", "0 to 1"),
        ([], "", "object"),
        ("[1, 2]", "", "object"),
        ('{"$from": ', "line 1", "no JSON"),
        ('{"$from": NaN}', "line 1", "no JSON"),
        ("", "line 1", "no JSON"),
    ],
)
def test_mistakes_are_told_with_their_place(
    release: Release, query: Any, where: str, words: str
) -> None:
    error = wrong(release, query)
    assert error.where.startswith(where)
    assert words in str(error)
    assert isinstance(error, UsageError)
    assert error.exit_code == 2
    assert error.http_status == 400


def _nested(levels: int) -> dict[str, Any]:
    query: dict[str, Any] = {"url": "x"}
    for _ in range(levels):
        query = {"$and": [query]}
    return query


@pytest.mark.parametrize("levels", [100, 10_000])
def test_deep_queries_as_dictionaries(release: Release, levels: int) -> None:
    assert "nested deeper" in str(wrong(release, {"$where": _nested(levels)}))


def test_deep_queries_as_text(release: Release) -> None:
    text = '{"$where": ' + '{"$and": [' * 10_000 + '{"url": "x"}' + "]}" * 10_000 + "}"
    assert wrong(release, text)
    printed = '{"$where": ' + "{" * 10_000 + "}" * 10_000 + "}"
    assert wrong(release, printed)


def test_large_queries(release: Release) -> None:
    megabyte = "a" * (1 << 20)
    assert "at most" in str(wrong(release, {"$where": {"url": {"$regex": megabyte}}}))
    assert "longer than" in str(wrong(release, json.dumps({"$where": {"url": megabyte}})))
    assert "at most" in str(wrong(release, {"$where": {"url": ["x"] * 20_000}}))
    assert "at most" in str(wrong(release, {"$where": {"$or": [{"url": "x"}] * 9_000}}))
    assert "at most" in str(wrong(release, {"$select": [{f"n{n}": "url"} for n in range(300)]}))
    costly = "((a{1,100}){1,100}){1,100}"
    assert "$regex" in wrong(release, {"$where": {"url": {"$regex": costly}}}).where


@pytest.mark.parametrize(
    "number",
    [10**30, -(10**300), 1e308, -1e39, 2**63, 0.1 + 0.2],
    ids=lambda n: f"{n:.3}"[:12] if isinstance(n, float) else str(n)[:12],
)
def test_any_number_can_be_compared_with(release: Release, number: Any) -> None:
    for column in ("nodes", "aspectRatio", "words"):
        ask(release, {"$where": {column: {"$gt": number}}})


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 10**400])
def test_what_is_no_number(release: Release, number: float) -> None:
    assert "finite" in str(wrong(release, {"$where": {"nodes": {"$gt": number}}}))


INJECTIONS = (
    "'; DROP TABLE nodes; --",
    '" OR 1=1 --',
    "') UNION SELECT * FROM read_csv('/etc/passwd') --",
    "read_parquet('/etc/passwd')",
    "$p1",
    "?",
    "\\'",
    'nodes" AS t1, (SELECT 1) AS "',
    "\u202e\u0000",
    "\ud800",
    "{{7*7}}",
)


def _everywhere(text: str) -> list[Any]:
    """The text in each place of a query that takes one."""
    return [
        {"$where": {"url": text}},
        {"$where": {"url": {"$like": text}}},
        {"$where": {"url": {"$regex": text}}},
        {"$where": {"url": [text, "x"]}},
        {"$where": {text: 1}},
        {"$where": {"url": {text: 1}}},
        {"$where": {"time": text}},
        {"$where": {f"@{text}": {}}},
        {"$where": {"@styles": {"color": text}}},
        {"$where": {"@styles": {"color": {"$near": text}}}},
        {"$where": {"@styles": {"font-size": {"$gt": text}}}},
        {"$from": "@dom", "$where": {f"attributes.{text}": "x"}},
        {"$from": "@dom", "$select": ["node", f"attributes.{text}"]},
        {"$from": text},
        {"$select": [text]},
        {"$select": [{text: "url"}]},
        {"$select": [{text: {"$max": "nodes"}}]},
        {"$select": [{"$avg": text}]},
        {"$select": ["url"], "$order": text},
        {"$group": [text]},
        {"$distinct": text},
        {"$top": text},
        {"$sample": {"share": 0.5, "seed": text}},
        {"$limit": text},
        {"$fetch": text},
        {text: 1},
        text,
    ]


@pytest.mark.parametrize("text", INJECTIONS, ids=range(len(INJECTIONS)))
def test_injections_are_values_or_errors(release: Release, text: str) -> None:
    before = _files(release)
    for query in _everywhere(text):
        sql, told = _answered(release, query)
        assert text not in sql or text in ("?", "$p1")  # which are marks of parameters, too
        assert len(told) < 2_000
    assert _files(release) == before


def _answered(release: Release, query: Any) -> tuple[str, str]:
    """The statement that was run, or what was said against it."""
    try:
        return ask(release, query).sql, ""
    except QueryError as error:
        return "", str(error)


def _files(release: Release) -> list[tuple[Path, int]]:
    return sorted((path, path.stat().st_mtime_ns) for path in release.layout.root.rglob("*"))


_WORDS = st.sampled_from([*ALL, "@dom", "@styles", "url", "nodes", "color", "of", "name", "é🎨"])
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | _WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_WORDS, inner, max_size=3),
    max_leaves=12,
)


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(query=st.dictionaries(_WORDS, _JSON, max_size=4))
def test_any_json_is_answered_or_refused(release: Release, query: dict[str, Any]) -> None:
    assert any(_answered(release, query))


@given(text=st.text(max_size=60) | st.binary(max_size=30).map(lambda raw: raw.decode("latin-1")))
def test_any_text_is_answered_or_refused(release: Release, text: str) -> None:
    assert any(_answered(release, "{" + text))
