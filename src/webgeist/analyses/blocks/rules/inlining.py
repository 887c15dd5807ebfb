"""Rules that would make too many rows by themselves are put into the rules that use them.

`preceding(X, Y)` holds for half of all pairs of nodes. Nobody wants to see them all: in a rule that
knows its X, only the Ys of that one are looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, count, product
from typing import TYPE_CHECKING

from webgeist.analyses.blocks.rules.checks import Program
from webgeist.analyses.blocks.rules.syntax import (
    Aggregate,
    Arithmetic,
    Atom,
    Comparison,
    Negation,
    Rule,
    Variable,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from webgeist.analyses.blocks.rules.syntax import Literal, Predicate, Term

_FEW_COMPARISONS = 3  # a product that fewer of them cut is taken to be large


def inline(program: Program) -> Program:
    """The same program; predicates that are nearly all pairs of something are used no more."""
    wide: dict[Predicate, tuple[Rule, ...]] = {
        predicate: rules
        for predicate, rules in program.rules.items()
        if all(_is_wide(rule) for rule in rules)
    }
    if not wide:
        return program
    fresh = count(1)
    rules: dict[Predicate, tuple[Rule, ...]] = {}
    for predicate, those in program.rules.items():  # in order: what is put in is already done
        done = tuple(Rule(r.head, body) for r in those for body in _bodies(r.body, wide, fresh))
        if predicate in wide:
            wide[predicate] = done
        rules[predicate] = done
    return Program(rules, program.facts)


def _is_wide(rule: Rule) -> bool:
    """Parts of its head have nothing in common but a comparison or none."""
    names = [term.name for term in rule.head.terms if isinstance(term, Variable)]
    if len(names) != len(rule.head.terms) or len(set(names)) != len(names):
        return False
    if any(not isinstance(each, Atom | Comparison) for each in rule.body):
        return False
    comparisons = sum(isinstance(each, Comparison) for each in rule.body)
    return comparisons < _FEW_COMPARISONS and len(_components(rule, names)) > 1


def _components(rule: Rule, heads: Sequence[str]) -> list[set[str]]:
    """The head's variables by what atoms tie together."""
    groups: list[set[str]] = []
    for literal in rule.body:
        if isinstance(literal, Atom):
            own = {t.name for t in literal.terms if isinstance(t, Variable)} - {"_"}
            tied = [group for group in groups if group & own]
            groups = [group for group in groups if not group & own]
            groups.append(own.union(*tied))
    return [group for group in groups if group & set(heads)]


def _bodies(
    body: Sequence[Literal], wide: Mapping[Predicate, tuple[Rule, ...]], fresh: Iterator[int]
) -> list[tuple[Literal, ...]]:
    """A body for each choice of one rule per wide atom."""
    choices = [list(_choices(literal, wide, fresh)) for literal in body]
    return [tuple(chain.from_iterable(chosen)) for chosen in product(*choices)]


def _choices(
    literal: Literal, wide: Mapping[Predicate, tuple[Rule, ...]], fresh: Iterator[int]
) -> Iterator[tuple[Literal, ...]]:
    """What may stand for a literal. Not (A or B) is not A and not B; what is counted over several
    rules stays as it is, or it would be counted for each of them.
    """
    match literal:
        case Atom() if literal.predicate in wide:
            for rule in wide[literal.predicate]:
                yield tuple(_renamed(rule, literal, next(fresh)))
        case Negation():
            yield tuple(replace(literal, body=each) for each in _bodies(literal.body, wide, fresh))
        case Aggregate():
            found = _bodies(literal.body, wide, fresh)
            yield (replace(literal, body=found[0]) if len(found) == 1 else literal,)
        case _:
            yield (literal,)


def _renamed(rule: Rule, use: Atom, number: int) -> Iterator[Literal]:
    heads = (term.name for term in rule.head.terms if isinstance(term, Variable))
    renaming = _Renaming(dict(zip(heads, use.terms, strict=True)), number)
    for literal in rule.body:
        match literal:
            case Atom():
                yield replace(literal, terms=tuple(renaming.term(t) for t in literal.terms))
            case Comparison():
                left, right = renaming.term(literal.left), renaming.term(literal.right)
                yield replace(literal, left=left, right=right)


@dataclass(frozen=True)
class _Renaming:
    """The user's terms for the head's variables, and new names for all others."""

    meant: Mapping[str, Term]
    number: int

    def term(self, term: Term) -> Term:
        match term:
            case Variable(name="_"):
                return term
            case Variable(name=name):
                own = Variable(f"{name}'{self.number}", term.place)
                given = self.meant.get(name, own)
                return own if given == Variable("_", term.place) else given
            case Arithmetic():
                return Arithmetic(term.operator, self.term(term.left), self.term(term.right))
            case _:
                return term
