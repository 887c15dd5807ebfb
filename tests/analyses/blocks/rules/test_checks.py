"""Safety, known predicates and order of rules."""

from __future__ import annotations

import pytest

from webgeist.analyses.blocks.rules.checks import check
from webgeist.analyses.blocks.rules.errors import RuleError
from webgeist.analyses.blocks.rules.parser import parse
from webgeist.analyses.blocks.rules.vocabulary import is_fact


def order(text: str) -> list[str]:
    return [str(each) for each in check(parse(text).rules, is_fact).rules]


def test_each_predicate_comes_after_what_it_needs() -> None:
    text = "c(X) <- b(X), not(a(X)). b(X) <- a(X). a(X) <- dom::clickable(X)."
    assert order(text) == ["a/1", "b/1", "c/1"]


def test_facts_that_are_mentioned_are_known() -> None:
    text = 'a(X) <- dom::clickable(X), css::font_size(X, "12px"), css::page(_, _, _, _).'
    found = check(parse(text).rules, is_fact).facts
    assert {each.name for each in found} == {"dom::clickable", "css::font_size", "css::page"}


def test_values_may_be_computed_in_any_order() -> None:
    assert order("a(X, Z) <- Z = Y + 1, Y = L * 2, css::box(X, L, _, _, _).") == ["a/2"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a(X, Y) <- dom::clickable(X).", "variable Y in the head"),
        ("a(_) <- dom::clickable(X).", "variable _ in the head"),
        ("a(X) <- dom::clickable(X), Y > 1.", "variable Y in a comparison"),
        ("a(X) <- not(dom::clickable(X)).", "variable X in the head"),
        ("a(X) <- dom::clickable(X), not(Y < X).", "variable Y in a comparison"),
        ("a(N) <- N = #count(Y : dom::clickable(X)).", "variable Y in #count"),
        ("a(X) <- dom::clickable(X), Y = Z, Z = Y.", "has no value"),
        ("a(X) <- dom::clickable(X), css::box(X, L + 1, _, _, _).", "variable L in css::box"),
        ("a(X) <- dom::clikable(X).", "there is no predicate dom::clikable/1"),
        ("a(X) <- dom::clickable(X, 1).", "there is no predicate dom::clickable/2"),
        ("dom::clickable(1).", "is a fact and needs no rule"),
        ("a(X) <- b(X). b(X) <- a(X).", "recursion: "),
        ("a(X) <- a(X).", "recursion: a/1 <- a/1"),
        (
            "a(X) <- dom::clickable(X), not(b(X)). b(X) <- dom::clickable(X), not(a(X)).",
            "through negation",
        ),
    ],
)
def test_what_makes_no_sense_is_told(text: str, says: str) -> None:
    with pytest.raises(RuleError, match=says):
        order(text)


def test_a_misspelt_predicate_names_the_nearest() -> None:
    with pytest.raises(RuleError, match=r"did you mean numeric/1\?"):
        order("numeric(X) <- dom::clickable(X). a(X) <- numerik(X).")


def test_a_long_chain_is_no_problem() -> None:
    chain = "".join(f"p{n}(X) <- p{n - 1}(X). " for n in range(1, 3000))
    assert len(order("p0(X) <- dom::clickable(X). " + chain)) == 3000
