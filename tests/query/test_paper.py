"""Every query that the Webzeitgeist paper prints runs as printed; those it describes run, too."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from webgeist.query.ask import ask
from webgeist.query.reading import read

if TYPE_CHECKING:
    from webgeist.repository.release import Release

CURSORS = """
POST, /v1/dom.json
query = {
  "$select": [
    {"@styles": {"$distinct": "cursor"}}
  ]
}
"""
WIDE = """
POST, /v1/pages.json
query = {
  "$select": [{"distinct": "page_id"}],
  "$where": [
    {"@visual": {"aspectRatio": {"gt": 10} }}
  ]
}
"""
SEARCH = """
POST, /v1/pages.json
query = {
  "$select": [{"page_id": 1}],
  "$where": {
    {
      "@dom": {
        "tagName": "INPUT",
        "type": "text",
        "@visual": {
          "leftSidedness": {"$or": {"$gte": 0.4}, {"$lte": 0.6}},
          "topSidedness": {"$or": {"$gte": 0.4}, {"$lte": 0.6}}
        }
      },
      "@visual": {"$cnt": {"$lt": 50}}
    }
  }
}
"""


def _urls(release: Release, answer: Any) -> set[str]:
    known = release.captures().select(["capture", "url"]).to_pylist()
    urls = {row["capture"]: row["url"].rpartition("/")[2] for row in known}
    return {urls[row["page_id"]] for row in answer.rows()}


def _other_form(text: str) -> str:
    """The same query with its operators in the other form: with `$` for without, and back."""
    words = ("select", "where", "distinct", "gt", "gte", "lte", "lt", "or", "cnt")
    for word in words:
        text = text.replace(f'"${word}"', f'"<{word}>"').replace(f'"{word}"', f'"${word}"')
    for word in words:
        text = text.replace(f'"<{word}>"', f'"{word}"')
    return text


@pytest.fixture(params=["as printed", "the other form"])
def spell(request: pytest.FixtureRequest) -> Any:
    return (lambda text: text) if request.param == "as printed" else _other_form


def test_distinct_cursors(release: Release, spell: Any) -> None:
    answer = ask(release, spell(CURSORS))
    assert sorted(row["cursor"] for row in answer.rows()) == ["auto", "pointer", "text"]
    assert answer.table.column_names == ["cursor"]


def test_distinct_cursors_read_no_nodes(release: Release) -> None:
    assert "nodes/" not in ask(release, CURSORS).sql


def test_horizontal_pages(release: Release, spell: Any) -> None:
    assert _urls(release, ask(release, spell(WIDE))) == {"1"}


def test_pages_like_search_engines(release: Release, spell: Any) -> None:
    assert _urls(release, ask(release, spell(SEARCH))) == {"0"}


@pytest.mark.parametrize("text", [CURSORS, WIDE])
def test_the_body_alone_with_the_endpoint_as_scope(release: Release, text: str) -> None:
    scope = "dom" if text is CURSORS else "pages"
    body = json.loads(text.partition("query = ")[2])
    alone = sorted(ask(release, body, scope=scope).rows(), key=repr)
    assert alone == sorted(ask(release, text).rows(), key=repr) != []


def test_the_printed_bounds_are_a_range() -> None:
    where = read(SEARCH).value["$where"]
    assert where["@dom"]["@visual"]["leftSidedness"] == {"$or": [{"$gte": 0.4}, {"$lte": 0.6}]}
    assert where["@visual"] == {"$cnt": {"$lt": 50}}


def test_bounds_that_leave_a_gap_stay_an_or(release: Release) -> None:
    def words(or_: Any) -> set[int]:
        query = {"$from": "@visual", "$where": {"words": {"$or": or_}}, "$distinct": "words"}
        return {row["words"] for row in ask(release, query).rows()}

    assert words([{"$gte": 60}, {"$lte": 0}]) == {0, 60}
    assert words([{"$gte": 1}, {"$lte": 7}]) == {1, 7}
    assert words({"$gte": 1, "$lte": 7}) == {1, 7}


# --- described in the text, without a query in print ---------------------------------------------


def test_text_colours_with_their_cumulated_shares(release: Release) -> None:
    rows = list(ask(release, {"$from": "@dom", "$cdf": "@styles.color"}).rows())
    assert rows[-1]["cumulated"] == pytest.approx(1)
    assert [row["count"] for row in rows] == sorted((r["count"] for r in rows), reverse=True)
    laid_out = [row for row in release.table("nodes").to_pylist() if row["x"] is not None]
    assert sum(row["count"] for row in rows) == len(laid_out)


def test_histograms_of_depth_nodes_shape_and_opacity(release: Release) -> None:
    for query, total in (
        ({"$histogram": {"of": "depth", "width": 1}}, 8),
        ({"$histogram": {"of": "nodes", "bins": 4}}, 9),
        ({"$from": "@dom", "$histogram": {"of": "@styles.opacity", "bins": 10}}, None),
    ):
        rows = list(ask(release, query).rows())
        assert sum(row["share"] for row in rows) == pytest.approx(1)
        assert total is None or sum(row["count"] for row in rows) == total


def test_canvases(release: Release) -> None:
    query = {"$from": "@dom", "$where": {"tagName": "CANVAS"}, "$select": ["page_id", "node"]}
    nodes = [row for row in release.table("nodes").to_pylist() if row["name"] == "canvas"]
    assert len(ask(release, query)) == len(nodes) > 0


def test_large_type(release: Release) -> None:
    where = {"@styles": {"font-size": {"$gt": "100px"}}}
    count = ask(release, {"$from": "@dom", "$where": where, "$count": 1})
    nodes = ask(release, {"$from": "@dom", "$where": where})
    assert list(count.rows()) == [{"count": len(nodes)}]
    assert len(nodes) > 0
    assert "nodes/" not in count.sql


def test_overlays_that_shine_through(release: Release) -> None:
    where = {"@styles": {"background-color": {"$alpha": {"$gt": 0, "$lt": 1}}}}
    pages = ask(release, {"$from": "@dom", "$where": where, "$distinct": "page_id"})
    assert "nodes/" not in pages.sql
    assert 0 < len(pages) <= 9


def test_a_page_with_three_parts(release: Release) -> None:
    """A large header, a navigation at the top, a long text."""
    query = {
        "$where": [
            {"@dom": {"tagName": "DIV", "@visual": {"areaOfPage": {"$gt": 0.2}}}},
            {"@dom": {"tagName": "NAV", "@visual": {"fractionalY": {"$lt": 0.1}}}},
            {"@visual": {"$any": {"words": {"$gt": 50}}}},
        ],
        "$select": [{"page_id": 1}],
    }
    found = {row["page_id"] for row in ask(release, query).rows()}
    assert found == _with_three_parts(release)
    assert found


def _with_three_parts(release: Release) -> set[str]:
    names = {(n["capture"], n["node"]): n["name"] for n in release.table("nodes").to_pylist()}
    shown = {
        (b["capture"], b["block"]): names[b["capture"], b["node"]]
        for b in release.table("blocks").to_pylist()
    }
    large, top, long = set(), set(), set()
    for row in release.table("features").to_pylist():
        name = shown[row["capture"], row["block"]]
        large |= {row["capture"]} if name == "div" and row["areaOfPage"] > 0.2 else set()
        top |= {row["capture"]} if name == "nav" and row["fractionalY"] < 0.1 else set()
        long |= {row["capture"]} if row["words"] > 50 else set()
    return large & top & long


def test_nodes_whose_children_are_all_images(release: Release) -> None:
    query = {"$from": "@dom", "$where": {"@children": {"$all": {"tagName": "IMG"}}}}
    found = {(row["capture"], row["node"]) for row in ask(release, query).rows()}
    nodes = release.table("nodes").to_pylist()
    expected = set()
    for node in nodes:
        children = [
            other["name"]
            for other in nodes
            if other["capture"] == node["capture"]
            and other["parent"] == node["node"]
            and other["type"] == 1
            and other["pseudo"] is None
        ]
        if children and set(children) == {"img"}:
            expected.add((node["capture"], node["node"]))
    assert found == expected
    assert expected
