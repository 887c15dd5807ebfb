"""Rule files: what is read, and what is said of wrong ones."""

from __future__ import annotations

import pytest

from webgeist.analyses.blocks.rules.errors import RuleError
from webgeist.analyses.blocks.rules.parser import parse
from webgeist.analyses.blocks.rules.syntax import (
    Aggregate,
    Arithmetic,
    Atom,
    Comparison,
    Constant,
    Hole,
    Negation,
    ParameterAtom,
    Variable,
)


def test_a_rule_has_a_head_and_a_body() -> None:
    (rule,) = parse('a(X, 1) <- b(X, "two", _), not(c(X)), X != 3.5.').rules
    assert str(rule.head.name) == "a"
    atom, negation, comparison = rule.body
    assert isinstance(atom, Atom)
    assert atom.terms[1] == Constant("two")
    assert isinstance(negation, Negation)
    assert isinstance(comparison, Comparison)
    assert comparison.right == Constant(3.5)


def test_a_chain_of_comparisons_is_one_each() -> None:
    (rule,) = parse("a(X) <- b(X, Y), 1 < X <= Y.").rules
    first, second = (each for each in rule.body if isinstance(each, Comparison))
    assert (first.operator, second.operator) == ("<", "<=")
    assert first.right == second.left


def test_arithmetic_binds_as_in_school() -> None:
    (rule,) = parse("a(Y) <- b(X), Y = 1 + 2 * (X - 3).").rules
    comparison = rule.body[1]
    assert isinstance(comparison, Comparison)
    right = comparison.right
    assert isinstance(right, Arithmetic)
    assert right.operator == "+"
    assert isinstance(right.right, Arithmetic)
    assert right.right.operator == "*"


def test_names_may_hold_names() -> None:
    (rule,) = parse("m::near<m::by<NEXT>>_of<b>(X) <- b(X).").rules
    assert str(rule.head.name) == "m::near<m::by<NEXT>>_of<b>"
    assert rule.head.name.is_plain


def test_a_comparison_of_variables_is_no_name() -> None:
    (rule,) = parse("a(X) <- b(X,Y), X<Y.").rules
    assert isinstance(rule.body[1], Comparison)


def test_aggregates() -> None:
    (rule,) = parse("a(X, N) <- b(X), N = #count(Y : c(X, Y), Y > 1).").rules
    aggregate = rule.body[1]
    assert isinstance(aggregate, Aggregate)
    assert (aggregate.result.name, aggregate.function, aggregate.over.name) == ("N", "count", "Y")
    assert len(aggregate.body) == 2


def test_templates_have_holes_and_predicates() -> None:
    file = parse(
        'TEMPLATE t<Model, Kind, P(X)> { <Model>::has<Kind>(X) <- <P(X)>, n(X, <Kind>, "<Kind>"). }'
    )
    (template,) = file.templates
    assert [p.name for p in template.parameters] == ["Model", "Kind", "P"]
    assert template.parameters[2].variables == ("X",)
    (rule,) = template.rules
    assert isinstance(rule.head.name.pieces[0], Hole)
    assert isinstance(rule.body[0], ParameterAtom)


def test_instantiations_have_sets_and_terms() -> None:
    file = parse("INSTANTIATE t<Model, P> USING <m, {a, b(X, _), m::by<NEXT>}>")
    (order,) = file.instantiations
    assert [len(each) for each in order.bindings] == [1, 3]
    assert order.bindings[1][1].terms is not None
    assert order.bindings[1][2].name == "m::by<NEXT>"


def test_imports() -> None:
    (wanted,) = parse("IMPORT <Model>::char_num INTO <plm>").imports
    assert str(wanted.name) == "<Model>::char_num"
    assert wanted.into == "plm"


def test_comments_and_facts() -> None:
    assert parse("% nothing\na(1). % one").rules[0].body == ()
    assert isinstance(parse("a(X) <- b(X).").rules[0].head.terms[0], Variable)


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ("a(X) <- b(X)", "1:13", "expected '.'"),
        ("a(X) <-\n  b(X) c(X).", "2:8", "expected '.'"),
        ("a(x) <- b(x).", "1:3", "neither a variable nor a value"),
        ('a(X) <- b(X, "oh).', "1:14", "a string that does not end"),
        ("a(X) <- b(X), X.", "1:16", "expected a comparison"),
        ("a(X) ?", "1:6", "has no meaning"),
        ("a(X) <- N = #median(Y : b(Y)).", "1:13", "#median is none of"),
        ("a(X) <- 3 = #count(Y : b(Y)).", "1:13", "write Result"),
        ("a(X) <- b(X), N = #count(y : b(Y)).", "1:26", "is no variable"),
        ("TEMPLATE t<P> { }", "1:1", "has no rule"),
        ("TEMPLATE t<P(X)> { <P(X)> <- a(X). }", "1:20", "cannot say what a parameter is"),
        ("INSTANTIATE t<P> <m>", "1:18", "expected 'USING'"),
        ("a() <- (.", "1:9", "expected a variable or a value"),
        ("a(X) <- b(", "1:11", "the end of the file"),
    ],
)
def test_errors_say_where(text: str, place: str, says: str) -> None:
    with pytest.raises(RuleError) as caught:
        parse(text, "my.beryl")
    assert str(caught.value).startswith(f"my.beryl:{place}: ")
    assert says in str(caught.value)


def test_depth_is_bounded() -> None:
    with pytest.raises(RuleError, match="inside each other"):
        parse("a(X) <- X = " + "(" * 100 + "1" + ")" * 100 + ".")


def test_length_is_bounded() -> None:
    with pytest.raises(RuleError, match="longer than"):
        parse("%" * 2_000_001)
