"""Differences as lines: which node, what was, what is, and the weightier ones first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.page.conftest import page_of
from tests.page.test_alignment import items

from webgeist.page.compare import compare
from webgeist.page.telling import path, tell

if TYPE_CHECKING:
    from tests.conftest import Shooter
    from tests.page.conftest import Tree

    from webgeist.page.model import Page


def lines(before: Page | None, after: Page | None, most: int = 10) -> list[str]:
    assert before
    assert after
    return [str(line) for line in tell(compare(before, after), before, after, most)]


def document(tree: Tree) -> Page:
    return page_of(("#document", [tree]))


def test_a_subtree_is_one_line() -> None:
    before = document(("html", [items("a", "b"), items("c")]))
    after = document(("html", [items("a")]))
    assert lines(before, after) == [
        "removed html/ul[1]/li[2]: 2 nodes “b”",
        "removed html/ul[2]: 3 nodes “c”",
    ]
    assert lines(after, before) == [
        "added html/ul[1]/li[2]: 2 nodes “b”",
        "added html/ul[2]: 3 nodes “c”",
    ]


@pytest.mark.parametrize(
    ("one", "other", "line"),
    [
        ("<p id=x>old words", "<p id=x>new words", "text p#x/#text: old words → new words"),
        ("<p class=a title=t>w", "<p class=b title=t>w", "attributes p: class=a → class=b"),
        ("<p title=t>w", "<p>w", "attributes p: title=t → none"),
        ("<b style=color:red>w", "<b style=color:blue>w", "style b: caret-color=rgb(255, 0, 0)"),
        ("<input value=a>", "<input value=b>", "state input: value=a → value=b"),
        (
            "<i style='position:absolute;left:5px;top:5px;width:9px;height:8px'>",
            "<i style='position:absolute;left:50px;top:5px;width:9px;height:8px'>",
            "box i: 9x8 at 5,5 → 9x8 at 50,5",
        ),
        ("<p>w<p hidden>x", "<p>w<p>x", "box p[2]: no box → 1264x"),
    ],
)
def test_what_was_and_what_is(shoot_html: Shooter, one: str, other: str, line: str) -> None:
    head = "<!doctype html><html><head></head><body>"
    told = lines(shoot_html(head + one).page, shoot_html(head + other).page)
    kind, _, rest = line.partition(" ")
    assert any(each.startswith(f"{kind} html/body/{rest}") for each in told), told


def test_the_first_few_and_the_weightier_first(shoot_html: Shooter) -> None:
    before = shoot_html("<p>one</p><p>two</p><p>three</p>").page
    after = shoot_html("<h1>new</h1><p>one</p><p class=c>two</p><p>three!</p>").page
    told = lines(before, after, most=4)
    assert [line.split()[0] for line in told] == ["added", "text", "attributes", "box"]


def test_long_texts_are_cut() -> None:
    told = lines(document(items("a" * 500)), document(items("b" * 500)))
    assert told == [f"text ul/li/#text: {'a' * 79}… → {'b' * 79}…"]


def test_a_path_through_a_frame(shoot_html: Shooter) -> None:
    page = shoot_html("<!doctype html><body><iframe srcdoc='<b>in</b>'></iframe>").page
    assert page
    assert path(page, page.find("b")[0]) == "html/body/iframe/#document/html/body/b"
    assert path(page, 0) == "#document"
