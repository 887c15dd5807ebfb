"""Templates and imports: what they become."""

from __future__ import annotations

import pytest

from webgeist.analyses.blocks.rules.errors import RuleError
from webgeist.analyses.blocks.rules.parser import parse
from webgeist.analyses.blocks.rules.syntax import Atom, Constant, Variable
from webgeist.analyses.blocks.rules.templates import expand

BY = "TEMPLATE by<Model, Kind> { <Model>::by<Kind>(X) <- n(X, <Kind>, _). }\n"
NEAR = "TEMPLATE near<Model, P(Y)> { <Model>::near<P>(X) <- close(Z, X), <P(Z)>. }\n"
TEST = "TEMPLATE t<R(C, X), T(C, X)> { m::t<R>_is<T>(X) <- <R(C, X)>, <T(C, X)>. }\n"


def names(text: str) -> list[str]:
    return [str(rule.head.predicate) for rule in expand([parse(text)])]


def test_a_set_makes_a_rule_for_each() -> None:
    rules = expand([parse(BY + "INSTANTIATE by<Model, Kind> USING <m, {NEXT, LAST}>")])
    assert [str(rule.head.name) for rule in rules] == ["m::by<NEXT>", "m::by<LAST>"]
    atom = rules[0].body[0]
    assert isinstance(atom, Atom)
    assert atom.terms[1] == Constant("NEXT")


def test_sets_are_multiplied() -> None:
    assert len(names(BY + "INSTANTIATE by USING <{a, b}, {NEXT, LAST}>")) == 4


def test_a_predicate_gets_the_variables_of_its_place() -> None:
    (rule,) = expand([parse(NEAR + "INSTANTIATE near USING <m, numeric>")])
    atom = rule.body[1]
    assert isinstance(atom, Atom)
    assert str(atom.predicate) == "numeric/1"
    assert isinstance(atom.terms[0], Variable)
    assert atom.terms[0].name == "Z"


def test_a_binding_may_choose_variables() -> None:
    rules = expand([parse(TEST + "INSTANTIATE t USING <left, {other, plain(C), box(X, _)}>")])
    bodies = [rule.body[1] for rule in rules]
    assert [str(each.predicate) for each in bodies if isinstance(each, Atom)] == [
        "other/2",
        "plain/1",
        "box/2",
    ]


def test_an_instance_can_be_named_by_another() -> None:
    text = BY + NEAR + "INSTANTIATE by USING <m, NEXT>\nINSTANTIATE near USING <m, m::by<NEXT>>"
    assert names(text)[1] == "m::near<m::by<NEXT>>/1"


def test_imports_bring_rules_into_a_namespace() -> None:
    text = "<Model>::size(X, N) <- c(X, N).\nIMPORT <Model>::size INTO <m>"
    assert names(text) == ["m::size/2"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("INSTANTIATE by USING <m>", "there is no template by"),
        (BY + "INSTANTIATE by USING <m>", "has 2 parameters and is given 1"),
        (BY + "INSTANTIATE by USING <m, n(X)>", "is a word, not a predicate"),
        (NEAR + "INSTANTIATE near USING <m, n(Q)>", "gives Y, not Q"),
        ("TEMPLATE t<A> { a(X) <- <P(X)>. }\nINSTANTIATE t USING <m>", "no parameter P"),
        ("IMPORT <Model>::nothing INTO <m>", "no <Model>::nothing to import"),
    ],
)
def test_what_cannot_be_made_is_told(text: str, says: str) -> None:
    with pytest.raises(RuleError, match=says):
        expand([parse(text)])


def test_huge_sets_are_refused_at_once() -> None:
    many = ", ".join(f"a{number}" for number in range(400))
    text = "TEMPLATE t<A, B> { m::t<A><B>(X) <- n(X, <A>, <B>). }\n"
    with pytest.raises(RuleError, match="more than 5,000 rules"):
        expand([parse(text + f"INSTANTIATE t USING <{{{many}}}, {{{many}}}>")])
