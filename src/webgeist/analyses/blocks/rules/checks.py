"""Whether rules make sense: variables are bound, predicates known, and nothing goes round."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from webgeist.analyses.blocks.rules.errors import RuleError
from webgeist.analyses.blocks.rules.syntax import (
    Aggregate,
    Arithmetic,
    Atom,
    Comparison,
    Hole,
    Negation,
    ParameterAtom,
    Variable,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from webgeist.analyses.blocks.rules.errors import Place
    from webgeist.analyses.blocks.rules.syntax import Literal, Predicate, Rule, Term


@dataclass(frozen=True)
class Program:
    """Checked rules by predicate, each after all that it needs; and the facts that they mention."""

    rules: Mapping[Predicate, tuple[Rule, ...]]
    facts: frozenset[Predicate]


def check(rules: Sequence[Rule], is_fact: Callable[[Predicate], bool]) -> Program:
    """RuleError for the first rule that cannot be used, with the place and the reason."""
    by_predicate: dict[Predicate, list[Rule]] = {}
    for rule in rules:
        if is_fact(rule.head.predicate):
            raise RuleError(f"{rule.head.predicate} is a fact and needs no rule", rule.head.place)
        by_predicate.setdefault(rule.head.predicate, []).append(rule)
        _check_safety(rule)
    facts = set()
    for rule in rules:
        for atom, _ in atoms(rule.body):
            if atom.predicate in by_predicate:
                continue
            if not is_fact(atom.predicate):
                raise _unknown(atom, by_predicate)
            facts.add(atom.predicate)
    order = _ordered(by_predicate)
    return Program({each: tuple(by_predicate[each]) for each in order}, frozenset(facts))


def atoms(body: Iterable[Literal], negated: bool = False) -> Iterator[tuple[Atom, bool]]:
    """All atoms of a body, also those inside negations and aggregates, and whether they are."""
    for literal in body:
        match literal:
            case Atom():
                yield literal, negated
            case Negation() | Aggregate():
                yield from atoms(literal.body, negated=True)
            case ParameterAtom():
                raise RuleError("a parameter outside a template", literal.place)
            case Comparison():
                pass


def variables(term: Term) -> Iterator[Variable]:
    match term:
        case Variable():
            yield term
        case Arithmetic():
            yield from variables(term.left)
            yield from variables(term.right)
        case Hole():
            raise RuleError("a parameter outside a template", term.place)


def _unknown(atom: Atom, known: Mapping[Predicate, object]) -> RuleError:
    same = [str(each) for each in known if each.name == atom.predicate.name]
    near = same or get_close_matches(str(atom.predicate), [str(each) for each in known], 1)
    remedy = f"did you mean {near[0]}?" if near else None
    return RuleError(f"there is no predicate {atom.predicate}", atom.place, remedy=remedy)


# --- safety ----------------------------------------------------------------------------------


def _check_safety(rule: Rule) -> None:
    bound = bind(rule.body, frozenset())
    for term in rule.head.terms:
        for variable in variables(term):
            if variable.name == "_" or variable.name not in bound:
                raise _unsafe(variable.name, variable.place, f"the head of {rule.head.name}")


def bind(body: Sequence[Literal], outer: frozenset[str]) -> frozenset[str]:
    """The variables that a body binds, given those of around it. RuleError where one is used that
    nothing binds.
    """
    bound = set(outer)
    for literal in body:
        if isinstance(literal, Atom):
            bound |= {t.name for t in literal.terms if isinstance(t, Variable)} - {"_"}
    waiting = [each for each in body if isinstance(each, Comparison | Aggregate)]
    progress = True
    while progress:
        progress = False
        for literal in list(waiting):
            new = _gives(literal, bound)
            if new is not None:
                bound |= new
                waiting.remove(literal)
                progress = True
    if waiting:
        raise _stuck(waiting[0], bound)
    for literal in body:
        if isinstance(literal, Negation):
            bind(literal.body, frozenset(bound))
    _check_computed(body, bound)
    return frozenset(bound)


def _gives(literal: Literal, bound: set[str]) -> set[str] | None:
    """What a literal adds to the bound variables; None where it must wait for others."""
    match literal:
        case Comparison(operator="=", left=Variable(name=name)) if name not in bound:
            return {name} if _all_bound(literal.right, bound) else None
        case Comparison(operator="=", right=Variable(name=name)) if name not in bound:
            return {name} if _all_bound(literal.left, bound) else None
        case Comparison():
            both = _all_bound(literal.left, bound) and _all_bound(literal.right, bound)
            return set() if both else None
        case Aggregate():
            inner = bind(literal.body, frozenset(bound - {literal.result.name}))
            if literal.over.name not in inner:
                raise _unsafe(literal.over.name, literal.over.place, f"#{literal.function}")
            return {literal.result.name}
        case _:
            return set()


def _all_bound(term: Term, bound: set[str]) -> bool:
    return all(each.name in bound for each in variables(term))


def _check_computed(body: Sequence[Literal], bound: set[str]) -> None:
    """Terms such as X + 1 inside atoms need their variables from elsewhere."""
    for literal in body:
        if isinstance(literal, Atom):
            for term in literal.terms:
                if isinstance(term, Arithmetic) and not _all_bound(term, bound):
                    missing = next(v for v in variables(term) if v.name not in bound)
                    raise _unsafe(missing.name, missing.place, str(literal.name))


def _stuck(literal: Literal, bound: set[str]) -> RuleError:
    if isinstance(literal, Comparison):
        for side in (literal.left, literal.right):
            for variable in variables(side):
                if variable.name not in bound:
                    return _unsafe(variable.name, variable.place, "a comparison")
    return RuleError("nothing binds what is compared here", literal.place)


def _unsafe(name: str, place: Place, where: str) -> RuleError:
    return RuleError(
        f"the variable {name} in {where} has no value",
        place,
        remedy="name it in a positive atom of the body",
    )


# --- order -----------------------------------------------------------------------------------


def _ordered(rules: Mapping[Predicate, Sequence[Rule]]) -> list[Predicate]:
    """Each predicate after all that it needs. RuleError where that is impossible."""
    order: list[Predicate] = []
    state: dict[Predicate, str] = {}
    for start in rules:
        _visit(start, rules, state, order)
    return order


def _visit(
    start: Predicate,
    rules: Mapping[Predicate, Sequence[Rule]],
    state: dict[Predicate, str],
    order: list[Predicate],
) -> None:
    """Depth first, without recursion: rule files may be long chains."""
    path = [(start, _needs(rules.get(start, ())))]
    if state.setdefault(start, "open") == "done" or start not in rules:
        return
    while path:
        predicate, needs = path[-1]
        following = next(needs, None)
        if following is None:
            state[predicate] = "done"
            order.append(predicate)
            path.pop()
            continue
        needed = following.predicate
        if needed not in rules or state.get(needed) == "done":
            continue
        if state.get(needed) == "open":
            raise _cycle([each for each, _ in path], needed, following, rules)
        state[needed] = "open"
        path.append((needed, _needs(rules[needed])))


def _needs(rules: Sequence[Rule]) -> Iterator[Atom]:
    for rule in rules:
        for atom, _ in atoms(rule.body):
            yield atom


def _cycle(
    path: Sequence[Predicate],
    needed: Predicate,
    atom: Atom,
    rules: Mapping[Predicate, Sequence[Rule]],
) -> RuleError:
    members = [*path[path.index(needed) :], needed]
    shown = " <- ".join(str(each) for each in members)
    pairs = itertools.pairwise(members)
    negative = any(_negates(rules[one], other) for one, other in pairs)
    what = "a cycle through negation or aggregation" if negative else "recursion"
    remedy = "rules are evaluated once, from facts to features: a predicate cannot need itself"
    return RuleError(f"{what}: {shown}", atom.place, remedy=remedy)


def _negates(rules: Sequence[Rule], other: Predicate) -> bool:
    return any(neg and a.predicate == other for rule in rules for a, neg in atoms(rule.body))
