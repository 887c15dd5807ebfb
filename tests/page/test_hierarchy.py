"""Blocks of pages that Chromium laid out, and what holds for the blocks of any page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from webgeist.page.containment import SLACK, containers
from webgeist.page.hierarchy import Kind, hierarchy
from webgeist.page.painting import painting

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Shooter, Studio

    from webgeist.page.hierarchy import Hierarchy
    from webgeist.page.model import Page

STYLES = (
    "",
    "background:#ddd",
    "border:1px solid",
    "position:absolute;top:30px;left:200px",
    "position:fixed;top:0;right:0",
    "position:relative;z-index:-1",
    "opacity:0",
    "opacity:.5",
    "overflow:hidden;height:30px",
    "float:right;width:40%",
    "display:flex;gap:8px",
    "display:none",
    "visibility:hidden",
    "display:contents",
    "margin-left:-20px",
    "transform:rotate(9deg)",
    "width:0;height:0",
)
TAGS = ("div", "section", "p", "span", "a", "ul", "li", "b", "td")
LEAVES = (
    *(
        "some words",
        " ",
        "<img width=30 height=20>",
        "<input value=v>",
        "<hr>",
        "<button>go</button>",
    ),
    *(
        "<svg width=20 height=20><rect width=9 height=9 /></svg>",
        "<br>",
        "текст",
        "<select><option>o</select>",
    ),
)

html_trees = st.recursive(
    st.sampled_from(LEAVES),
    lambda inside: st.tuples(
        st.sampled_from(TAGS), st.sampled_from(STYLES), st.lists(inside, max_size=4)
    ).map(lambda parts: f'<{parts[0]} style="{parts[1]}">{"".join(parts[2])}</{parts[0]}>'),
    max_leaves=25,
)


def must(page: Page | None) -> Page:
    assert page is not None
    return page


def described(page: Page, found: Hierarchy) -> list[str]:
    """The tree as lines: name or words, indented by depth."""
    return [
        "  " * int(found.depth[block]) + (page.texts[node] or page.names[node]).strip()
        for block, node in enumerate(found.node.tolist())
    ]


def check_invariants(page: Page, found: Hierarchy) -> None:
    count = len(found)
    assert found.parent[0] == -1
    parents = found.parent[1:]
    assert (parents < np.arange(1, count)).all()
    outer, inner = found.box[parents], found.box[1:]
    assert (outer[:, :2] <= inner[:, :2] + SLACK).all()
    assert (outer[:, 2:] >= inner[:, 2:] - SLACK).all()
    assert (found.depth[1:] == found.depth[parents] + 1).all()
    boxes = found.kind == list(Kind).index(Kind.BOX)
    assert boxes[parents].all()  # leaves hold nothing
    for block in range(count):
        assert (found.end[block + 1 : found.end[block]] <= found.end[block]).all()
    assert len(set(found.node.tolist())) == count


def check_every_painted_node_is_covered(page: Page, found: Hierarchy) -> None:
    """Each has a block that shows it: itself, one joined with it, or an ancestor's."""
    shown = np.flatnonzero(painting(page).paints)
    assert (found.owner[shown] >= 0).all()
    own = found.node[found.owner[shown]]
    above = (own <= shown) & (page.end[own] > shown)
    joined = {(int(block), int(node)) for block, node in found.also}
    for block, node, is_above in zip(found.owner[shown], shown, above, strict=True):
        assert is_above or (int(block), int(node)) in joined


def check_again(page: Page, found: Hierarchy) -> None:
    """The blocks alone hang together as they do: nothing that was dropped has a say."""
    painted = painting(page)
    order = painted.order[found.node].copy()
    order[0] = -1
    holds = found.kind == list(Kind).index(Kind.BOX)
    again = containers(found.box, order, painted.layer[found.node], holds)
    again[1:][again[1:] < 0] = 0
    assert again.tolist() == found.parent.tolist()


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(html_trees)
def test_what_holds_for_the_blocks_of_any_page(shoot_html: Shooter, html: str) -> None:
    page = must(shoot_html(f"<!doctype html><body>{html}").page)
    found = hierarchy(page)
    check_invariants(page, found)
    check_every_painted_node_is_covered(page, found)
    check_again(page, found)
    twin = hierarchy(must(shoot_html(f"<!doctype html><body>{html}").page))
    assert twin.node.tolist() == found.node.tolist()
    assert twin.parent.tolist() == found.parent.tolist()


def test_wrappers_go_and_texts_are_shown_by_their_element(shoot_html: Shooter) -> None:
    page = must(
        shoot_html(
            "<body><div><div><h1>Title</h1></div><div class=w><p>One <a href=/>two</a></p>"
            "<img width=50 height=50></div></div>"
        ).page
    )
    assert described(page, hierarchy(page)) == [
        "html",
        "  div",
        "    h1",
        "    div",
        "      p",
        "        One",
        "        a",
        "      img",
    ]


def test_joined_nodes_are_told_with_the_block_that_has_their_box(shoot_html: Shooter) -> None:
    page = must(
        shoot_html("<body><nav><ul style='margin:0;padding:0'><li>a<li>b</ul></nav><p>c</p>").page
    )
    found = hierarchy(page)
    (nav,), (ul,) = page.find("nav"), page.find("ul")
    block = int(found.owner[nav])
    assert found.node[block] == ul
    assert (block, nav) in [tuple(pair) for pair in found.also.tolist()]


def test_a_fixed_bar_hangs_below_the_page_and_keeps_its_parts(shoot_html: Shooter) -> None:
    page = must(
        shoot_html(
            "<body style='margin:0'><div style='position:fixed;top:0;width:100%;background:#fff'>"
            "<b>bar</b> <i>x</i></div><section style='height:900px;background:#eee'><p>under</p>"
            "<p>more</section>"
        ).page
    )
    found = hierarchy(page)
    names = [page.names[node] for node in found.node]
    assert found.parent[names.index("div")] == 0
    assert found.parent[names.index("b")] == names.index("div")
    assert found.parent[names.index("p")] == names.index("section")


def test_what_overflows_hangs_below_what_it_lies_in(shoot_html: Shooter) -> None:
    page = must(
        shoot_html(
            "<body style='margin:0'><main style='height:600px;background:#eef'>"
            "<div style='height:30px;background:#ccc;width:90px'>menu"
            "<div id=drop style='position:absolute;top:40px;background:#fff;width:300px'>open</div></div>"
            "</main>"
        ).page
    )
    found = hierarchy(page)
    (drop,) = np.flatnonzero(page.with_attribute("id", "drop"))
    block = found.node.tolist().index(int(drop))
    assert page.names[int(found.node[found.parent[block]])] == "main"


def test_what_is_covered_completely_is_no_block(shoot_html: Shooter) -> None:
    page = must(
        shoot_html(
            "<body style='margin:0'><p style='margin:0;height:40px'>under</p>"
            "<div style='position:absolute;top:0;left:0;right:0;height:90px;background:#fff'>over"
        ).page
    )
    words = [page.text(node) for node in hierarchy(page).node]
    assert "over" in words
    assert "under" not in words


@pytest.mark.parametrize(
    ("html", "kinds"),
    [
        ("", [Kind.BOX]),
        ("<img width=9 height=9>", [Kind.BOX, Kind.IMAGE]),
        ("<svg width=9 height=9><circle r=3 /></svg>", [Kind.BOX, Kind.IMAGE]),
        ("<input>", [Kind.BOX, Kind.CONTROL]),
        ("<select><option>a<option>b</select>", [Kind.BOX, Kind.CONTROL]),
        ("words", [Kind.BOX, Kind.TEXT]),
        ("<button>go</button>", [Kind.BOX, Kind.TEXT]),
    ],
)
def test_kinds(shoot_html: Shooter, html: str, kinds: list[Kind]) -> None:
    assert hierarchy(must(shoot_html(f"<body>{html}").page)).kinds() == kinds


def test_a_page_without_any_box_has_no_blocks(shoot_html: Shooter) -> None:
    page = must(shoot_html("<html style='display:none'><body>words").page)
    found = hierarchy(page)
    assert len(found) == 0
    assert (found.owner == -1).all()


@pytest.mark.parametrize("bad", [np.nan, -50.0, np.inf])
def test_boxes_that_make_no_sense_are_not_seen(shoot_html: Shooter, bad: float) -> None:
    page = must(shoot_html("<body><p>one</p><p>two</p>").page)
    boxes = page.boxes.copy()
    first = page.find("p")[0]
    boxes[first : page.end[first], 2] = bad
    page.__dict__["boxes"] = boxes  # as a table from elsewhere could have them
    words = [page.text(node) for node in hierarchy(page).node]
    assert "two" in words


def test_fifty_thousand_nodes(studio: Studio, tmp_path: Path, shoot_html: Shooter) -> None:
    rows = "".join(f"<tr><td>{n}<td><a href=/{n}>link</a><td>word" for n in range(7200))
    page = must(shoot_html(f"<body><table>{rows}</table>").page)
    assert len(page) > 50_000
    found = hierarchy(page)
    check_invariants(page, found)
    assert len(found) > 20_000
