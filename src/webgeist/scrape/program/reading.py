"""Reads a program file. Whatever is wrong in it is told with its line and field before anything
runs: unknown words, wrong types, names that nothing gives a value to, blocks that are not open.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webgeist.errors import UsageError
from webgeist.scrape.program import model
from webgeist.scrape.program.places import nearest, parse
from webgeist.scrape.program.targets import read_target, read_targets

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from webgeist.scrape.program.places import Value

_TIME = re.compile(r"(\d+(?:\.\d+)?) ?(s|m|h|d|w)")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_LONGEST_WAIT = 600.0
URL = "url"  # the address of the page that is shown


@dataclass
class Scope:
    """What is known at a place of the program: names with values, and open blocks. A loop whose
    columns are found on the page has any column.
    """

    names: set[str] = field(default_factory=lambda: {URL})
    open_ended: set[str] = field(default_factory=set)
    blocks: tuple[str, ...] = ()
    loops: int = 0

    def inner(self, **changed: object) -> Scope:
        return Scope(**(vars(self) | {"names": set(self.names)} | changed))

    def knows(self, hole: str) -> bool:
        loop, _, column = hole.partition(".")
        return hole in self.names or (loop in self.open_ended and bool(column))


def read_program(path: Path) -> model.Program:
    """The program in a file. ProgramError, with line and field, where it is none."""
    return parse_program(read_text(path))


def read_text(path: Path) -> str:
    """What a program file says. UsageError where it is none."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{path} cannot be read: {error}", remedy="a program is a text in UTF-8"
        ) from error


def parse_program(text: str) -> model.Program:
    """The program in a text."""
    document = parse(text)
    found = document.known("program", "about", "viewport", "steps")
    for needed in ("program", "steps"):
        if needed not in found:
            document.fail(f"{needed} is missing", remedy="program: NAME, then steps:")
    return model.Program(
        name=_block_name(found["program"]),
        steps=_steps(found["steps"], Scope()),
        about=found["about"].text() if "about" in found else "",
        viewport=found["viewport"].text() if "viewport" in found else "desktop",
    )


def _steps(value: Value, scope: Scope) -> tuple[model.Step, ...]:
    found = value.items()
    if not found:
        value.fail("there is no step")
    return tuple(_step(each, scope) for each in found)


def _step(value: Value, scope: Scope) -> model.Step:
    given = value.fields()
    verbs = [name for name in given if name in _VERBS]
    if len(verbs) != 1:
        first = next(iter(given), "")
        what = f"{' and '.join(verbs)} are two steps" if verbs else f"there is no step {first!r}"
        value.fail(what, remedy="begin each with '- '" if verbs else nearest(first, _VERBS))
    return _VERBS[verbs[0]](value, scope)


# --- on the page ------------------------------------------------------------------------------


def _load(value: Value, scope: Scope) -> model.Step:
    return model.Load(value.line, _template(value.known("load")["load"], scope))


def _click(value: Value, scope: Scope) -> model.Step:
    return model.Click(value.line, _target(value.known("click")["click"], scope))


def _type(value: Value, scope: Scope) -> model.Step:
    found = value.known("type", "into", "enter")
    enter = found["enter"].flag() if "enter" in found else False
    into = _target(_need(value, found, "into"), scope)
    return model.Type(value.line, into, _template(found["type"], scope, secrets=True), enter)


def _select(value: Value, scope: Scope) -> model.Step:
    found = value.known("select", "in")
    target = _target(_need(value, found, "in"), scope)
    return model.Select(value.line, target, _template(found["select"], scope))


def _scroll(value: Value, scope: Scope) -> model.Step:
    where = value.known("scroll")["scroll"]
    to_end = not where.is_mapping and where.text() == "end"
    return model.Scroll(value.line, None if to_end else _target(where, scope))


def _wait(value: Value, scope: Scope) -> model.Step:
    found = value.known("wait", "for")
    seconds = _seconds(found["wait"])
    if seconds > _LONGEST_WAIT:
        found["wait"].fail(f"no step waits for more than {_LONGEST_WAIT:g} s")
    target = _target(found["for"], scope) if "for" in found else None
    return model.Wait(value.line, seconds, target)


def _scrape(value: Value, scope: Scope) -> model.Step:
    found = value.known("scrape", "optional")
    cells = read_targets(found["scrape"])
    for name, cell in found["scrape"].fields().items():
        _new_name(cell, name)
    optional = (
        frozenset(each.text() for each in found["optional"].items())
        if "optional" in found
        else frozenset()
    )
    for name in optional - set(cells):
        found["optional"].fail(f"{name} is not scraped here", remedy=nearest(name, cells))
    scope.names |= set(cells)
    return model.Scrape(value.line, cells, optional)


def _output(value: Value, scope: Scope) -> model.Step:
    columns = value.known("output")["output"].fields()
    if not columns:
        value.fail("a row needs a column")
    templates = {name: _template(each, scope) for name, each in columns.items()}
    return model.Output(value.line, templates)


# --- around other steps -----------------------------------------------------------------------


def _for_each(value: Value, scope: Scope) -> model.Step:
    found = value.known("for-each", "in", "pages", "stop-after-duplicates", "optional", "steps")
    name = found["for-each"].text()
    _new_name(found["for-each"], name)
    relation = _relation(found["in"]) if "in" in found else model.Relation()
    inner = scope.inner(loops=scope.loops + 1)
    if relation.columns:
        inner.names |= {f"{name}.{column}" for column in relation.columns}
    else:
        inner.open_ended = scope.open_ended | {name}
    duplicates = found.get("stop-after-duplicates")
    return model.ForEach(
        value.line,
        name,
        relation,
        _steps(_need(value, found, "steps"), inner),
        _pages(found["pages"]) if "pages" in found else 1,
        None if duplicates is None else int(duplicates.number(1, whole=True)),
        found["optional"].flag() if "optional" in found else False,
    )


def _relation(value: Value) -> model.Relation:
    found = value.known("columns", "rows")
    columns = read_targets(found["columns"]) if "columns" in found else {}
    for name, cell in (found["columns"].fields() if columns else {}).items():
        _new_name(cell, name)
    return model.Relation(columns, read_target(found["rows"]) if "rows" in found else None)


def _pages(value: Value) -> int | None:
    if value.node.value == "all":
        return None
    return int(value.number(1, whole=True))


def _skip_block(value: Value, scope: Scope) -> model.Step:
    found = value.known("skip-block", "key", "within", "fresh", "retries", "steps")
    name = _block_name(found["skip-block"])
    if name in scope.blocks:
        found["skip-block"].fail(f"block {name} cannot stand inside itself")
    within = tuple(each.text() for each in _listed(found["within"])) if "within" in found else ()
    for each in within:
        if each not in scope.blocks:
            there = ", ".join(scope.blocks) or "none"
            found["within"].fail(f"block {each} is not open here", remedy=f"open are: {there}")
    key = tuple(_template(each, scope) for each in _listed(_need(value, found, "key")))
    inner = scope.inner(blocks=(*scope.blocks, name))
    steps = _steps(_need(value, found, "steps"), inner)
    retries = int(found["retries"].number(0, whole=True)) if "retries" in found else 0
    fresh = _fresh(found["fresh"]) if "fresh" in found else model.Fresh()
    return model.SkipBlock(value.line, name, key, steps, within, fresh, retries)


def _fresh(value: Value) -> model.Fresh:
    if not value.is_mapping:
        words = {
            "always": model.Fresh(always=True),
            "unless-changed": model.Fresh(unless_changed=True),
        }
        text = value.text()
        return words[text] if text in words else model.Fresh(seconds=_seconds(value))
    runs = value.known("runs")
    return model.Fresh(runs=int(_need(value, runs, "runs").number(0, whole=True)))


def _if(value: Value, scope: Scope) -> model.Step:
    found = value.known("if", "steps", "else")
    condition = _condition(found["if"], scope)
    steps = _steps(_need(value, found, "steps"), scope)
    otherwise = _steps(found["else"], scope) if "else" in found else ()
    return model.If(value.line, condition, steps, otherwise)


def _stop_when(value: Value, scope: Scope) -> model.Step:
    return model.StopWhen(value.line, _condition(value.known("stop-when")["stop-when"], scope))


_CONDITIONS = ("is", "contains", "matches")


def _condition(value: Value, scope: Scope) -> model.Condition:
    found = value.known("on-page", "not", "text", *_CONDITIONS)
    if "not" in found:
        inner = _condition(found["not"], scope)
        return model.Condition(
            inner.kind, inner.target, inner.text, inner.other, negated=not inner.negated
        )
    if "on-page" in found:
        return model.Condition("on-page", _target(found["on-page"], scope))
    kinds = [name for name in _CONDITIONS if name in found]
    if "text" not in found or len(kinds) != 1:
        value.fail(
            "a condition is missing",
            remedy="on-page: TARGET, or text: with is, contains or matches",
        )
    if kinds == ["matches"]:
        _check_pattern(found["matches"])
    text, other = _template(found["text"], scope), _template(found[kinds[0]], scope)
    return model.Condition(kinds[0], None, text, other)


def _check_pattern(value: Value) -> None:
    try:
        re.compile(value.text())
    except re.error as error:
        value.fail(f"no regular expression: {error}")


# --- parts of steps ---------------------------------------------------------------------------


def _need(step: Value, found: dict[str, Value], name: str) -> Value:
    if name not in found:
        step.fail(f"{name} is missing")
    return found[name]


def _listed(value: Value) -> list[Value]:
    """A list, or one thing instead."""
    if not value.is_list:
        return [value]
    if not (found := value.items()):
        value.fail("the list is empty")
    return found


def _block_name(value: Value) -> str:
    name = value.text()
    if not name.strip() or len(name) > 200 or not name.isprintable():  # noqa: PLR2004 - as keys have it
        value.fail(f"{name!r:.60} is no name")
    return name


def _new_name(value: Value, name: str) -> None:
    if not model.NAME.fullmatch(name) or name == URL:
        value.fail(f"{name!r} is no name for a value", remedy="letters, digits and _")


def _template(value: Value, scope: Scope, *, secrets: bool = False) -> model.Template:
    template = model.Template(value.text())
    for hole in template.holes:
        if hole.startswith(model.SECRET):
            if not secrets:
                value.fail(f"{{{hole}}} may only be typed: a secret belongs nowhere else")
        elif not scope.knows(hole):
            value.fail(f"nothing gives {hole!r} a value before this", nearest(hole, scope.names))
    return template


def _target(value: Value, scope: Scope) -> model.Target:
    """What a step is about: a place on the page, or a cell of the row that a loop is at."""
    target = read_target(value)
    if target.cell and not scope.knows(target.cell):
        value.fail(
            f"nothing gives {target.cell!r} a value before this", nearest(target.cell, scope.names)
        )
    return target


def _seconds(value: Value) -> float:
    if found := _TIME.fullmatch(value.text().strip()):
        return float(found[1]) * _SECONDS[found[2]]
    return value.number(0)


_VERBS: dict[str, Callable[[Value, Scope], model.Step]] = {
    "load": _load,
    "click": _click,
    "type": _type,
    "select": _select,
    "scroll": _scroll,
    "wait": _wait,
    "scrape": _scrape,
    "output": _output,
    "for-each": _for_each,
    "skip-block": _skip_block,
    "if": _if,
    "stop-when": _stop_when,
}
VERBS = tuple(_VERBS)
