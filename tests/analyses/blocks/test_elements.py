"""What can be clicked, what holds it, and what it says."""

from __future__ import annotations

import pytest
from tests.analyses.blocks.conftest import Node, make_page

from webgeist.analyses.blocks.elements import Elements

TOP: list[Node] = [("html", -1, None, {}), ("body", 0, None, {})]


def elements(*nodes: Node) -> Elements:
    """Nodes below the body, which is node 1; theirs begin at 2."""
    return Elements(make_page([*TOP, *nodes], [(0.0, 0.0, 9.0, 9.0)] * (len(nodes) + 2)))


@pytest.mark.parametrize(
    ("node", "clickable"),
    [
        (("a", 1, None, {"href": "/"}), True),
        (("a", 1, None, {}), False),
        (("a", 1, None, {"class": "current"}), False),
        (("a", 1, None, {"onclick": "go(2)"}), True),
        (("a", 1, None, {"data-page": "2"}), True),
        (("a", 1, None, {"tabindex": "0"}), True),
        (("button", 1, None, {}), True),
        (("area", 1, None, {}), True),
        (("input", 1, None, {"type": "submit"}), True),
        (("input", 1, None, {"type": "text"}), False),
        (("span", 1, None, {"role": "button"}), True),
        (("span", 1, None, {"role": "link"}), True),
        (("span", 1, None, {"onclick": "go(2)"}), True),
        (("span", 1, None, {}), False),
    ],
)
def test_what_can_be_clicked(node: Node, clickable: bool) -> None:
    assert elements(node).clickable == ([2] if clickable else [])


def test_nothing_inside_a_clickable_element_is_another() -> None:
    found = elements(
        ("a", 1, None, {"href": "/"}), ("button", 2, None, {}), ("button", 1, None, {})
    )
    assert found.clickable == [2, 4]


def test_a_listener_on_something_with_links_is_no_button() -> None:
    card = ("div", 1, None, {"onclick": "open()"})
    assert elements(card, ("a", 2, None, {"href": "/"})).clickable == [3]


def test_an_item_that_keys_reach_makes_its_link_clickable() -> None:
    item = ("li", 1, None, {"tabindex": "0", "class": "next", "title": "Next"})
    found = elements(item, ("a", 2, None, {}), ("#text", 3, "2", {}))
    assert found.clickable == [3]
    assert found.wrapper(3) == 2


@pytest.mark.parametrize(
    "beside",
    [("#text", 2, "of 9", {}), ("b", 2, None, {})],
    ids=["words", "an element"],
)
def test_what_holds_more_is_no_wrapper(beside: Node) -> None:
    found = elements(("li", 1, None, {"class": "next"}), ("a", 2, None, {"href": "/"}), beside)
    assert found.wrapper(3) is None


def test_white_space_and_markers_do_not_count_beside_it() -> None:
    found = elements(
        ("li", 1, None, {"class": "next"}),
        ("::marker", 2, None, {}),
        ("#text", 2, "\n  ", {}),
        ("a", 2, None, {"href": "/"}),
    )
    assert found.wrapper(5) == 2


def test_a_division_or_an_item_without_a_name_is_no_wrapper() -> None:
    assert (
        elements(("div", 1, None, {"class": "x"}), ("a", 2, None, {"href": "/"})).wrapper(3) is None
    )
    assert elements(("li", 1, None, {}), ("a", 2, None, {"href": "/"})).wrapper(3) is None


@pytest.mark.parametrize(
    ("holder", "own", "disabled"),
    [
        ({}, {}, False),
        ({}, {"disabled": ""}, True),
        ({}, {"aria-disabled": "true"}, True),
        ({}, {"aria-disabled": "false"}, False),
        ({}, {"class": "page-link disabled"}, True),
        ({"class": "page-item disabled"}, {}, True),
        ({"class": "page-item"}, {}, False),
    ],
)
def test_what_cannot_be_clicked_now(
    holder: dict[str, str], own: dict[str, str], disabled: bool
) -> None:
    found = elements(("li", 1, None, holder), ("a", 2, None, {"href": "/", **own}))
    assert found.is_disabled(3) is disabled


def test_where_they_lead() -> None:
    found = elements(
        ("a", 1, None, {"href": "?page=2"}),
        ("a", 1, None, {"href": "javascript:go(3)"}),
        ("a", 1, None, {"href": "  /x "}),
        ("button", 1, None, {}),
    )
    assert found.targets == {2: "https://example.org/list?page=2", 4: "https://example.org/x"}
    assert found.href(3) == "javascript:go(3)"
    assert found.href(5) is None


def test_what_lies_inside() -> None:
    found = elements(
        ("a", 1, None, {"href": "/"}),
        ("img", 2, None, {"src": "/gif/next.gif?v=2", "alt": "Next"}),
        ("i", 2, None, {"class": "icon-right"}),
    )
    inside = found.inside(2)
    assert inside.labels == ["Next"]
    assert inside.names == ("next", "icon-right")
    assert inside.pictures == "next.gif"


def test_other_texts_are_short_and_outside_of_links() -> None:
    found = elements(
        ("#text", 1, "Page", {}),
        ("a", 1, None, {"href": "/"}),
        ("#text", 3, "2", {}),
        ("#text", 1, "  ", {}),
        ("#text", 1, "x" * 300, {}),
        ("script", 1, None, {}),
        ("#text", 7, "3", {}),
    )
    assert found.other_texts == {2: "Page"}
