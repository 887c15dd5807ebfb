"""The features of blocks on pages whose numbers are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from webgeist.analyses.features.columns import FEATURES, SCHEMA
from webgeist.analyses.features.table import FEATURES_ANALYSIS
from webgeist.analyses.visual import BLOCKS_ANALYSIS

if TYPE_CHECKING:
    from tests.analyses.conftest import Looker

    from webgeist.analyses.analysis import Subject


def rows_by_id(subject: Subject) -> dict[str, dict[str, Any]]:
    """The features of the blocks with an id, and of the page."""
    page = subject.page
    rows = FEATURES_ANALYSIS.rows(subject).to_pylist()
    nodes = BLOCKS_ANALYSIS.rows(subject)["node"].to_pylist()
    found = {
        page.attributes(node).get("id", ""): row for node, row in zip(nodes, rows, strict=True)
    }
    return found | {"page": rows[0]}


def test_position_and_dimension(look: Looker) -> None:
    found = rows_by_id(
        look(
            "<div style='height:1000px;background:#eee'><div id=a style='position:absolute;left:320px;"
            "top:100px;width:640px;height:200px;background:red'><p id=b style='margin:0;width:64px;"
            "height:100px;background:blue'></p><i>x</i></div></div>"
        )
    )
    a, b = found["a"], found["b"]
    assert (a["x"], a["y"], a["width"], a["height"], a["area"]) == (320, 100, 640, 200, 128_000)
    assert a["fractionalX"] == 0.25
    assert a["fractionalY"] == pytest.approx(0.1)
    assert (a["leftSidedness"], a["topSidedness"]) == (0.5, 1.0)
    assert a["aspectRatio"] == pytest.approx(3.2)
    assert a["widthOfPage"] == 0.5
    assert a["areaOfPage"] == pytest.approx(0.1)
    assert b["widthOfParent"] == pytest.approx(0.1)
    assert b["heightOfParent"] == 0.5
    assert b["areaOfParent"] == pytest.approx(0.05)
    assert b["leftSidedness"] == 1.0
    page = found["page"]
    assert page["areaOfParent"] == page["areaOfPage"] == 1.0


def test_content_and_structure(look: Looker) -> None:
    found = rows_by_id(
        look(
            "<div id=a><p id=b>One two three <a href=/>four</a></p><a href=/x><img width=9 height=9></a>"
            "<p id=c>日本語 text</p><p style='display:none'>not seen <a href=/>no</a></p></div>"
            "<p>other</p>"
        )
    )
    a, b, c = found["a"], found["b"], found["c"]
    assert (a["words"], a["links"], a["images"]) == (8, 2, 1)
    assert (b["words"], b["links"], b["images"]) == (4, 1, 0)
    assert c["words"] == 4
    assert (a["children"], a["siblings"], a["siblingOrder"], a["level"]) == (3, 1, 0, 2)
    assert c["siblingOrder"] == 2
    assert c["fractionalSiblingOrder"] == 1.0
    assert found["page"]["fractionalLevel"] == 0.0
    assert a["textDensity"] > 0


def test_colours_contrast_and_fonts(look: Looker) -> None:
    found = rows_by_id(
        look(
            "<p id=a style='background:rgb(0,0,0);color:white;font:20px monospace;height:200px'>white</p>"
            "<p id=b style='background:rgb(255,255,255);color:rgb(118,118,118)'>grey</p>"
            "<div id=c style='background:rgb(10,200,30);height:50px'></div><p>end</p>"
        )
    )
    assert found["a"]["contrast"] == pytest.approx(21, abs=0.1)
    assert found["b"]["contrast"] == pytest.approx(4.54, abs=0.02)
    assert found["c"]["contrast"] is None
    assert found["a"]["font"] == "monospace"
    assert found["c"]["font"] is None
    c = found["c"]
    assert [c[f"frequent{channel}"] for channel in "RGB"] == [10, 200, 30]
    assert [round(c[f"average{channel}"]) for channel in "RGB"] == [10, 200, 30]
    assert c["whitespace"] > 0.95  # but for the edge at its border
    assert c["palette"] == [{"r": 10, "g": 200, "b": 30, "share": 1.0}]
    assert found["a"]["edgePixels"] > 20
    assert found["a"]["edgeShare"] == pytest.approx(
        found["a"]["edgePixels"] / found["a"]["area"], rel=0.05
    )


def test_without_a_picture_what_it_tells_is_null(look: Looker) -> None:
    subject = look("<p>words")
    subject.capture.__dict__["screenshot"] = None
    rows = FEATURES_ANALYSIS.rows(subject)
    assert rows["edgeShare"].null_count == rows.num_rows
    assert rows["words"].to_pylist() == [1] * rows.num_rows


def test_the_same_page_twice_has_the_same_features(look: Looker) -> None:
    html = "<h1>Title</h1><p>Some <a href=/>words</a></p><img width=30 height=30>"
    assert FEATURES_ANALYSIS.rows(look(html)).equals(FEATURES_ANALYSIS.rows(look(html)))


def test_all_of_the_papers_features_are_there() -> None:
    names = {feature.name for feature in FEATURES}
    assert {"aspectRatio", "leftSidedness", "topSidedness"} < names
    assert len(names) == len(FEATURES) == len(SCHEMA) - 1
    assert len([f for f in FEATURES if not f.name.startswith(("average", "frequent"))]) >= 27


def test_a_picture_smaller_than_the_page_counts_as_far_as_it_goes(look: Looker) -> None:
    subject = look("<p>top</p><p style='margin-top:900px'>bottom</p>")
    subject.__dict__["_picture"] = np.zeros((100, 100, 3), np.uint8), 1
    rows = FEATURES_ANALYSIS.rows(subject)
    assert rows["averageR"].null_count == 0
