"""The paper's queries: in DQL, and as the best SQL that we can write by hand for the same files.

Both give the same columns, but that a heat map's cells are counted up by DQL alone.

Hand-written SQL uses the names of tables; `{nodes}` is `read_parquet([...])` of their files.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Question:
    """What is asked, in both languages. A `scan` reads all of a column; others look for few rows."""

    name: str
    dql: dict[str, Any]
    sql: str
    mariadb: str
    scan: bool


_DOM = {"$from": "@dom"}

QUESTIONS = (
    Question(
        "distinct cursors",
        _DOM | {"$select": [{"@styles": {"$distinct": "cursor"}}]},
        "SELECT DISTINCT cursor FROM {styles_inherited} WHERE cursor IS NOT NULL",
        "SELECT DISTINCT `cursor` FROM styles_inherited",
        scan=True,
    ),
    Question(
        "text colours, cumulated",
        _DOM | {"$cdf": "@styles.color"},
        "WITH c AS (SELECT color, sum(nodes) AS n FROM {styles_inherited} GROUP BY 1) "
        "SELECT color, n, n / sum(n) OVER (), sum(n) OVER (ORDER BY n DESC, color ROWS UNBOUNDED "
        "PRECEDING) / sum(n) OVER () FROM c ORDER BY n DESC, color",
        "SELECT color, SUM(nodes) AS n, SUM(SUM(nodes)) OVER (ORDER BY SUM(nodes) DESC, color) "
        "FROM styles_inherited GROUP BY color ORDER BY n DESC",
        scan=True,
    ),
    Question(
        "depth of pages",
        {"$histogram": {"of": "depth", "width": 1}},
        "SELECT depth, depth + 1, count(*), count(*) / sum(count(*)) OVER () FROM {pages} "
        "WHERE depth IS NOT NULL GROUP BY 1 ORDER BY 1",
        "SELECT depth, COUNT(*) FROM pages GROUP BY depth ORDER BY depth",
        scan=True,
    ),
    Question(
        "shapes of blocks",
        {"$from": "@visual", "$histogram": {"of": "aspectRatio", "width": 0.25, "range": [0, 10]}},
        'SELECT floor("aspectRatio" / 0.25) * 0.25 AS low, low + 0.25, count(*), '
        "count(*) / sum(count(*)) OVER () FROM {features} "
        'WHERE "aspectRatio" BETWEEN 0 AND 10 GROUP BY 1 ORDER BY 1',
        "SELECT FLOOR(aspectRatio / 0.25) * 0.25 AS low, COUNT(*) FROM features "
        "WHERE aspectRatio BETWEEN 0 AND 10 GROUP BY low ORDER BY low",
        scan=True,
    ),
    Question(
        "opacities below 1",
        _DOM | {"$where": {"@styles": {"opacity": {"$lt": 1}}}, "$top": "@styles.opacity"},
        "SELECT opacity, sum(nodes) AS n, sum(nodes) / sum(sum(nodes)) OVER () FROM {styles_own} "
        "WHERE opacity_value < 1 GROUP BY 1 ORDER BY n DESC, opacity",
        "SELECT opacity, SUM(nodes) AS n FROM styles_own WHERE opacity < 1 GROUP BY opacity ORDER BY n DESC",
        scan=True,
    ),
    Question(
        "where .container is",
        _DOM | {"$where": {"class": "container"}, "$heatmap": {"columns": 20, "rows": 20}},
        "SELECT l, r, t, b, count(*) FROM (SELECT "
        "greatest(floor(n.x * 20.0 / c.screenshot_width), 0)::INT AS l, "
        "least(ceil((n.x + n.width) * 20.0 / c.screenshot_width) - 1, 19)::INT AS r, "
        "greatest(floor(n.y * 20.0 / c.screenshot_height), 0)::INT AS t, "
        "least(ceil((n.y + n.height) * 20.0 / c.screenshot_height) - 1, 19)::INT AS b "
        "FROM {nodes} n JOIN {captures} c ON c.capture = n.capture "
        "WHERE n.attributes['class'] = 'container' AND n.width > 0 AND n.height > 0 "
        "AND n.x < c.screenshot_width AND n.y < c.screenshot_height) GROUP BY ALL",
        "SELECT FLOOR(x / 64), FLOOR(y / 64), COUNT(*) FROM nodes WHERE class = 'container' "
        "GROUP BY 1, 2",
        scan=False,
    ),
    Question(
        "pages that scroll sideways",
        {
            "$select": [{"distinct": "page_id"}],
            "$where": [{"@visual": {"aspectRatio": {"gt": 10}}}],
        },
        'SELECT capture FROM {features} WHERE block = 0 AND "aspectRatio" > 10',
        "SELECT capture FROM features WHERE block = 0 AND aspectRatio > 10",
        scan=False,
    ),
    Question(
        "canvases",
        _DOM | {"$where": {"tagName": "CANVAS"}, "$select": ["page_id", "node"]},
        "SELECT capture, node FROM {nodes} WHERE name IN ('CANVAS', 'canvas')",
        "SELECT capture, node FROM nodes WHERE name = 'canvas'",
        scan=False,
    ),
    Question(
        "type larger than 100 px",
        _DOM
        | {"$where": {"@styles": {"font-size": {"$gt": "100px"}}}, "$select": ["page_id", "node"]},
        "SELECT n.capture, n.node FROM {nodes} n SEMI JOIN (SELECT capture, style FROM "
        "{styles_inherited} WHERE font_size_px > 100) s "
        "ON s.capture = n.capture AND s.style = n.style_inherited",
        "SELECT n.capture, n.node FROM styles_inherited s JOIN nodes n "
        "ON n.capture = s.capture AND n.style_inherited = s.style WHERE s.font_size > 100",
        scan=False,
    ),
    Question(
        "overlays that shine through",
        _DOM
        | {
            "$where": {"@styles": {"background-color": {"$alpha": {"$gt": 0, "$lt": 1}}}},
            "$select": ["page_id", "node"],
        },
        "SELECT n.capture, n.node FROM {nodes} n SEMI JOIN (SELECT capture, style FROM {styles_own} "
        "WHERE background_color_alpha > 0 AND background_color_alpha < 1) s "
        "ON s.capture = n.capture AND s.style = n.style_own",
        "SELECT n.capture, n.node FROM styles_own s JOIN nodes n ON n.capture = s.capture "
        "AND n.style_own = s.style WHERE s.alpha > 0 AND s.alpha < 1",
        scan=False,
    ),
    Question(
        "pages like search engines",
        {
            "$select": [{"page_id": 1}],
            "$where": {
                "@dom": {
                    "tagName": "INPUT",
                    "type": "text",
                    "@visual": {
                        "leftSidedness": {"$between": [0.4, 0.6]},
                        "topSidedness": {"$between": [0.4, 0.6]},
                    },
                },
                "@visual": {"$cnt": {"$lt": 500}},
            },
        },
        "SELECT DISTINCT n.capture FROM {nodes} n "
        "JOIN {blocks} b ON b.capture = n.capture AND b.node = n.node "
        "JOIN {features} f ON f.capture = b.capture AND f.block = b.block "
        "WHERE n.name = 'input' AND coalesce(lower(n.attributes['type']), 'text') = 'text' "
        'AND f."leftSidedness" BETWEEN 0.4 AND 0.6 AND f."topSidedness" BETWEEN 0.4 AND 0.6 '
        "AND n.capture IN (SELECT capture FROM {blocks} GROUP BY 1 HAVING count(*) < 500)",
        "SELECT DISTINCT n.capture FROM nodes n JOIN blocks b ON b.capture = n.capture AND b.node = "
        "n.node JOIN features f ON f.capture = b.capture AND f.block = b.block WHERE n.name = 'input' "
        "AND n.input_type = 'text' AND f.leftSidedness BETWEEN 0.4 AND 0.6 AND f.topSidedness BETWEEN "
        "0.4 AND 0.6 AND (SELECT COUNT(*) FROM blocks c WHERE c.capture = n.capture) < 500",
        scan=False,
    ),
    Question(
        "a large header, a menu on top, a long text",
        {
            "$select": [{"page_id": 1}],
            "$where": [
                {"@dom": {"tagName": "HEADER", "@visual": {"areaOfPage": {"$gt": 0.05}}}},
                {"@dom": {"tagName": "NAV", "@visual": {"fractionalY": {"$lt": 0.1}}}},
                {"@visual": {"$any": {"kind": "text", "words": {"$gt": 50}}}},
            ],
        },
        "WITH s AS (SELECT n.capture, n.name, b.block FROM {nodes} n JOIN {blocks} b ON b.capture = "
        "n.capture AND b.node = n.node WHERE n.name IN ('header', 'nav')) "
        "SELECT DISTINCT s.capture FROM s JOIN {features} f ON f.capture = s.capture AND f.block = "
        "s.block WHERE s.name = 'header' AND f.\"areaOfPage\" > 0.05 AND s.capture IN (SELECT s.capture "
        "FROM s JOIN {features} f ON f.capture = s.capture AND f.block = s.block WHERE s.name = 'nav' "
        'AND f."fractionalY" < 0.1) AND s.capture IN (SELECT b.capture FROM {blocks} b JOIN {features} '
        "f ON f.capture = b.capture AND f.block = b.block WHERE b.kind = 'text' AND f.words > 50)",
        "SELECT DISTINCT n.capture FROM nodes n JOIN blocks b ON b.capture = n.capture AND b.node = "
        "n.node JOIN features f ON f.capture = b.capture AND f.block = b.block WHERE n.name = 'header' "
        "AND f.areaOfPage > 0.05 AND EXISTS (SELECT 1 FROM nodes m JOIN blocks c ON c.capture = "
        "m.capture AND c.node = m.node JOIN features g ON g.capture = c.capture AND g.block = c.block "
        "WHERE m.capture = n.capture AND m.name = 'nav' AND g.fractionalY < 0.1) AND EXISTS (SELECT 1 "
        "FROM blocks d JOIN features h ON h.capture = d.capture AND h.block = d.block WHERE d.capture = "
        "n.capture AND d.kind = 'text' AND h.words > 50)",
        scan=False,
    ),
)
