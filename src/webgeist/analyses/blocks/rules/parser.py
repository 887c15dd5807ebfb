"""Reads rule files. What is wrong is said with line and column."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from webgeist.analyses.blocks.rules.errors import RuleError
from webgeist.analyses.blocks.rules.lexer import Kind, Token, tokens
from webgeist.analyses.blocks.rules.syntax import (
    Aggregate,
    Arithmetic,
    Atom,
    Binding,
    Comparison,
    Constant,
    Hole,
    Import,
    Instantiation,
    Literal,
    Name,
    Negation,
    Parameter,
    ParameterAtom,
    Rule,
    RuleFile,
    Template,
    Term,
    Variable,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")

_COMPARISONS = ("<", "<=", ">", ">=", "=", "!=")
AGGREGATES = ("#count", "#min", "#max", "#sum", "#avg")
_DEEPEST = 50  # parentheses and negations inside each other


def parse(text: str, file: str = "rules") -> RuleFile:
    """The rules, templates and what is made of them. RuleError says where it is wrong."""
    return _Parser(list(tokens(text, file))).file()


class _Parser:
    def __init__(self, found: list[Token]) -> None:
        self._tokens = found
        self._at = 0
        self._depth = 0

    # --- tokens --------------------------------------------------------------------------------

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _peek(self, ahead: int = 1) -> Token:
        return self._tokens[min(self._at + ahead, len(self._tokens) - 1)]

    def _take(self) -> Token:
        token = self._next
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def _is(self, text: str) -> bool:
        return self._next.kind is not Kind.STRING and self._next.text == text

    def _accept(self, text: str) -> bool:
        found = self._is(text)
        if found:
            self._take()
        return found

    def _expect(self, text: str, why: str = "") -> Token:
        if not self._is(text):
            raise self._wrong(f"expected {text!r}{why}")
        return self._take()

    def _wrong(self, message: str) -> RuleError:
        token = self._next
        found = f"{token.text!r}" if token.text else "the end of the file"
        return RuleError(f"{message}, found {found}", token.place)

    def _word(self, what: str) -> Token:
        if self._next.kind is not Kind.NAME:
            raise self._wrong(f"expected {what}")
        return self._take()

    def _touches(self) -> bool:
        """No space between the last token and the next."""
        return self._at > 0 and self._tokens[self._at - 1].stop == self._next.start

    def _listed(self, one: Callable[[], T], end: str) -> tuple[T, ...]:
        """One or more, with commas between them, up to `end`, which is taken."""
        found = [one()]
        while self._accept(","):
            found.append(one())
        self._expect(end, " or a comma")
        return tuple(found)

    # --- statements ----------------------------------------------------------------------------

    def file(self) -> RuleFile:
        rules: list[Rule] = []
        templates: list[Template] = []
        instantiations: list[Instantiation] = []
        imports: list[Import] = []
        while self._next.kind is not Kind.END:
            if self._is("TEMPLATE"):
                templates.append(self._template())
            elif self._is("INSTANTIATE"):
                instantiations.append(self._instantiation())
            elif self._is("IMPORT"):
                imports.append(self._import())
            else:
                rules.append(self._rule())
        return RuleFile(tuple(rules), tuple(templates), tuple(instantiations), tuple(imports))

    def _template(self) -> Template:
        place = self._take().place
        name = self._word("the template's name").text
        self._expect("<")
        parameters = self._listed(self._parameter, ">")
        self._expect("{")
        rules = []
        while not self._accept("}"):
            rules.append(self._rule())
        if not rules:
            raise RuleError(f"the template {name} has no rule", place)
        return Template(name, parameters, tuple(rules), place)

    def _parameter(self) -> Parameter:
        name = self._word("a parameter").text
        if not self._accept("("):
            return Parameter(name)
        return Parameter(name, self._listed(lambda: self._word("a variable").text, ")"))

    def _instantiation(self) -> Instantiation:
        place = self._take().place
        template = self._word("a template's name").text
        if self._accept("<"):
            self._listed(self._parameter, ">")  # for readers: the template knows its parameters
        self._expect("USING")
        self._expect("<")
        bindings = self._listed(self._choices, ">")
        self._accept(".")
        return Instantiation(template, bindings, place)

    def _choices(self) -> tuple[Binding, ...]:
        if self._accept("{"):
            return self._listed(self._binding, "}")
        return (self._binding(),)

    def _binding(self) -> Binding:
        place = self._next.place
        name = str(self._name())
        terms = self._listed(self._term, ")") if self._accept("(") else None
        return Binding(name, terms, place)

    def _import(self) -> Import:
        place = self._take().place
        name = self._name()
        self._expect("INTO")
        self._expect("<")
        into = self._word("a namespace").text
        self._expect(">")
        self._accept(".")
        return Import(name, into, place)

    # --- rules ---------------------------------------------------------------------------------

    def _rule(self) -> Rule:
        head = self._atom()
        if isinstance(head, ParameterAtom):
            raise RuleError("a rule cannot say what a parameter is", head.place)
        if self._accept("."):
            return Rule(head, ())
        self._expect("<-", " or '.'")
        return Rule(head, self._body("."))

    def _body(self, end: str) -> tuple[Literal, ...]:
        return tuple(chain.from_iterable(self._listed(self._literals, end)))

    def _literals(self) -> tuple[Literal, ...]:
        """What stands between two commas: one literal, or a chain of comparisons."""
        token = self._next
        if token.text == "not" and self._peek().text == "(":
            return (self._negation(),)
        if token.kind is Kind.NAME and not _is_variable(token.text):
            return (self._atom(),)
        if token.text == "<" and not self._is_hole_term():
            return (self._atom(),)
        return self._comparisons()

    def _is_hole_term(self) -> bool:
        """`<Name>` that stands for a value and is compared, not the beginning of a predicate."""
        return self._peek(2).text == ">" and self._peek(3).text in _COMPARISONS

    def _negation(self) -> Negation:
        place = self._take().place
        self._expect("(")
        return Negation(self._deeper(lambda: self._body(")")), place)

    def _deeper(self, read: Callable[[], T]) -> T:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise RuleError(f"more than {_DEEPEST} things inside each other", self._next.place)
        found = read()
        self._depth -= 1
        return found

    def _comparisons(self) -> tuple[Literal, ...]:
        """`Left < X < Right` is `Left < X, X < Right`."""
        place = self._next.place
        left = self._term()
        found: list[Literal] = []
        while self._next.text in _COMPARISONS:
            operator = self._take().text
            if self._is_aggregate():
                return (*found, self._aggregate(left, operator))
            right = self._term()
            found.append(Comparison(operator, left, right, place))
            left = right
        if not found:
            raise self._wrong("expected a comparison")
        return tuple(found)

    def _is_aggregate(self) -> bool:
        return self._next.kind is Kind.AGGREGATE

    def _aggregate(self, left: Term, operator: str) -> Aggregate:
        token = self._take()
        if token.text not in AGGREGATES:
            raise RuleError(f"{token.text} is none of {', '.join(AGGREGATES)}", token.place)
        if operator != "=" or not isinstance(left, Variable):
            raise RuleError(f"write Result = {token.text}(…)", token.place)
        self._expect("(")
        over = self._variable()
        self._expect(":")
        body = self._deeper(lambda: self._body(")"))
        return Aggregate(left, token.text[1:], over, body, token.place)

    def _variable(self) -> Variable:
        token = self._word("a variable")
        if not _is_variable(token.text):
            raise RuleError(f"{token.text} is no variable: those begin with A-Z", token.place)
        return Variable(token.text, token.place)

    def _atom(self) -> Atom | ParameterAtom:
        place = self._next.place
        if self._is("<") and self._peek(2).text == "(":
            self._take()
            parameter = self._word("a parameter").text
            self._expect("(")
            terms = self._listed(self._term, ")")
            self._expect(">")
            return ParameterAtom(parameter, terms, place)
        name = self._name()
        self._expect("(", f" after {name}")
        return Atom(name, () if self._accept(")") else self._listed(self._term, ")"), place)

    def _name(self) -> Name:
        """`plm::closest<Relation>_with<Property>`: pieces that touch each other."""
        pieces: list[str | Hole] = [self._piece()]
        while self._touches() and (self._next.kind is Kind.NAME or self._next.text in {"::", "<"}):
            pieces.append("::" if self._accept("::") else self._piece())
        return Name(_joined(pieces))

    def _piece(self) -> str | Hole:
        if not self._is("<"):
            return self._word("a predicate").text
        place = self._take().place
        inner = self._name()
        self._expect(">", f" after {inner}")
        if _is_variable(str(inner)) and not _is_constant_word(str(inner)):
            return Hole(str(inner), place)
        return f"<{inner}>"

    # --- terms ---------------------------------------------------------------------------------

    def _term(self) -> Term:
        left = self._product()
        while self._next.text in {"+", "-"} and self._next.kind is Kind.SYMBOL:
            left = Arithmetic(self._take().text, left, self._product())
        return left

    def _product(self) -> Term:
        left = self._factor()
        while self._next.text in {"*", "/"} and self._next.kind is Kind.SYMBOL:
            left = Arithmetic(self._take().text, left, self._factor())
        return left

    def _factor(self) -> Term:
        token = self._take()
        match token.kind:
            case Kind.STRING:
                return Constant(token.text[1:-1])
            case Kind.NUMBER:
                return Constant(float(token.text) if "." in token.text else int(token.text))
            case Kind.NAME if _is_variable(token.text):
                return Variable(token.text, token.place)
            case _ if token.text == "-":
                return Arithmetic("-", Constant(0), self._factor())
            case _ if token.text == "(":
                inner = self._deeper(self._term)
                self._expect(")")
                return inner
            case _ if token.text == "<":
                hole = Hole(self._word("a parameter").text, token.place)
                self._expect(">")
                return hole
            case Kind.NAME:
                raise RuleError(
                    f"{token.text} is neither a variable nor a value",
                    token.place,
                    remedy=f'write "{token.text}" for the word, {token.text.capitalize()} for a '
                    "variable",
                )
            case _:
                self._at = max(0, self._at - (token.kind is not Kind.END))
                raise self._wrong("expected a variable or a value")


def _is_variable(text: str) -> bool:
    return text == "_" or text[:1].isupper() or (text[:1] == "_" and len(text) > 1)


def _is_constant_word(text: str) -> bool:
    """NEXT in `annotated_by<NEXT>` is a type of annotation; Model in `<Model>` is a parameter."""
    return len(text) > 1 and text.isupper()


def _joined(pieces: list[str | Hole]) -> tuple[str | Hole, ...]:
    """Neighbouring texts put together, so that names can be compared."""
    joined: list[str | Hole] = []
    for piece in pieces:
        if isinstance(piece, str) and joined and isinstance(joined[-1], str):
            joined[-1] += piece
        else:
            joined.append(piece)
    return tuple(joined)
