"""What is wanted of rows: columns of other scopes, aggregates, distributions, order, samples."""

from __future__ import annotations

import statistics
from collections import Counter
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from tests.query.naive import World

from webgeist.query.ask import ask

if TYPE_CHECKING:
    from webgeist.repository.release import Release


@pytest.fixture(scope="module")
def naive(release: Release) -> World:
    return World.of(release)


def rows(release: Release, query: dict[str, Any]) -> list[dict[str, Any]]:
    return list(ask(release, query).rows())


def test_columns_of_other_scopes_stand_beside_a_row(release: Release, naive: World) -> None:
    query = {
        "$from": "@dom",
        "$select": [
            "capture",
            "node",
            {"@styles": ["cursor", "display"]},
            "@page.host",
            "@visual.block",
        ],
    }
    found = {(row["capture"], row["node"]): row for row in rows(release, query)}
    assert len(found) == len(naive.rows["@dom"])
    styles = {(row["capture"], row["node"]): row for row in naive.rows["@styles"]}
    blocks = {(row["capture"], row["node"]): row["block"] for row in naive.rows["@visual"]}
    hosts = {row["capture"]: row["host"] for row in naive.rows["@page"]}
    for key, row in found.items():
        assert row["cursor"] == styles.get(key, {}).get("cursor")
        assert row["display"] == styles.get(key, {}).get("display")
        assert row["block"] == blocks.get(key)
        assert row["host"] == hosts[key[0]]


def test_blocks_that_a_plugin_knows_nothing_of_count(release: Release, naive: World) -> None:
    """Its table has not all of them, so that alone does not do, whatever the condition."""
    either = {"$or": [{"corners_kind": "round"}, {"block": 0}]}
    found = rows(release, {"$from": "@visual", "$where": either, "$top": "block"})
    blocks = naive.rows["@visual"]
    assert any(row["block"] == 0 and row["corners_kind"] is None for row in blocks)
    counted = {row["value"]: row["count"] for row in found}
    assert counted[0] == sum(row["block"] == 0 for row in blocks)


def test_rows_of_another_scope_are_the_answer_where_only_they_are_wanted(
    release: Release, naive: World
) -> None:
    query = {"$where": {"host": "host0.test"}, "$select": [{"@links": ["node", "url"]}]}
    hosts = {row["capture"]: row["host"] for row in naive.rows["@page"]}
    expected = [row for row in naive.rows["@links"] if hosts[row["capture"]] == "host0.test"]
    assert len(rows(release, query)) == len(expected) > 0


def test_rows_are_counted_also_by_what_belongs_to_their_page(
    release: Release, naive: World
) -> None:
    query = {"$from": "@dom", "$where": {"name": "img"}, "$top": "@page.host"}
    hosts = {row["capture"]: row["host"] for row in naive.rows["@page"]}
    images = [row for row in naive.rows["@dom"] if row["name"] == "img"]
    found = {row["value"]: row["count"] for row in rows(release, query)}
    assert found == Counter(hosts[row["capture"]] for row in images)


def test_styles_of_some_nodes_are_of_those_alone(release: Release, naive: World) -> None:
    styles = {(row["capture"], row["node"]): row for row in naive.rows["@styles"]}
    for scope in ("@text", "@links", "@visual"):
        keys = [(row["capture"], row["node"]) for row in naive.rows[scope]]
        expected = Counter(styles[key]["cursor"] for key in keys if key in styles)
        found = rows(release, {"$from": scope, "$top": "@styles.cursor"})
        assert {row["value"]: row["count"] for row in found} == expected


def test_a_page_with_its_nodes_is_a_row_for_each(release: Release, naive: World) -> None:
    query = {"$select": ["url", "@dom.name"]}
    assert len(rows(release, query)) == len(naive.rows["@dom"])


def test_columns_of_one_name_get_their_scopes(release: Release) -> None:
    answer = ask(release, {"$from": "@dom", "$select": ["node", "@visual.node"], "$limit": 1})
    assert answer.table.column_names == ["@dom.node", "@visual.node"]


def test_columns_can_be_renamed_and_are_in_the_order_asked_for(release: Release) -> None:
    answer = ask(release, {"$select": [{"address": "url"}, "capture", {"page_id": 1}]})
    assert answer.table.column_names == ["address", "capture", "page_id"]


def test_without_select_keys_and_what_tells_most(release: Release) -> None:
    assert ask(release, {}).table.column_names == ["capture", "url", "title"]
    names = ask(release, {"$from": "@visual"}).table.column_names
    assert names == ["capture", "block", "node", "kind", "x", "y", "width", "height"]


def test_groups(release: Release, naive: World) -> None:
    query = {
        "$from": "@visual",
        "$group": ["kind"],
        "$select": [
            {"$count": 1},
            {"fonts": {"$count": "font"}},
            {"$sum": "words"},
            {"$avg": "words"},
            {"$min": "words"},
            {"$max": "words"},
            {"$quantile": "words"},
            {"high": {"$quantile": {"of": "words", "q": 0.75}}},
        ],
    }
    found = {row["kind"]: row for row in rows(release, query)}
    assert set(found) == {row["kind"] for row in naive.rows["@visual"]}
    for kind, row in found.items():
        of_kind = [each for each in naive.rows["@visual"] if each["kind"] == kind]
        words = [each["words"] for each in of_kind]
        assert row["count"] == len(of_kind)
        assert row["fonts"] == sum(each["font"] is not None for each in of_kind)
        assert row["sum_words"] == sum(words)
        assert row["avg_words"] == pytest.approx(statistics.mean(words))
        assert (row["min_words"], row["max_words"]) == (min(words), max(words))
        assert row["quantile_words"] == pytest.approx(statistics.median(words))
        assert row["high"] >= row["quantile_words"]


def test_a_group_without_a_select_is_counted(release: Release, naive: World) -> None:
    found = rows(release, {"$from": "@dom", "$group": "name", "$order": ["-count", "name"]})
    assert {row["name"]: row["count"] for row in found} == Counter(
        row["name"] for row in naive.rows["@dom"]
    )
    assert found == sorted(found, key=lambda row: (-row["count"], row["name"]))


def test_aggregates_of_styles_count_nodes(release: Release, naive: World) -> None:
    query = {
        "$from": "@styles",
        "$group": ["cursor"],
        "$select": [
            {"$count": 1},
            {"$avg": "font-size"},
            {"$sum": "font-weight"},
            {"$max": "font-size"},
        ],
    }
    answer = ask(release, query)
    assert "nodes/" not in answer.sql
    for row in answer.rows():
        styles = [each for each in naive.rows["@styles"] if each["cursor"] == row["cursor"]]
        sizes = [float(each["font-size"].removesuffix("px")) for each in styles]
        assert row["count"] == len(styles)
        assert row["avg_font-size"] == pytest.approx(statistics.mean(sizes))
        assert row["sum_font-weight"] == sum(int(each["font-weight"]) for each in styles)


def test_a_count_of_nothing_is_none(release: Release) -> None:
    nothing = {"@styles": {"cursor": "no such cursor"}}
    assert rows(release, {"$from": "@dom", "$where": nothing, "$count": 1}) == [{"count": 0}]
    assert rows(release, {"$from": "@dom", "$where": nothing}) == []


def test_histograms_by_width_and_by_number(release: Release, naive: World) -> None:
    ratios = [row["aspectRatio"] for row in naive.rows["@visual"] if row["aspectRatio"] is not None]
    wide = rows(release, {"$from": "@visual", "$histogram": {"of": "aspectRatio", "width": 0.5}})
    for row in wide:
        assert row["high"] - row["low"] == pytest.approx(0.5)
        assert row["count"] == sum(row["low"] <= ratio < row["high"] for ratio in ratios)
    assert sum(row["count"] for row in wide) == len(ratios)
    even = rows(release, {"$from": "@visual", "$histogram": {"of": "aspectRatio", "bins": 4}})
    assert even[0]["low"] == min(ratios)
    assert even[-1]["high"] == pytest.approx(max(ratios))
    assert sum(row["count"] for row in even) == len(ratios)
    query = {"of": "aspectRatio", "bins": 2, "range": [1, 3]}
    ranged = rows(release, {"$from": "@visual", "$histogram": query})
    assert [(row["low"], row["high"]) for row in ranged] == [(1.0, 2.0)]
    assert ranged[0]["count"] == sum(1 <= ratio < 2 for ratio in ratios)


def test_a_histogram_of_one_value(release: Release) -> None:
    query = {"$from": "@dom", "$where": {"depth": 0}, "$histogram": "depth"}
    assert [(row["low"], row["count"]) for row in rows(release, query)] == [(0.0, 9)]


def test_cumulated_numbers_run_upwards(release: Release) -> None:
    found = rows(release, {"$from": "@dom", "$cdf": "depth"})
    values = [row["value"] for row in found]
    shares = [row["cumulated"] for row in found]
    assert values == sorted(values)
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1)


def test_compared_with_everything(release: Release, naive: World) -> None:
    query = {"$from": "@dom", "$where": {"depth": {"$gt": 2}}, "$top": "name", "$compare": True}
    everything = Counter(row["name"] for row in naive.rows["@dom"])
    part = Counter(row["name"] for row in naive.rows["@dom"] if row["depth"] > 2)
    found = {row["value"]: row for row in rows(release, query)}
    assert {name: row["count_all"] for name, row in found.items()} == everything
    assert {name: row["count"] for name, row in found.items() if row["count"]} == part
    assert sum(row["share_all"] for row in found.values()) == pytest.approx(1)
    histogram = query | {"$histogram": {"of": "depth", "width": 1}}
    del histogram["$top"]
    both = rows(release, histogram)
    assert sum(row["count_all"] for row in both) == len(naive.rows["@dom"])
    assert sum(row["count"] for row in both if row["low"] <= 2) == 0


def test_heat_maps_count_boxes_that_cover_a_cell(release: Release, naive: World) -> None:
    where = {"width": {"$lt": 4}, "height": {"$lt": 4}}
    query = {"$from": "@dom", "$where": {"$not": where}, "$heatmap": {"columns": 4, "rows": 2}}
    found = {(row["column"], row["row"]): row["count"] for row in rows(release, query)}
    assert len(found) == 8
    boxes = [
        (row["x"] / 8, row["y"] / 8, row["width"] / 8, row["height"] / 8)  # a picture has 8 by 8
        for row in naive.rows["@dom"]
        if row["x"] is not None and not (row["width"] < 4 and row["height"] < 4)
    ]
    for (column, row), count in found.items():
        covering = [
            box
            for box in boxes
            if box[2] > 0 and box[3] > 0
            if box[0] < (column + 1) / 4 and box[0] + box[2] > column / 4
            if box[1] < (row + 1) / 2 and box[1] + box[3] > row / 2
        ]
        assert count == len(covering)
    assert max(found.values()) > min(found.values())


def test_order_and_limit(release: Release, naive: World) -> None:
    query = {
        "$from": "@dom",
        "$select": ["x", "node"],
        "$order": [{"x": "desc"}, "node"],
        "$limit": 7,
    }
    expected = sorted(
        naive.rows["@dom"], key=lambda row: (row["x"] is None, -(row["x"] or 0), row["node"])
    )
    assert [row["x"] for row in rows(release, query)] == [row["x"] for row in expected[:7]]
    assert rows(release, query | {"$limit": 0}) == []


def test_samples_are_of_captures_and_always_the_same(release: Release) -> None:
    query: dict[str, Any] = {"$from": "@dom", "$distinct": "capture", "$order": "capture"}
    everything = rows(release, query)
    halves = [rows(release, query | {"$sample": {"share": 0.5, "seed": seed}}) for seed in "abcdef"]
    assert all(
        half == rows(release, query | {"$sample": {"share": 0.5, "seed": seed}})
        for half, seed in zip(halves, "abcdef", strict=True)
    )
    assert all(set(map(str, half)) <= set(map(str, everything)) for half in halves)
    assert len({str(half) for half in halves}) > 1
    assert 0 < sum(map(len, halves)) < 6 * len(everything)
    assert rows(release, query | {"$sample": 1}) == everything


def test_distinct_rows_of_several_columns(release: Release, naive: World) -> None:
    found = rows(release, {"$from": "@visual", "$distinct": ["kind", "font"]})
    expected = {(row["kind"], row["font"]) for row in naive.rows["@visual"]}
    assert {(row["kind"], row["font"]) for row in found} == expected
    assert len(found) == len(expected)


def test_answers_are_arrow_and_pandas(release: Release) -> None:
    answer = ask(release, {"$from": "@dom", "$select": ["node", "name"]})
    assert isinstance(answer.to_arrow(), pa.Table)
    assert len(answer) == answer.table.num_rows
    assert answer.release == release.number
    pytest.importorskip("pandas")
    assert list(answer.to_pandas().columns) == ["node", "name"]
