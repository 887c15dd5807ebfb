"""Which nodes a program can ask about, found out from its rules.

A rule that asks for a node's box only together with "the node is clickable" needs no other boxes.
For every fact that rules mention, this module finds a *guard*: a condition that every row that can
matter fulfils, made of conditions that are cheap to look at first (`Cheap`). Facts are then made
for those nodes alone.

Two walks over the program, which has no recursion: upwards, what holds for every row that a
predicate can have; downwards, what holds wherever somebody asks for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webgeist.analyses.blocks.rules.syntax import (
    Aggregate,
    Atom,
    Constant,
    Negation,
    Predicate,
    Variable,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from webgeist.analyses.blocks.rules.checks import Program
    from webgeist.analyses.blocks.rules.syntax import Literal, Rule

_MOST_CASES = 24  # of a guard; a longer one is given up and asks for all nodes


@dataclass(frozen=True)
class Cheap:
    """A condition on a node that is looked at first: a fact, of one kind where it has kinds."""

    fact: str
    kind: str | None = None


@dataclass(frozen=True)
class Guard:
    """One of the cases, each of which is a set of conditions. No case: nobody asks. A case without
    conditions: anybody may be asked for.
    """

    cases: frozenset[frozenset[Cheap]]

    def __or__(self, other: Guard) -> Guard:
        return _guard(self.cases | other.cases)

    def __and__(self, other: Guard) -> Guard:
        if self == ANY or not other.cases:
            return other
        if other == ANY or not self.cases:
            return self
        return _guard(one | two for one in self.cases for two in other.cases)

    def without(self, facts: Iterable[str]) -> Guard:
        """The same with conditions on some facts left out: a weaker one."""
        dropped = set(facts)
        return _guard(frozenset(c for c in case if c.fact not in dropped) for case in self.cases)


def _guard(cases: Iterable[frozenset[Cheap]]) -> Guard:
    """Cases that another one includes are left out."""
    kept: list[frozenset[Cheap]] = []
    for case in sorted(set(cases), key=len):
        if not any(other <= case for other in kept):
            kept.append(case)
    return ANY if len(kept) > _MOST_CASES else Guard(frozenset(kept))


ANY = Guard(frozenset([frozenset()]))
NOBODY = Guard(frozenset())


@dataclass(frozen=True)
class Request:
    """A fact, of one kind where rules name it."""

    predicate: Predicate
    kind: str | None = None


def reach(
    program: Program,
    wanted: Iterable[Predicate],
    cheap: Callable[[Predicate], bool],
    kind_column: Callable[[Predicate], int | None],
) -> dict[Request, Guard]:
    """For each fact that `wanted` predicates need: the guard of the nodes to make it for.

    `cheap` facts can be conditions; `kind_column` is where a fact says of which kind it is.
    """
    return _Walk(program, cheap, kind_column).requests(wanted)


class _Walk:
    def __init__(
        self,
        program: Program,
        cheap: Callable[[Predicate], bool],
        kind_column: Callable[[Predicate], int | None],
    ) -> None:
        self._program = program
        self._cheap = cheap
        self._kind_column = kind_column
        self._holds: dict[tuple[Predicate, int], Guard] = {}
        for predicate, rules in program.rules.items():
            for column in range(predicate.arity):
                guard = NOBODY
                for rule in rules:
                    guard |= self._head(rule, column)
                self._holds[predicate, column] = guard

    def _head(self, rule: Rule, column: int) -> Guard:
        term = rule.head.terms[column]
        if not isinstance(term, Variable):
            return ANY
        return self._context(rule.body, term.name)

    def _context(self, body: Sequence[Literal], name: str) -> Guard:
        """What the positive atoms of a body say about a variable."""
        guard = ANY
        for literal in body:
            if isinstance(literal, Atom):
                for column, term in enumerate(literal.terms):
                    if isinstance(term, Variable) and term.name == name:
                        guard &= self._says(literal, column)
            elif isinstance(literal, Aggregate) and _chooses(literal, name):
                guard &= self._context(literal.body, literal.over.name)
        return guard

    def _says(self, atom: Atom, column: int) -> Guard:
        predicate = atom.predicate
        if predicate in self._program.rules:
            return self._holds.get((predicate, column), ANY)
        if column == 0 and self._cheap(predicate):
            return Guard(frozenset([frozenset([Cheap(predicate.name, self._kind(atom))])]))
        return ANY

    def _kind(self, atom: Atom) -> str | None:
        column = self._kind_column(atom.predicate)
        term = None if column is None else atom.terms[column]
        return str(term.value) if isinstance(term, Constant) else None

    # --- downwards -----------------------------------------------------------------------------

    def requests(self, wanted: Iterable[Predicate]) -> dict[Request, Guard]:
        demands: dict[tuple[Predicate, int], Guard] = {}
        asked = set()
        for predicate in wanted:
            asked.add(predicate)
            for column in range(predicate.arity):
                demands[predicate, column] = ANY
        found: dict[Request, Guard] = {}
        for predicate in reversed(list(self._program.rules)):
            if predicate not in asked:
                continue
            for rule in self._program.rules[predicate]:
                heads: dict[str, Guard] = {}
                for column, term in enumerate(rule.head.terms):
                    if isinstance(term, Variable):
                        guard = demands.get((predicate, column), ANY)
                        heads[term.name] = heads.get(term.name, ANY) & guard
                for atom, guards in self._uses(rule.body, heads):
                    asked.add(atom.predicate)
                    self._ask(atom, guards, demands, found)
        return found

    def _uses(
        self, body: Sequence[Literal], outer: Mapping[str, Guard]
    ) -> Iterator[tuple[Atom, dict[str, Guard]]]:
        """Every atom, with what is known about each variable around it."""
        guards = dict(outer)
        names = {
            term.name
            for literal in body
            if isinstance(literal, Atom)
            for term in literal.terms
            if isinstance(term, Variable) and term.name != "_"
        }
        for name in names:
            guards[name] = guards.get(name, ANY) & self._context(body, name)
        for literal in body:
            match literal:
                case Atom():
                    yield literal, guards
                case Negation() | Aggregate():
                    yield from self._uses(literal.body, guards)

    def _ask(
        self,
        atom: Atom,
        guards: Mapping[str, Guard],
        demands: dict[tuple[Predicate, int], Guard],
        found: dict[Request, Guard],
    ) -> None:
        predicate = atom.predicate
        for column, term in enumerate(atom.terms):
            known = guards.get(term.name, ANY) if isinstance(term, Variable) else ANY
            if predicate in self._program.rules:
                place = (predicate, column)
                demands[place] = demands.get(place, NOBODY) | known
            elif column == 0:
                request = Request(predicate, self._kind(atom))
                found[request] = found.get(request, NOBODY) | known
        if not atom.terms and predicate not in self._program.rules:
            found[Request(predicate)] = ANY


def _chooses(literal: Aggregate, name: str) -> bool:
    """Whether a variable is one of those that an aggregate is taken over."""
    return literal.result.name == name and literal.function in {"min", "max"}
