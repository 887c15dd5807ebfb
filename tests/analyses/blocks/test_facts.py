"""A page as facts, for those nodes that a guard lets through."""

from __future__ import annotations

from typing import Any

import pytest
from tests.analyses.blocks.conftest import Node, make_page

from webgeist.analyses.blocks.facts import Facts
from webgeist.analyses.blocks.rules.reach import ANY, NOBODY, Cheap, Guard, Request
from webgeist.analyses.blocks.rules.syntax import Predicate

HERE = "https://example.org/list?page=2"
NODES: list[Node] = [
    ("html", -1, None, {}),
    ("body", 0, None, {}),
    ("a", 1, None, {"href": "/list?page=1"}),
    ("#text", 2, "1", {}),
    ("b", 1, None, {"class": "now"}),
    ("#text", 4, "2", {}),
    ("a", 1, None, {"href": "/list?page=3"}),
    ("#text", 6, "3", {}),
    ("a", 1, None, {"href": "https://other.example/"}),
    ("#text", 8, "Elsewhere", {}),
    ("a", 1, None, {"href": "#", "onclick": "page(4)"}),
    ("#text", 10, "4", {}),
]
CLICKABLE = Guard(frozenset([frozenset([Cheap("dom::clickable")])]))
NUMBERS = Guard(frozenset([frozenset([Cheap("gate::annotation", "NUMBER")])]))


def facts() -> Facts:
    boxes = [(10.0 * k, 5.0, 8.0, 8.0) for k in range(len(NODES) - 1)] + [None]
    return Facts(make_page(NODES, boxes), HERE, (1280, 800))


def rows(name: str, arity: int, guard: Guard = ANY, kind: str | None = None) -> list[Any]:
    return list(facts().rows(Request(Predicate(name, arity), kind), guard))


@pytest.mark.parametrize(
    ("name", "arity", "expected"),
    [
        ("dom::clickable", 1, [(2,), (6,), (8,), (10,)]),
        ("url::other_host", 1, [(8,)]),
        ("url::no_target", 1, [(10,)]),
        ("url::agrees", 1, [(2,), (6,), (10,)]),
        ("url::near", 1, [(2,), (6,)]),
        ("url::step", 2, [(2, -1.0), (6, 1.0)]),
        ("css::page", 4, [(0.0, 0.0, 1280, 2000)]),
        ("css::resolution", 2, [(1280, 800)]),
        ("run::place", 3, [(2, 0, 0), (5, 0, 1), (6, 0, 2), (10, 1, 0)]),
    ],
)
def test_rows(name: str, arity: int, expected: list[Any]) -> None:
    assert rows(name, arity) == expected


def test_start_and_end_hold_what_is_below() -> None:
    of = {node: (start, end) for node, _, _, start, end in rows("dom::node", 5)}
    parents = {node: parent for node, _, parent, _, _ in rows("dom::node", 5)}
    for node, parent in parents.items():
        if parent >= 0:
            assert of[parent][0] < of[node][0] < of[node][1] < of[parent][1]
    assert of[2][1] < of[4][0]  # one after the other


def test_a_guard_leaves_only_the_nodes_that_it_names() -> None:
    assert [row[0] for row in rows("css::box", 5, CLICKABLE)] == [2, 6, 8, 10]
    assert [row[0] for row in rows("css::box", 5, NUMBERS)] == [2, 5, 6, 10]
    either = CLICKABLE | NUMBERS
    assert [row[0] for row in rows("css::box", 5, either)] == [2, 5, 6, 8, 10]
    both = CLICKABLE & NUMBERS
    assert [row[0] for row in rows("css::box", 5, both)] == [2, 6, 10]
    assert rows("css::box", 5, NOBODY) == []


def test_nodes_without_a_box_have_no_row() -> None:
    assert len(NODES) - 1 not in [row[0] for row in rows("css::box", 5)]


def test_contents_attributes_and_properties() -> None:
    assert ("b", "now") not in rows("dom::attribute", 3)
    assert (4, "class", "now") in rows("dom::attribute", 3)
    told = {node: (text, length) for node, text, _, length in rows("dom::content", 4)}
    assert told[8] == ("Elsewhere", 9)
    assert rows("css::color", 2, CLICKABLE) == [(2, "red"), (6, "red"), (8, "red"), (10, "red")]
    assert rows("css::no_such_property", 2, CLICKABLE) == []


def test_annotations_of_one_kind() -> None:
    assert rows("gate::annotation", 3, ANY, "NUMBER") == [
        (2, "NUMBER", 1),
        (6, "NUMBER", 3),
        (10, "NUMBER", 4),
        (5, "NUMBER", 2),
    ]
    assert {row[0] for row in rows("gate::annotation", 3, CLICKABLE, "NUMBER")} == {2, 6, 10}


def test_a_script_stands_for_an_address() -> None:
    assert facts().leads[10] == "script:page(4)"
