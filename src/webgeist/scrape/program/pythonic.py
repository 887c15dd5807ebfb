"""A program as a Python script that does the same; `webgeist.scrape.scripting` is what it uses."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from functools import singledispatch
from typing import TYPE_CHECKING

from webgeist.scrape.program import model

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

_HEAD = '''\
"""{about}Made from the program {name} by webgeist scrape show --python."""

import asyncio
import re
import sys
from contextlib import suppress

from webgeist.scrape.scripting import ALWAYS, Scraper, StopLoop, secret


async def main(store, **settings):
    async with Scraper({name!r}, store=store, viewport={viewport!r}, **settings) as scraper:
        run, page = scraper.run, await scraper.page()
'''
_FOOT = """\
    return scraper.failures


if __name__ == "__main__":
    for failure in (failures := asyncio.run(main({store!r}))):
        print(failure, file=sys.stderr)
    sys.exit(3 if failures else 0)
"""
_INDENT = "    "
_UNITS = (("weeks", 604_800), ("days", 86_400), ("hours", 3600), ("minutes", 60))


def python(program: model.Program) -> str:
    """The script. It is formatted, and short lines are kept short."""
    about = program.about.replace("\\", "\\\\").replace('"', "'")
    head = _HEAD.format(
        about=f"{about}\n\n" if about else "", name=program.name, viewport=program.viewport
    )
    body = _guarded(program.steps, _body(program.steps, "page"))
    store = re.sub(r"[^\w-]+", "-", program.name) + ".db"
    lines = "".join(f"{_INDENT * 2}{line}\n" if line else "\n" for line in body)
    return head + lines + _FOOT.format(store=store)


def _body(steps: Iterable[model.Step], page: str) -> Iterator[str]:
    for step in steps:
        yield from _lines(step, page)


def _guarded(steps: Iterable[model.Step], lines: Iterable[str]) -> Iterator[str]:
    """Where a step may end the loop, it is caught around it."""
    if not _stops(steps):
        yield from lines
        return
    yield "with suppress(StopLoop):"
    yield from _in(lines)


def _stops(steps: Iterable[model.Step]) -> bool:
    """Whether a step ends the loop around these steps."""
    for step in steps:
        if isinstance(step, model.StopWhen):
            return True
        if isinstance(step, model.SkipBlock) and _stops(step.steps):
            return True
        if isinstance(step, model.If) and _stops((*step.steps, *step.otherwise)):
            return True
    return False


def _in(lines: Iterable[str]) -> Iterator[str]:
    yield from (f"{_INDENT}{line}" for line in lines)


@singledispatch
def _lines(step: model.Step, _page: str) -> Iterator[str]:
    raise TypeError(f"{type(step).__name__} is no step")


@_lines.register
def _(step: model.Load, page: str) -> Iterator[str]:
    yield f"await {page}.load({_text(step.url, page)})"


@_lines.register
def _(step: model.Click, page: str) -> Iterator[str]:
    if step.target.cell:
        yield f"await {page}.open({step.target.cell!r})"
    else:
        yield f"await {page}.click({_target(step.target)})"


@_lines.register
def _(step: model.Type, page: str) -> Iterator[str]:
    enter = ", enter=True" if step.enter else ""
    text = _text(step.text, page)
    yield f"await {page}.type({text}, into={_target(step.into)}{enter})"


@_lines.register
def _(step: model.Select, page: str) -> Iterator[str]:
    yield f"await {page}.select({_text(step.option, page)}, where={_target(step.target)})"


@_lines.register
def _(step: model.Scroll, page: str) -> Iterator[str]:
    yield f"await {page}.scroll({_target(step.target) if step.target else ''})"


@_lines.register
def _(step: model.Wait, page: str) -> Iterator[str]:
    until = f", until={_target(step.target)}" if step.target else ""
    yield f"await {page}.wait({step.seconds:g}{until})"


@_lines.register
def _(step: model.Scrape, page: str) -> Iterator[str]:
    names = ", ".join(map(_name, step.cells))
    names = f"({names},)" if len(step.cells) == 1 else names
    optional = f", optional={sorted(step.optional)!r}" if step.optional else ""
    yield f"{names} = await {page}.scrape({_targets(step.cells)}{optional})"


@_lines.register
def _(step: model.Output, page: str) -> Iterator[str]:
    cells = ", ".join(f"{name!r}: {_value(each, page)}" for name, each in step.columns.items())
    yield f"{page}.output({{{cells}}})"


@_lines.register
def _(step: model.ForEach, page: str) -> Iterator[str]:
    name = _name(step.name)
    parts = [repr(step.name)]
    if step.relation.columns:
        parts.append(_targets(step.relation.columns))
    if step.relation.rows:
        parts.append(f"rows={_target(step.relation.rows)}")
    if step.pages != 1:
        parts.append(f"pages={step.pages}")
    if step.stop_after_duplicates:
        yield f"{name}s_met = run.stop_after_duplicates({step.stop_after_duplicates})"
    loop = [f"async for {name} in {page}.rows({', '.join(parts)}):"]
    loop += _in(_body(step.steps, name))
    if step.stop_after_duplicates:
        loop += [f"{_INDENT}if {name}s_met.reached:", f"{_INDENT * 2}break"]
    yield from _guarded(step.steps, loop)


@_lines.register
def _(step: model.SkipBlock, page: str) -> Iterator[str]:
    parts = [repr(step.name), *(_value(each, page) for each in step.key)]
    if step.within:
        parts.append(f"within={list(step.within)!r}")
    if fresh := _fresh(step.fresh, page):
        parts.append(f"fresh={fresh}")
    body = list(_body(step.steps, page))
    each = "_"
    if step.retries:
        parts.append(f"retries={step.retries}")
        each, body = "attempt", ["async with attempt:", *_in(body)]
    yield "with scraper.costs_a_block():"
    yield f"{_INDENT}async for {each} in run.skip_block({', '.join(parts)}):"
    yield from _in(_in(body))


@_lines.register
def _(step: model.If, page: str) -> Iterator[str]:
    yield f"if {_condition(step.condition, page)}:"
    yield from _in(_body(step.steps, page))
    if step.otherwise:
        yield "else:"
        yield from _in(_body(step.otherwise, page))


@_lines.register
def _(step: model.StopWhen, page: str) -> Iterator[str]:
    yield f"if {_condition(step.condition, page)}:"
    yield f"{_INDENT}raise StopLoop"


# --- parts of steps ---------------------------------------------------------------------------


def _fresh(fresh: model.Fresh, page: str) -> str:
    if fresh.always:
        return "ALWAYS"
    if fresh.unless_changed:
        return f"run.unless_changed(await {page}.text())"
    if fresh.runs is not None:
        return f"run.runs({fresh.runs})"
    if fresh.seconds is None:
        return ""
    for unit, size in _UNITS:
        if fresh.seconds % size == 0:
            return f"run.last({unit}={fresh.seconds / size:g})"
    return f"run.last(minutes={fresh.seconds / 60!r})"


def _condition(condition: model.Condition, page: str) -> str:
    if condition.target is not None:
        said = f"await {page}.has({_target(condition.target)})"
    else:
        assert condition.text is not None  # noqa: S101 - reading sees to it
        assert condition.other is not None  # noqa: S101
        text, other = _text(condition.text, page), _text(condition.other, page)
        said = {
            "is": f"{text} == {other}",
            "contains": f"{other} in {text}",
            "matches": f"re.search({other}, {text})",
        }[condition.kind]
    return f"not ({said})" if condition.negated else said


def _targets(targets: Mapping[str, model.Target]) -> str:
    return "{" + ", ".join(f"{name!r}: {_target(each)}" for name, each in targets.items()) + "}"


def _target(target: model.Target) -> str:
    said: dict[str, Any] = dict(target.features)
    if target.cell:
        said["cell"] = target.cell
    if target.attribute:
        said["attribute"] = target.attribute
    return repr(said["css"]) if set(said) == {"css"} else repr(said)


def _name(name: str) -> str:
    """A name that means nothing else in the script."""
    taken = {"run", "page", "scraper", "main", "store", "settings", "secret", "re", "sys"}
    return f"{name}_" if keyword.iskeyword(name) or name in taken else name


def _hole(hole: str, page: str) -> str:
    if hole == "url":
        return f"{page}.url"
    if hole.startswith(model.SECRET):
        return f"secret({hole.removeprefix(model.SECRET)!r})"
    name, _, column = hole.partition(".")
    return f"{_name(name)}[{column!r}]" if column else _name(name)


def _value(template: model.Template, page: str) -> str:
    """What may be missing is None; what is put together is a text."""
    holes = template.holes
    if len(holes) == 1 and template.text == f"{{{holes[0]}}}":
        return _hole(holes[0], page)
    return _text(template, page)


def _text(template: model.Template, page: str) -> str:
    parts = [
        f"({_hole(hole, page)} or '')" if hole else repr(text)
        for hole, text in template.parts()
        if hole or text
    ]
    return " + ".join(parts) or "''"
