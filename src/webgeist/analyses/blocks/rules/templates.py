"""Templates and imports become plain rules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

from webgeist.analyses.blocks.rules.errors import RuleError
from webgeist.analyses.blocks.rules.syntax import (
    Aggregate,
    Arithmetic,
    Atom,
    Comparison,
    Constant,
    Hole,
    Name,
    Negation,
    Parameter,
    ParameterAtom,
    Rule,
    Variable,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from webgeist.analyses.blocks.rules.syntax import (
        Binding,
        Import,
        Instantiation,
        Literal,
        RuleFile,
        Template,
        Term,
    )

_MOST_RULES = 5_000  # that templates make: sets of sets grow faster than anyone means


def expand(files: Sequence[RuleFile]) -> tuple[Rule, ...]:
    """All rules of the files without templates, in the order written. RuleError where a template is
    unknown, is given too little or too much, or makes too many rules.
    """
    templates = {each.name: each for file in files for each in file.templates}
    importable = [rule for file in files for rule in file.rules if not rule.head.name.is_plain]
    made: list[Rule] = [rule for file in files for rule in file.rules if rule.head.name.is_plain]
    for file in files:
        for wanted in file.imports:
            made += _imported(wanted, importable)
        for order in file.instantiations:
            made += _instances(order, templates, _MOST_RULES - len(made))
    return tuple(dict.fromkeys(made))


def _imported(wanted: Import, importable: Iterable[Rule]) -> Iterator[Rule]:
    """The rules of a standard feature, for one model."""
    holes = [piece for piece in wanted.name.pieces if isinstance(piece, Hole)]
    found = [rule for rule in importable if str(rule.head.name) == str(wanted.name)]
    if not found or len(holes) != 1:
        known = sorted({str(rule.head.name) for rule in importable})
        raise RuleError(
            f"there is no {wanted.name} to import",
            wanted.place,
            remedy=f"one of: {', '.join(known)}",
        )
    for rule in found:
        yield _Filling({holes[0].parameter: _Given(wanted.into)}).rule(rule)


def _instances(order: Instantiation, templates: Mapping[str, Template], most: int) -> list[Rule]:
    template = templates.get(order.template)
    if template is None:
        known = ", ".join(sorted(templates)) or "none are known"
        raise RuleError(
            f"there is no template {order.template}", order.place, remedy=f"one of: {known}"
        )
    if len(order.bindings) != len(template.parameters):
        raise RuleError(
            f"{template.name} has {len(template.parameters)} parameters and is given "
            f"{len(order.bindings)}",
            order.place,
        )
    count = len(template.rules)
    for choices in order.bindings:
        count *= len(choices)
    if count > most:
        raise RuleError(
            f"templates make more than {_MOST_RULES:,} rules",
            order.place,
            remedy="use smaller sets",
        )
    made = []
    for chosen in product(*order.bindings):
        pairs = zip(template.parameters, chosen, strict=True)
        filling = _Filling({p.name: _given(p, binding) for p, binding in pairs})
        made += [filling.rule(rule) for rule in template.rules]
    return made


@dataclass(frozen=True)
class _Given:
    """What stands for a parameter. `terms` are in the words of `variables`, the parameter's own."""

    name: str
    variables: tuple[str, ...] = ()
    terms: tuple[Term, ...] = ()


def _given(parameter: Parameter, binding: Binding) -> _Given:
    if parameter.variables is None:
        if binding.terms is not None:
            raise RuleError(f"{parameter.name} is a word, not a predicate", binding.place)
        return _Given(binding.name)
    own = tuple(Variable(name, binding.place) for name in parameter.variables)
    terms = own if binding.terms is None else binding.terms
    for term in terms:
        if isinstance(term, Variable) and term.name not in (*parameter.variables, "_"):
            raise RuleError(
                f"{parameter.name} gives {', '.join(parameter.variables)}, not {term.name}",
                term.place,
            )
    return _Given(binding.name, parameter.variables, terms)


class _Filling:
    """Puts what was given into the holes of a template's rules."""

    def __init__(self, given: Mapping[str, _Given]) -> None:
        self._given = given

    def rule(self, rule: Rule) -> Rule:
        return Rule(self._atom(rule.head), tuple(self._literal(each) for each in rule.body))

    def _literal(self, literal: Literal) -> Literal:
        match literal:
            case Atom():
                return self._atom(literal)
            case ParameterAtom():
                return self._predicate(literal)
            case Comparison():
                left, right = self._term(literal.left), self._term(literal.right)
                return replace(literal, left=left, right=right)
            case Negation():
                return replace(literal, body=tuple(self._literal(each) for each in literal.body))
            case Aggregate():
                return replace(literal, body=tuple(self._literal(each) for each in literal.body))

    def _atom(self, atom: Atom) -> Atom:
        terms = tuple(self._term(term) for term in atom.terms)
        return Atom(Name((self._name(atom.name),)), terms, atom.place)

    def _name(self, name: Name) -> str:
        filled = ""
        for number, piece in enumerate(name.pieces):
            if isinstance(piece, str):
                filled += piece
                continue
            word = self._get(piece.parameter, piece).name
            namespace = number == 0 and str(name.pieces[1:2] or "").find("::") >= 0
            filled += word if namespace else f"<{word}>"
        return filled

    def _predicate(self, atom: ParameterAtom) -> Atom:
        given = self._get(atom.parameter, atom)
        if len(given.variables) != len(atom.terms):
            raise RuleError(
                f"{atom.parameter} has {len(given.variables)} variables here and "
                f"{len(atom.terms)} there",
                atom.place,
            )
        meant = dict(zip(given.variables, (self._term(t) for t in atom.terms), strict=True))
        terms = tuple(
            meant.get(term.name, term) if isinstance(term, Variable) else term
            for term in given.terms
        )
        return Atom(Name((given.name,)), terms, atom.place)

    def _term(self, term: Term) -> Term:
        match term:
            case Hole():
                return Constant(self._get(term.parameter, term).name)
            case Arithmetic():
                return Arithmetic(term.operator, self._term(term.left), self._term(term.right))
            case Constant(value=str(text)) if "<" in text:
                for name, given in self._given.items():
                    text = text.replace(f"<{name}>", given.name)
                return Constant(text)
            case _:
                return term

    def _get(self, parameter: str, where: Hole | ParameterAtom) -> _Given:
        given = self._given.get(parameter)
        if given is None:
            raise RuleError(f"the template has no parameter {parameter}", where.place)
        return given
