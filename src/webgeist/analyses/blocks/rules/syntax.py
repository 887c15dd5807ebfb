"""What rules are made of, once read. Every part knows where it stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webgeist.analyses.blocks.rules.errors import Place


@dataclass(frozen=True)
class Hole:
    """`<Name>`: what a template's parameter stands for."""

    parameter: str
    place: Place = field(compare=False)


@dataclass(frozen=True)
class Name:
    """A predicate's name in pieces: text, and holes. `plm::in_proximity<numeric>` is all text."""

    pieces: tuple[str | Hole, ...]

    def __str__(self) -> str:
        return "".join(p if isinstance(p, str) else f"<{p.parameter}>" for p in self.pieces)

    @property
    def is_plain(self) -> bool:
        return all(isinstance(piece, str) for piece in self.pieces)


@dataclass(frozen=True)
class Variable:
    """`_` is nobody: each one is another."""

    name: str
    place: Place = field(compare=False)


@dataclass(frozen=True)
class Constant:
    value: str | int | float


@dataclass(frozen=True)
class Arithmetic:
    operator: str
    left: Term
    right: Term


Term = Variable | Constant | Arithmetic | Hole


@dataclass(frozen=True)
class Atom:
    name: Name
    terms: tuple[Term, ...]
    place: Place = field(compare=False)

    @cached_property
    def predicate(self) -> Predicate:
        return Predicate(str(self.name), len(self.terms))


@dataclass(frozen=True)
class ParameterAtom:
    """`<Property(Close)>`: an atom of the predicate that a template is given."""

    parameter: str
    terms: tuple[Term, ...]
    place: Place = field(compare=False)


@dataclass(frozen=True)
class Comparison:
    operator: str
    left: Term
    right: Term
    place: Place = field(compare=False)


@dataclass(frozen=True)
class Negation:
    body: tuple[Literal, ...]
    place: Place = field(compare=False)


@dataclass(frozen=True)
class Aggregate:
    """`Result = #count(Over : body)`."""

    result: Variable
    function: str
    over: Variable
    body: tuple[Literal, ...]
    place: Place = field(compare=False)


Literal = Atom | ParameterAtom | Comparison | Negation | Aggregate


@dataclass(frozen=True)
class Predicate:
    """Two predicates of one name and other numbers of terms are two predicates."""

    name: str
    arity: int

    def __str__(self) -> str:
        return f"{self.name}/{self.arity}"


@dataclass(frozen=True)
class Rule:
    head: Atom
    body: tuple[Literal, ...]


@dataclass(frozen=True)
class Parameter:
    """A template's parameter: a word, or a predicate with the variables that it is given."""

    name: str
    variables: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Template:
    name: str
    parameters: tuple[Parameter, ...]
    rules: tuple[Rule, ...]
    place: Place = field(compare=False)


@dataclass(frozen=True)
class Binding:
    """What a parameter is given: a name, and for a predicate maybe which of the variables go in."""

    name: str
    terms: tuple[Term, ...] | None
    place: Place = field(compare=False)


@dataclass(frozen=True)
class Instantiation:
    """One rule set for each choice of one binding per parameter."""

    template: str
    bindings: tuple[tuple[Binding, ...], ...]
    place: Place = field(compare=False)


@dataclass(frozen=True)
class Import:
    """`IMPORT <Model>::char_num INTO <plm>`."""

    name: Name
    into: str
    place: Place = field(compare=False)


@dataclass(frozen=True)
class RuleFile:
    rules: tuple[Rule, ...]
    templates: tuple[Template, ...]
    instantiations: tuple[Instantiation, ...]
    imports: tuple[Import, ...]
