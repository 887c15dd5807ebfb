"""Rules become a program that can be run on any page: parsed, checked and put into SQL once."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from webgeist.analyses.blocks.rules.checks import atoms, check
from webgeist.analyses.blocks.rules.errors import Place, RuleError
from webgeist.analyses.blocks.rules.inlining import inline
from webgeist.analyses.blocks.rules.parser import parse
from webgeist.analyses.blocks.rules.reach import NOBODY, Request, reach
from webgeist.analyses.blocks.rules.sql import Query, table_name
from webgeist.analyses.blocks.rules.syntax import Predicate
from webgeist.analyses.blocks.rules.templates import expand
from webgeist.analyses.blocks.rules.vocabulary import is_cheap, is_fact, kind_column

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from webgeist.analyses.blocks.rules.checks import Program
    from webgeist.analyses.blocks.rules.reach import Guard
    from webgeist.analyses.blocks.rules.syntax import Rule


@dataclass(frozen=True)
class Source:
    """A rule file: its text, and the name that errors say."""

    name: str
    text: str


@dataclass(frozen=True)
class Compiled:
    """`requests` are the facts to make, with the nodes to make them for; `schema` makes the tables
    of these and of `steps`, which fill one after the other; `answers` ask for what is wanted:
    the `features`, which are what the model's namespace holds, and the nodes of interest.
    """

    digest: str
    requests: Mapping[Request, Guard]
    schema: tuple[str, ...]
    tables: tuple[str, ...]
    steps: tuple[str, ...]
    answers: Mapping[Predicate, str]
    features: tuple[Predicate, ...]
    interest: Predicate


INTEREST = Predicate("node_of_interest", 1)


def compile_rules(sources: Sequence[Source], model: str) -> Compiled:
    """What `sources` say about the features of `model`, ready to run. The same sources are compiled
    once.
    """
    return _compile(tuple(sources), model)


@lru_cache(maxsize=64)
def _compile(sources: tuple[Source, ...], model: str) -> Compiled:
    files = [parse(each.text, each.name) for each in sources]
    prefix = f"{model}::"
    program = inline(check(_used(expand(files), sources[-1].name, prefix), is_fact))
    features = tuple(each for each in program.rules if each.name.startswith(prefix))
    if INTEREST not in program.rules:
        raise RuleError(
            f"no rule says what {INTEREST} is",
            Place(sources[-1].name, 1, 1),
            remedy="write it, as in node_of_interest(X) <- dom::clickable(X).",
        )
    wanted = (*features, INTEREST)
    needed = _needed(program, wanted)
    queries = {
        predicate: [Query(rule) for rule in rules]
        for predicate, rules in program.rules.items()
        if predicate in needed
    }
    stored = [*sorted(program.facts & needed, key=str), *_asked(program, queries)]
    indexes = _indexes(query for each in queries.values() for query in each)
    text = "\0".join(each.text for each in sources)
    return Compiled(
        digest=hashlib.sha256(f"{model}\0{text}".encode()).hexdigest(),
        requests=_merged(reach(program, wanted, is_cheap, kind_column)),
        schema=tuple(line for each in stored for line in (_create(each), *indexes.get(each, ()))),
        tables=tuple(table_name(each) for each in stored),
        steps=tuple(
            f"INSERT INTO {table_name(each)} {_union(queries[each])}"
            for each in stored
            if each in queries
        ),
        answers={each: _answer(each, stored, queries) for each in wanted},
        features=features,
        interest=INTEREST,
    )


def _asked(program: Program, queries: Mapping[Predicate, Sequence[Query]]) -> Iterator[Predicate]:
    """The predicates that other rules ask for: only these need a table."""
    asked = {
        atom.predicate
        for predicate in queries
        for rule in program.rules[predicate]
        for atom, _ in atoms(rule.body)
    }
    return (predicate for predicate in queries if predicate in asked)


def _answer(
    predicate: Predicate,
    stored: Sequence[Predicate],
    queries: Mapping[Predicate, Sequence[Query]],
) -> str:
    if predicate in stored:
        return f"SELECT * FROM {table_name(predicate)}"  # noqa: S608 - names are ours
    return _union(queries[predicate])


def _merged(requests: Mapping[Request, Guard]) -> dict[Request, Guard]:
    """Where somebody asks for all kinds of a fact, that is one request for whoever asks."""
    whole = {request.predicate for request in requests if request.kind is None}
    wanted: dict[Request, Guard] = {}
    for request, guard in requests.items():
        one = Request(request.predicate) if request.predicate in whole else request
        wanted[one] = wanted.get(one, NOBODY) | guard
    return wanted


def _used(rules: Sequence[Rule], own: str, prefix: str) -> list[Rule]:
    """The rules of the block type's own file, its features, and all that these need: the library
    has predicates that make sense only with others.
    """
    by_predicate: dict[Predicate, list[Rule]] = {}
    for rule in rules:
        by_predicate.setdefault(rule.head.predicate, []).append(rule)
    waiting = [
        rule.head.predicate
        for rule in rules
        if rule.head.place.file == own or str(rule.head.name).startswith(prefix)
    ]
    used: set[Predicate] = set()
    while waiting:
        predicate = waiting.pop()
        if predicate not in used:
            used.add(predicate)
            those = by_predicate.get(predicate, [])
            waiting += [atom.predicate for rule in those for atom, _ in atoms(rule.body)]
    return [rule for rule in rules if rule.head.predicate in used]


def _needed(program: Program, wanted: Iterable[Predicate]) -> set[Predicate]:
    needed = set(wanted)
    for predicate in reversed(list(program.rules)):
        if predicate in needed:
            for rule in program.rules[predicate]:
                needed |= {atom.predicate for atom, _ in atoms(rule.body)}
    return needed


def _union(queries: Sequence[Query]) -> str:
    return " UNION ".join(query.sql for query in queries)


def _create(predicate: Predicate) -> str:
    columns = ", ".join(f"c{number}" for number in range(predicate.arity)) or "c"
    return f"CREATE TABLE {table_name(predicate)} ({columns})"


def _indexes(queries: Iterable[Query]) -> dict[Predicate, tuple[str, ...]]:
    """An index for each way in which some rule looks a predicate's rows up. It holds all columns,
    so that the table itself need not be read.
    """
    found: dict[Predicate, dict[tuple[int, ...], None]] = {}
    for query in queries:
        for predicate, columns in query.lookups:
            found.setdefault(predicate, {})[columns] = None
    return {
        predicate: tuple(_index(predicate, columns, n) for n, columns in enumerate(several))
        for predicate, several in found.items()
    }


def _index(predicate: Predicate, columns: tuple[int, ...], number: int) -> str:
    others = [each for each in range(predicate.arity) if each not in columns]
    ordered = ", ".join(f"c{each}" for each in (*columns, *others))
    name = f'"{number} of {table_name(predicate)[1:-1]}"'
    return f"CREATE INDEX {name} ON {table_name(predicate)} ({ordered})"
