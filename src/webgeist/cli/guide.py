"""The five questions, and for each a command that asks the demo's repository on."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from webgeist.cli.output import Output

_FOLLOWING = (
    '{"$from": "@pagination", "$where": {"immediate": true}, '
    '"$select": ["@page.url", "text", "reason"]}'
)


class Section(NamedTuple):
    """A question, what was found, and what to type to ask on."""

    question: str
    lines: Iterable[str]
    command: str


def sections(
    repo: Path,
    changed_page: str,
    *,
    looks: Iterable[str],
    maps: Iterable[str],
    lists: Iterable[str],
    records: Iterable[str],
    changes: Iterable[str],
) -> tuple[Section, ...]:
    """The five questions in the order of the README. Commands need no sample site any more."""
    rows = _command("query", '{"$from": "@output"}', "--output", str(repo / "restaurants.db"))
    return (
        Section("How do pages look?", looks, _command("stats", "colours")),
        Section("How is a site organised?", maps, _command("sites", "--map", "tree")),
        Section(
            "What is this block, and where is the next page?", lists, _command("query", _FOLLOWING)
        ),
        Section("How do I get all records, and keep them fresh?", records, rows),
        Section("What really changed?", changes, _command("changes", changed_page)),
    )


def tell(section: Section, repo: Path, output: Output) -> None:
    """Print a section. Lines are made while they are printed."""
    output.data(f"\n{section.question}")
    for line in section.lines:
        output.data(f"  {line}")
    output.data(f"  ask on:  {section.command} --repo {shlex.quote(str(repo))}")


def _command(*words: str) -> str:
    return shlex.join(("./webgeist", *words))
