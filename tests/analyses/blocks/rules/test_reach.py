"""Facts are made only for nodes that rules can reach; the answers are those of all facts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.analyses.blocks.conftest import make_page

from webgeist.analyses.blocks.facts import Facts
from webgeist.analyses.blocks.rules.compiler import Compiled, Source, compile_rules
from webgeist.analyses.blocks.rules.errors import RuleError
from webgeist.analyses.blocks.rules.reach import ANY
from webgeist.analyses.blocks.rules.running import run

if TYPE_CHECKING:
    from webgeist.page.model import Page

INTEREST = "node_of_interest(X) <- dom::clickable(X).\n"


def compiled(text: str) -> Compiled:
    return compile_rules((Source("test", INTEREST + text),), "m")


def guards(text: str) -> dict[str, object]:
    return {
        str(request.predicate.name): guard for request, guard in compiled(text).requests.items()
    }


def cases(text: str, fact: str) -> set[frozenset[str]]:
    guard = next(g for r, g in compiled(text).requests.items() if r.predicate.name == fact)
    return {frozenset(f"{c.fact} {c.kind or ''}".strip() for c in case) for case in guard.cases}


def test_a_fact_beside_a_condition_is_made_for_those_nodes() -> None:
    assert cases("m::a(X) <- dom::clickable(X), css::box(X, _, _, _, _).", "css::box") == {
        frozenset({"dom::clickable"})
    }


def test_a_condition_goes_down_into_predicates() -> None:
    text = """near(X, Y) <- css::box(X, L, _, _, _), css::box(Y, L, _, _, _).
    m::a(X) <- dom::clickable(X), near(Y, X), gate::annotation(Y, "NUMBER", _)."""
    assert cases(text, "css::box") == {
        frozenset({"dom::clickable"}),
        frozenset({"gate::annotation NUMBER"}),
    }


def test_a_condition_comes_up_from_predicates() -> None:
    text = """number(X) <- gate::annotation(X, "NUMBER", _).
    m::a(X) <- number(X), css::box(X, _, _, _, _)."""
    assert cases(text, "css::box") == {frozenset({"gate::annotation NUMBER"})}


def test_without_a_condition_all_nodes_are_asked_for() -> None:
    assert guards("m::a(X) <- css::box(X, _, _, _, _).")["css::box"] == ANY


def test_facts_that_no_feature_needs_are_not_made() -> None:
    found = guards("unused(X) <- css::box(X, _, _, _, _). m::a(X) <- dom::clickable(X).")
    assert "css::box" not in found


def test_inside_a_negation_the_outer_conditions_hold() -> None:
    text = "m::a(X) <- dom::clickable(X), not(css::box(X, _, _, _, _))."
    assert cases(text, "css::box") == {frozenset({"dom::clickable"})}


# --- random rules and pages --------------------------------------------------------------------

_VARIABLES = st.sampled_from(["X", "Y", "Z"])
_UNARY = [
    "dom::clickable({})",
    'gate::annotation({}, "NUMBER", _)',
    'gate::annotation({}, "NEXT", _)',
]
_WIDE = [
    "css::box({}, _, _, _, _)",
    "dom::node({}, _, _, _, _)",
    'dom::node({}, "a", _, _, _)',
    "d({})",
    "e({}, {})",
    "run::place({}, _, _)",
]


@st.composite
def _atom(draw: st.DrawFn) -> str:
    form = draw(st.sampled_from(_UNARY + _WIDE))
    return form.format(*(draw(_VARIABLES) for _ in range(form.count("{}"))))


@st.composite
def _body(draw: st.DrawFn) -> str:
    parts = draw(st.lists(_atom(), min_size=1, max_size=3))
    if draw(st.booleans()):
        parts.append("not(" + ", ".join(draw(st.lists(_atom(), min_size=1, max_size=2))) + ")")
    if draw(st.booleans()):
        parts.append(f"{draw(_VARIABLES)} < {draw(_VARIABLES)}")
    if draw(st.booleans()):
        function = draw(st.sampled_from(["count", "max", "min"]))
        over = draw(_VARIABLES)
        parts.append(f"N = #{function}({over} : {draw(_atom())}, {draw(_atom())})")
    return ", ".join(parts)


@st.composite
def _rules(draw: st.DrawFn) -> str:
    return "\n".join(
        [
            "d(X) <- dom::node(X, _, _, _, _), "
            + draw(st.sampled_from(["dom::clickable(X).", "css::box(X, _, _, _, _).", "X > 3."])),
            "e(X, Y) <- css::box(X, L, _, _, _), css::box(Y, M, _, _, _), L <= M, L >= M - 20.",
            f"m::f({draw(_VARIABLES)}) <- {draw(_body())}.",
            f"m::g({draw(_VARIABLES)}, {draw(_VARIABLES)}) <- {draw(_body())}.",
        ]
    )


@st.composite
def _pages(draw: st.DrawFn) -> Page:
    count = draw(st.integers(1, 7))
    nodes: list[tuple[str, int, str | None, dict[str, str]]] = [("html", -1, None, {})]
    boxes: list[tuple[float, float, float, float] | None] = [(0, 0, 100, 100)]
    for _ in range(count):
        name = draw(st.sampled_from(["a", "b"]))
        text = draw(st.sampled_from(["1", "2", "next", "words of it"]))
        nodes += [(name, 0, None, {"href": "?p=2"}), ("#text", len(nodes), text, {})]
        box = draw(st.sampled_from([None, (0, 0, 10, 10), (30, 0, 10, 10), (60, 5, 10, 10)]))
        boxes += [box, box]
    return make_page(nodes, boxes)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(_rules(), _pages())
def test_answers_are_those_of_all_facts(rules: str, page: Page) -> None:
    try:
        program = compiled(rules)
    except RuleError:
        return  # a variable without a value: nothing to compare
    everything = replace(program, requests=dict.fromkeys(program.requests, ANY))
    facts = Facts(page, "https://example.org/list", (100, 100))
    restricted, full = run(program, facts), run(everything, facts)
    assert {p: sorted(rows) for p, rows in restricted.items()} == {
        p: sorted(rows) for p, rows in full.items()
    }


def test_the_restriction_leaves_nodes_out() -> None:
    page = make_page(
        [
            ("html", -1, None, {}),
            ("a", 0, None, {"href": "/"}),
            ("#text", 1, "x", {}),
            ("b", 0, None, {}),
        ],
        [(0, 0, 9, 9)] * 4,
    )
    program = compiled("m::a(X) <- dom::clickable(X), css::box(X, _, _, _, _).")
    facts = Facts(page, "https://example.org/", (100, 100))
    boxes = next(r for r in program.requests if r.predicate.name == "css::box")
    assert [row[0] for row in facts.rows(boxes, program.requests[boxes])] == [1]


def test_rules_without_nodes_of_interest_are_refused() -> None:
    with pytest.raises(RuleError, match="node_of_interest/1"):
        compile_rules((Source("test", "m::a(X) <- dom::clickable(X)."),), "m")
