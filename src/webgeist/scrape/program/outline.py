"""A program as an outline that a person can read aloud."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING

from webgeist.scrape.program import model

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_INDENT = "  "


def outline(program: model.Program) -> str:
    """The whole program, a line for each step."""
    head = [program.name, *([program.about] if program.about else [])]
    return "\n".join([*head, *_lines(program.steps, 1)]) + "\n"


def _lines(steps: Iterable[model.Step], depth: int) -> Iterator[str]:
    for step in steps:
        yield _INDENT * depth + said(step)
        if isinstance(step, model.ForEach | model.SkipBlock | model.If):
            yield from _lines(step.steps, depth + 1)
        if isinstance(step, model.If) and step.otherwise:
            yield f"{_INDENT * depth}otherwise"
            yield from _lines(step.otherwise, depth + 1)


@singledispatch
def said(step: model.Step) -> str:
    """A step in words, without the steps in it."""
    raise TypeError(f"{type(step).__name__} is no step")


@said.register
def _(step: model.Load) -> str:
    return f"load {step.url.text}"


@said.register
def _(step: model.Click) -> str:
    return f"click {step.target}"


@said.register
def _(step: model.Type) -> str:
    return f"type {step.text.text!r} into {step.into}" + (", then Enter" * step.enter)


@said.register
def _(step: model.Select) -> str:
    return f"select {step.option.text!r} in {step.target}"


@said.register
def _(step: model.Scroll) -> str:
    return f"scroll to {step.target or 'the end'}"


@said.register
def _(step: model.Wait) -> str:
    most = f"{step.seconds:g} s"
    return f"wait for {step.target}, {most} at most" if step.target else f"wait {most}"


@said.register
def _(step: model.Scrape) -> str:
    return "scrape " + "; ".join(_cell(step, name) for name in step.cells)


@said.register
def _(step: model.Output) -> str:
    return "output " + ", ".join(f"{name}: {each.text}" for name, each in step.columns.items())


@said.register
def _(step: model.ForEach) -> str:
    columns = ", ".join(step.relation.columns) or "what the page repeats"
    pages = {None: ", on all pages of the list", 1: ""}.get(
        step.pages, f", on {step.pages} pages of the list at most"
    )
    most = step.stop_after_duplicates
    stop = f", until {most} in a row are known" if most else ""
    return f"for each {step.name} ({columns}){pages}{stop}" + (", if any" * step.optional)


@said.register
def _(step: model.SkipBlock) -> str:
    key = ", ".join(part.text for part in step.key)
    within = f" within {', '.join(step.within)}" if step.within else ""
    return f"skip if {step.name} ({key}){within} {_fresh(step.fresh)}"


@said.register
def _(step: model.If) -> str:
    return f"if {_condition(step.condition)}"


@said.register
def _(step: model.StopWhen) -> str:
    return f"stop when {_condition(step.condition)}"


def _cell(step: model.Scrape, name: str) -> str:
    return f"{name} from {step.cells[name]}" + (" if it is there" * (name in step.optional))


def _fresh(fresh: model.Fresh) -> str:
    if fresh.always:
        return "never: always do it"
    if fresh.unless_changed:
        return "was done and its page has not changed"
    if fresh.runs is not None:
        return f"was done in this or the last {fresh.runs} full runs"
    return "was done" if fresh.seconds is None else f"was done in the last {_time(fresh.seconds)}"


def _time(seconds: float) -> str:
    for word, size in (("weeks", 604_800), ("days", 86_400), ("hours", 3600), ("minutes", 60)):
        if seconds >= size and seconds % size == 0:
            return f"{seconds / size:g} {word}"
    return f"{seconds:g} seconds"


def _condition(condition: model.Condition) -> str:
    if condition.target is not None:
        return f"{condition.target} is {'not ' * condition.negated}on the page"
    text = condition.text.text if condition.text else ""
    other = condition.other.text if condition.other else ""
    verb = condition.kind
    return f"{text!r} {'not ' * condition.negated}{verb} {other!r}"
