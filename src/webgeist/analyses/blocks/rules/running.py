"""Runs a compiled program on the facts of a page, in SQLite in memory.

Making tables and reading statements costs more than the answers of a usual page. So a database is
kept for the next page that is asked the same: its tables are emptied, its statements are known.
"""

from __future__ import annotations

import os
import sqlite3
import time
from functools import lru_cache
from itertools import chain, groupby
from typing import TYPE_CHECKING

from webgeist.analyses.blocks.rules.sql import table_name
from webgeist.errors import LimitError

if TYPE_CHECKING:
    from webgeist.analyses.blocks.facts import Facts
    from webgeist.analyses.blocks.rules.compiler import Compiled
    from webgeist.analyses.blocks.rules.syntax import Predicate

_SECONDS = 20.0  # of CPU that rules may take on one page, so that a busy machine answers the same
_STEPS = 200_000  # of SQLite between two looks at the clock
_KEPT_BYTES = 16 << 20  # a database that grew larger is not kept
_PROGRAMS = 8  # that databases are kept for

Row = tuple[object, ...]


def run(program: Compiled, facts: Facts, seconds: float = _SECONDS) -> dict[Predicate, list[Row]]:
    """The rows of every feature and the nodes of interest. LimitError where it takes too long."""
    shelf = _shelf(program.digest, os.getpid())
    database = shelf.take(program)
    try:
        stop = time.thread_time() + seconds
        database.set_progress_handler(lambda: time.thread_time() > stop, _STEPS)
        found = _answers(database, program, facts)
    except sqlite3.OperationalError as error:
        database.close()
        if "interrupted" not in str(error):
            raise
        raise LimitError(
            f"the rules took more than {seconds:g} s of CPU on {facts.url}",
            remedy="let atoms that leave few nodes stand first in rules",
        ) from error
    except BaseException:
        database.close()
        raise
    shelf.give_back(database)
    return found


def _answers(
    database: sqlite3.Connection, program: Compiled, facts: Facts
) -> dict[Predicate, list[Row]]:
    database.execute("BEGIN")
    for table in program.tables:
        database.execute(f"DELETE FROM {table}")  # noqa: S608 - names are ours
    for predicate, requests in groupby(program.requests.items(), lambda each: each[0].predicate):
        marks = ", ".join("?" * predicate.arity)
        rows = chain.from_iterable(facts.rows(*each) for each in requests)
        database.executemany(f"INSERT INTO {table_name(predicate)} VALUES ({marks})", rows)  # noqa: S608 - names are ours
    for line in program.steps:
        database.execute(line)
    found = {each: database.execute(sql).fetchall() for each, sql in program.answers.items()}
    database.execute("COMMIT")
    return found


class _Shelf:
    """Databases of one program that nobody uses now. Whoever takes one has it alone."""

    def __init__(self) -> None:
        self._idle: list[sqlite3.Connection] = []

    def take(self, program: Compiled) -> sqlite3.Connection:
        try:
            return self._idle.pop()
        except IndexError:
            return _made(program)

    def give_back(self, database: sqlite3.Connection) -> None:
        (pages,) = database.execute("PRAGMA page_count").fetchone()
        (size,) = database.execute("PRAGMA page_size").fetchone()
        if pages * size > _KEPT_BYTES or len(self._idle) >= _PROGRAMS:
            database.close()
        else:
            self._idle.append(database)

    def __del__(self) -> None:
        while self._idle:
            self._idle.pop().close()


@lru_cache(maxsize=_PROGRAMS)
def _shelf(digest: str, process: int) -> _Shelf:  # noqa: ARG001 - what the cache goes by
    """One for each program; a process that was forked has its own."""
    return _Shelf()


def _made(program: Compiled) -> sqlite3.Connection:
    statements = len(program.tables) + len(program.steps) + len(program.answers)
    database = sqlite3.connect(
        ":memory:",
        isolation_level=None,
        check_same_thread=False,
        cached_statements=2 * statements + 16,
    )
    for setting in ("journal_mode = OFF", "temp_store = MEMORY"):
        database.execute(f"PRAGMA {setting}")
    for line in program.schema:
        database.execute(line)
    return database
