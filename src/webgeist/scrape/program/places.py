"""YAML with places: values know their line and the field they are in, for errors that help."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NoReturn

import yaml

from webgeist.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

_DEEPEST = 100  # lists and mappings in each other
_LONGEST = 1_000_000  # characters of a program


class ProgramError(UsageError):
    """What is wrong in a program file, with its `line` and `field`."""

    def __init__(
        self, message: str, *, line: int, where: str = "", remedy: str | None = None
    ) -> None:
        place = f"line {line}" + (f", {where}" if where else "")
        super().__init__(f"{place}: {message}", remedy=remedy)
        self.line = line
        self.field = where


@dataclass(frozen=True)
class Value:
    """A node of a YAML file. `where` is the path to it: steps[2].for-each."""

    node: yaml.Node
    where: str = ""

    @property
    def line(self) -> int:
        return int(self.node.start_mark.line) + 1

    def fail(self, message: str, remedy: str | None = None) -> NoReturn:
        raise ProgramError(message, line=self.line, where=self.where, remedy=remedy)

    @property
    def is_mapping(self) -> bool:
        return isinstance(self.node, yaml.MappingNode)

    @property
    def is_list(self) -> bool:
        return isinstance(self.node, yaml.SequenceNode)

    @property
    def is_empty(self) -> bool:
        return self.node.tag == "tag:yaml.org,2002:null"

    def fields(self) -> dict[str, Value]:
        """The values of a mapping by their names, each once."""
        if not isinstance(self.node, yaml.MappingNode):
            self.fail(f"names with values are needed here, not {self._kind}")
        found: dict[str, Value] = {}
        for key, value in self.node.value:
            if not isinstance(key, yaml.ScalarNode):
                Value(key, self.where).fail("a name must be a plain text")
            inner = Value(value, f"{self.where}.{key.value}" if self.where else key.value)
            if key.value in found:
                Value(key, inner.where).fail(f"{key.value} is here twice")
            found[key.value] = inner
        return found

    def known(self, *names: str) -> dict[str, Value]:
        """The same, of which no name may be another than these."""
        found = self.fields()
        for name, value in found.items():
            if name not in names:
                value.fail(f"there is no {name!r} here", remedy=nearest(name, names))
        return found

    def items(self) -> list[Value]:
        if not isinstance(self.node, yaml.SequenceNode):
            self.fail(
                f"a list is needed here, not {self._kind}", remedy="begin each item with '- '"
            )
        return [Value(each, f"{self.where}[{n}]") for n, each in enumerate(self.node.value)]

    def text(self) -> str:
        """Any scalar as it is written; an empty one is none."""
        if not isinstance(self.node, yaml.ScalarNode) or self.is_empty:
            self.fail(f"a text is needed here, not {self._kind}")
        return str(self.node.value)

    def flag(self) -> bool:
        if self.node.tag != "tag:yaml.org,2002:bool":
            self.fail(f"true or false is needed here, not {self._kind}")
        return self.node.value.lower() in ("true", "yes", "on")

    def number(self, least: float, *, whole: bool = False) -> float:
        kinds = ("int",) if whole else ("int", "float")
        if self.node.tag not in {f"tag:yaml.org,2002:{kind}" for kind in kinds}:
            self.fail(f"a {'whole ' if whole else ''}number is needed here, not {self._kind}")
        number = float(str(self.node.value).replace("_", ""))
        if not least <= number < float("inf"):
            self.fail(f"{self.node.value} is less than {least:g}, or no number")
        return number

    @property
    def _kind(self) -> str:
        if self.is_mapping:
            return "a mapping"
        if self.is_list:
            return "a list"
        return "nothing" if self.is_empty else repr(self.node.value)[:60]


def nearest(name: str, names: Iterable[str]) -> str:
    """What was perhaps meant; else all there is."""
    known = list(names)
    close = get_close_matches(name, known, 1)
    return f"did you mean {close[0]}?" if close else f"there are: {', '.join(known)}"


def parse(text: str) -> Value:
    """The document in a YAML file. ProgramError where it is none."""
    if len(text) > _LONGEST:
        raise ProgramError(f"a program has at most {_LONGEST:,} characters", line=1)
    try:
        node = _Bounded(text).get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = 1 if mark is None else mark.line + 1
        raise ProgramError(f"this is no YAML: {error.problem}", line=line) from error
    except yaml.YAMLError as error:
        raise ProgramError(f"this is no YAML: {error}"[:200], line=1) from error
    if node is None:
        raise ProgramError("the program is empty", line=1, remedy="program: NAME, then steps:")
    return Value(node)


class _Bounded(yaml.SafeLoader):
    """No aliases, which make small files large, and no bottomless nesting."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            self._refuse("a program has no aliases (*name)")
        self._depth += 1
        if self._depth > _DEEPEST:
            self._refuse("it is nested too deeply")
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def _refuse(self, problem: str) -> NoReturn:
        mark: Any = self.peek_event().start_mark  # type: ignore[no-untyped-call]
        raise yaml.MarkedYAMLError(problem=problem, problem_mark=mark)
