"""Runs a compiled program on the facts of a page, in SQLite in memory."""

from __future__ import annotations

import sqlite3
import time
from typing import TYPE_CHECKING

from webgeist.analyses.blocks.rules.reach import NOBODY, Request
from webgeist.analyses.blocks.rules.sql import table_name
from webgeist.errors import LimitError

if TYPE_CHECKING:
    from webgeist.analyses.blocks.facts import Facts
    from webgeist.analyses.blocks.rules.compiler import Compiled
    from webgeist.analyses.blocks.rules.reach import Guard
    from webgeist.analyses.blocks.rules.syntax import Predicate

_SECONDS = 20.0  # that rules may take on one page
_STEPS = 200_000  # of SQLite between two looks at the clock

Row = tuple[object, ...]


def run(program: Compiled, facts: Facts, seconds: float = _SECONDS) -> dict[Predicate, list[Row]]:
    """The rows of every feature and the nodes of interest. LimitError where it takes too long."""
    database = sqlite3.connect(":memory:", isolation_level=None, cached_statements=0)
    try:
        stop = time.monotonic() + seconds
        database.set_progress_handler(lambda: time.monotonic() > stop, _STEPS)
        _fill(database, program, facts)
        for step in program.steps:
            for line in (*step.inserts, *step.indexes):
                database.execute(line)
        return {
            predicate: database.execute(f"SELECT * FROM {table_name(predicate)}").fetchall()  # noqa: S608 - names are ours
            for predicate in (*program.features, program.interest)
        }
    except sqlite3.OperationalError as error:
        if "interrupted" not in str(error):
            raise
        raise LimitError(
            f"the rules took more than {seconds:g} s on {facts.url}",
            remedy="let atoms that leave few nodes stand first in rules",
        ) from error
    finally:
        database.close()


def _fill(database: sqlite3.Connection, program: Compiled, facts: Facts) -> None:
    database.execute("PRAGMA temp_store = MEMORY")
    database.execute("BEGIN")
    for line in program.schema:
        database.execute(line)
    for request, guard in _wanted(program).items():
        name, arity = table_name(request.predicate), request.predicate.arity
        marks = ", ".join("?" * arity)
        rows = facts.rows(request, guard)
        database.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)  # noqa: S608 - names are ours
    for line in program.fact_indexes:
        database.execute(line)
    database.execute("COMMIT")


def _wanted(program: Compiled) -> dict[Request, Guard]:
    """Where somebody asks for all kinds of a fact, that is one request for whoever asks."""
    whole = {request.predicate for request in program.requests if request.kind is None}
    wanted: dict[Request, Guard] = {}
    for request, guard in program.requests.items():
        one = Request(request.predicate) if request.predicate in whole else request
        wanted[one] = wanted.get(one, NOBODY) | guard
    return wanted
