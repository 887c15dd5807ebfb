"""Programs are run on one page after the other, in databases that are kept."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from tests.analyses.blocks.conftest import make_page

from webgeist.analyses.blocks.facts import Facts
from webgeist.analyses.blocks.rules.compiler import Compiled, Source, compile_rules
from webgeist.analyses.blocks.rules.running import run
from webgeist.errors import LimitError

if TYPE_CHECKING:
    from webgeist.page.model import Page

RULES = """node_of_interest(X) <- dom::clickable(X).
numeric(X) <- gate::annotation(X, "NUMBER", _).
m::numeric(X) <- node_of_interest(X), numeric(X).
m::others(X, N) <- node_of_interest(X), N = #count(Y : numeric(Y), Y != X).
m::copied(X) <- m::numeric(X)."""


def compiled(text: str = RULES) -> Compiled:
    return compile_rules((Source("test", text),), "m")


def links(*texts: str) -> Page:
    nodes: list[tuple[str, int, str | None, dict[str, str]]] = [("html", -1, None, {})]
    for text in texts:
        nodes += [("a", 0, None, {"href": "/"}), ("#text", len(nodes), text, {})]
    return make_page(nodes)


def answers(program: Compiled, page: Page) -> dict[str, list[tuple[object, ...]]]:
    found = run(program, Facts(page, "https://example.org/", (100, 100)))
    return {predicate.name: sorted(rows, key=str) for predicate, rows in found.items()}


EXPECTED = {
    "node_of_interest": [(1,), (3,)],
    "m::numeric": [(1,)],
    "m::others": [(1, 0), (3, 1)],
    "m::copied": [(1,)],
}


def test_the_rows_of_each_feature_and_the_nodes_of_interest() -> None:
    assert answers(compiled(), links("7", "seven things")) == EXPECTED


def test_nothing_is_left_of_the_page_before() -> None:
    program = compiled()
    answers(program, links("1", "2", "3", "4"))
    assert answers(program, links("7", "seven things")) == EXPECTED


def test_only_what_other_rules_ask_for_has_a_table() -> None:
    tables = " ".join(compiled().tables)
    assert "m_numeric" in tables
    assert "m_others" not in tables


def test_rules_that_take_too_long_are_ended_and_the_next_page_is_answered() -> None:
    slow = RULES + (
        "m::slow(N) <- N = #count(A : dom::node(A, _, _, _, _), dom::node(B, _, _, _, _),"
        " dom::node(C, _, _, _, _), dom::node(D, _, _, _, _), A < B, C < D, B < D)."
    )
    program = compiled(slow)
    large = Facts(links(*"abcdefghijklmnopqrstuvwxyz" * 3), "https://example.org/", (100, 100))
    with pytest.raises(LimitError, match="more than 0 s"):
        run(program, large, seconds=0)
    assert answers(program, links("7", "seven things"))["m::numeric"] == [(1,)]


def test_threads_do_not_disturb_each_other() -> None:
    program = compiled()
    pages = [links(*map(str, range(count))) for count in range(1, 9)]
    found: dict[int, object] = {}

    def ask(number: int) -> None:
        for _ in range(5):
            found[number] = answers(program, pages[number])

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: answers(program, page) for number, page in enumerate(pages)}
