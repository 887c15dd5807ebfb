"""A page's own questions: text, names, attributes, boxes, styles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

if TYPE_CHECKING:
    from tests.conftest import Shooter
    from tests.page.conftest import PageMaker, Tree

    from webgeist.page.model import Page

SILENT = ("script", "style", "noscript")
INLINE = ("b", "a", "span")
BLOCK = ("p", "div", "li")

leaves: st.SearchStrategy[Tree] = st.sampled_from(["=a", "= ", "=b c", "=\n", "="]).map(
    lambda text: (text, [])
)
forests = st.recursive(
    leaves,
    lambda below: st.tuples(
        st.sampled_from([*SILENT, *INLINE, *BLOCK]), st.lists(below, max_size=4)
    ),
    max_leaves=12,
)


def naive_text(tree: Tree) -> str:
    """The model: a walk that puts a space on both sides of a block."""
    name, below = tree
    if name.startswith("="):
        return name[1:]
    if name in SILENT:
        return ""
    inside = "".join(naive_text(child) for child in below)
    return inside if name in INLINE else f" {inside} "


@given(forests)
def test_text_is_what_a_walk_would_collect(make_page: PageMaker, tree: Tree) -> None:
    page = make_page(("body", [tree]))
    assert page.text(0) == " ".join(naive_text(tree).split())
    assert page.text(1) == " ".join(naive_text(tree).split())


def kept(page: Page | None) -> Page:
    assert page is not None
    return page


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<div>one<p>two</p>three</div>", "one two three"),
        ("<div>un<b>believ</b>able</div>", "unbelievable"),
        ("<div> a \n\t b </div>", "a b"),
        ("<div>a<script>b</script><style>c{}</style>d</div>", "ad"),
        ("<div>a<br>b</div>", "a b"),
        ("<div><ul><li>a<li>b</ul>c</div>", "a b c"),
        ("<div>a<iframe srcdoc='<p>framed'></iframe>b</div>", "a framed b"),
        ("<div></div>", ""),
        ("<div><a><small style='display:block'>Next</small>Title</a></div>", "Next Title"),
        ("<div style='display:flex'><b>one</b><b>two</b></div>", "one two"),
        ("<div><b style='float:left'>O</b>nce</div>", "Once"),
        ("<div>un<b style='display:inline-block'>believ</b>able</div>", "unbelievable"),
        ("<div>1<sup style='position:absolute'>st</sup></div>", "1st"),
        ("<div>one<b style='display:none'>x</b>two</div>", "onextwo"),
    ],
)
def test_text_of_real_pages(shoot_html: Shooter, html: str, text: str) -> None:
    page = kept(shoot_html(f"<title>not this</title>{html}").page)
    assert page.text(page.find("div")[0]) == text


def test_a_comment_does_not_part_a_word(shoot_html: Shooter) -> None:
    page = kept(shoot_html("<p>1<!-- -->2</p>").page)
    assert page.text(page.find("p")[0]) == "12"


def test_a_pseudo_element_does_not_part_a_word(shoot_html: Shooter) -> None:
    page = kept(
        shoot_html(
            "<style>b::after{content:'';display:block}</style><p>un<b>believable</b></p>"
        ).page
    )
    assert page.text(page.find("p")[0]) == "unbelievable"


def test_names_types_and_ends(make_page: PageMaker) -> None:
    page = make_page(("body", [("p", [("=a", [])]), ("p", []), ("#comment", [])]))
    assert len(page) == 5
    assert page.find("p") == [1, 3]
    assert page.find("table") == []
    assert page.type.tolist() == [1, 1, 3, 1, 8]
    assert page.end.tolist() == [5, 3, 3, 4, 5]
    assert page.parent.tolist() == [-1, 0, 1, 0, 0]


def test_boxes_are_the_browsers_and_nan_where_there_is_none(shoot_html: Shooter) -> None:
    page = kept(
        shoot_html(
            "<style>*{margin:0}</style>"
            "<div style='position:absolute;left:10px;top:20px;width:30px;height:40px'></div>"
            "<p style='display:none'>hidden"
        ).page
    )
    assert page.boxes[page.find("div")[0]].tolist() == [10, 20, 30, 40]
    assert np.isnan(page.boxes[page.find("p")[0]]).all()


def test_a_style_has_both_halves_and_nothing_else(shoot_html: Shooter) -> None:
    page = kept(shoot_html("<p style='color:rgb(1,2,3);padding-top:7px'>x").page)
    style = page.style(page.find("p")[0])
    assert style["color"] == "rgb(1, 2, 3)"
    assert style["padding-top"] == "7px"
    assert not {"style", "nodes"} & set(style)


def test_a_node_without_layout_has_no_style(shoot_html: Shooter) -> None:
    page = kept(shoot_html("<p>x").page)
    assert page.style(page.find("head")[0]) == {}


def test_a_name_stands_for_elements_only(shoot_html: Shooter) -> None:
    """A doctype's name is "html" too."""
    page = kept(shoot_html("<!doctype html><p>x").page)
    assert [int(page.type[node]) for node in page.find("html")] == [1]


def _page(shoot_html: Shooter) -> Page:
    return kept(
        shoot_html(
            "<!doctype html><body><ul class=menu><li id=a>one<li><a href=/ id=b>two</a></ul>"
            "<p style='color:rgb(1, 2, 3);display:none'>gone</p><p style='font-size:30px'>large"
        ).page
    )


def test_nodes_are_found_by_name_and_attribute(shoot_html: Shooter) -> None:
    page = _page(shoot_html)
    assert page.named("li", "ul").sum() == 3
    assert not page.named("!doctype").any()
    assert [page.names[n] for n in np.flatnonzero(page.with_attribute("id"))] == ["li", "a"]
    assert page.with_attribute("id", "b").sum() == 1
    assert not page.with_attribute("id", "menu").any()


def test_what_is_above_and_below(shoot_html: Shooter) -> None:
    page = _page(shoot_html)
    (link,) = page.find("a")
    names = [page.names[n] for n in page.ancestors(link)]
    assert names == ["#document", "html", "body", "ul", "li"]
    assert [page.texts[n] for n in page.descendants(link)] == ["two"]
    lists = page.named("ul")
    inside = np.zeros(len(page), bool)
    inside[page.descendants(page.find("ul")[0])] = True
    assert (page.below(lists) == inside).all()
    assert page.count_below(page.named("li"))[page.find("body")[0]] == 2
    assert page.count_below(page.named("li"))[link] == 0
    depths = [0] * len(page)
    for depth, nodes in enumerate(page.levels):
        for node in nodes:
            depths[node] = depth
    assert depths == page.nodes["depth"].to_pylist()


def test_values_of_styles_are_read_for_all_nodes(shoot_html: Shooter) -> None:
    page = _page(shoot_html)
    sizes = page.values("font-size", lambda text: float(text.removesuffix("px")), -1.0)
    assert [sizes[n] for n in page.find("p")] == [-1.0, 30.0]
    displays = page.values("display", str, "")
    for node in range(len(page)):
        assert displays[node] == page.style(node).get("display", "")
    assert (page.values("no-such-property", str, "?") == "?").all()
