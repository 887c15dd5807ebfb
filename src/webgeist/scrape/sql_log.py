"""The commit log in SQLite or PostgreSQL."""

from __future__ import annotations

import time as wall
from typing import TYPE_CHECKING, Any

from webgeist.errors import NotFoundError
from webgeist.scrape import statements
from webgeist.scrape.database import Database
from webgeist.scrape.freshness import Record
from webgeist.scrape.holders import ALIVE_SECONDS, Holder
from webgeist.scrape.log import Begun
from webgeist.scrape.rows import Row, read

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from webgeist.scrape.database import Changing
    from webgeist.scrape.keys import Key
    from webgeist.scrape.log import Done, Visits
    from webgeist.scrape.rows import Draft

_ROWS_AT_ONCE = 1000


class SqlLog:
    """A `Log` in a database. One object may be used by several threads."""

    def __init__(self, store: str | Path, *, create: bool = True) -> None:
        self.database = Database(store, create=create)
        self._upserts = statements.Upserts(self.database.engine.dialect.name)

    def begin(self, program: str, time: float, holder: Holder) -> Begun:
        with self.database.change() as connection:
            connection.execute(self._upserts.program, {"name": program, "logical": 0})
            asked = connection.execute(statements.PROGRAM, {"of_name": program})
            number, logical = asked.fetchone()
            row = {
                "program": number,
                "logical": logical,
                "started": time,
                "machine": holder.machine,
                "process": holder.process,
                "alive_until": wall.time() + ALIVE_SECONDS,
            }
            (run,) = connection.execute(statements.BEGIN, row).fetchone()
        return Begun(number, run, logical)

    def records(self, begun: Begun, key: Key) -> list[Record]:
        found = self.database.fetch(statements.RECORDS, _of(begun, key))
        return [Record(*each) for each in found]

    def take(self, begun: Begun, key: Key, token: str, known: list[Record]) -> list[Record] | None:
        lease: dict[str, Any] = {"program": begun.program, "block": key.block, "key": key.digest}
        lease |= {"run": begun.run, "token": token} | _of(begun, key)
        taken = self.database.alone(self._upserts.lease, lease)
        if taken is None:
            with self.database.change(durable=False) as connection:
                if not self._take_over(connection, begun, key, token):
                    return None
        elif taken[0] == len(known):  # nobody has written one since
            return known
        return self.records(begun, key)

    def _take_over(self, connection: Changing, begun: Begun, key: Key, token: str) -> bool:
        """Whether the one who held it is gone, and nobody else was quicker."""
        holder = connection.execute(statements.HOLDER, _of(begun, key)).fetchone()
        if holder is None:
            return False
        run, old_token, *facts = holder
        if not _is_gone(*facts):
            return False
        change = {"old_run": run, "of_token": old_token, "of_run": begun.run, "new_token": token}
        taken = connection.execute(statements.TAKE_OVER, _of(begun, key) | change)
        return bool(taken.rowcount == 1)

    def give_back(self, begun: Begun, key: Key, token: str) -> None:
        with self.database.change(durable=False) as connection:
            connection.execute(statements.LET_GO, _held(begun, key, token))

    def commit(self, begun: Begun, done: Done, *, durable: bool) -> bool:
        key, record = done.key, done.record
        with self.database.change(durable=durable) as connection:
            held = connection.execute(statements.LET_GO, _held(begun, key, done.token))
            if held.rowcount != 1:
                return False
            row = {
                "program": begun.program,
                "block": key.block,
                "key": key.digest,
                "parts": key.parts,
                "time": record.time,
                "logical": record.logical,
                "run": begun.run,
                "content": record.content,
            }
            (number,) = connection.execute(statements.COMMIT, row).fetchone()
            if done.rows:
                connection.execute(
                    statements.KEEP, [_kept(begun, each, number) for each in done.rows]
                )
        return True

    def output(self, begun: Begun, row: Draft) -> None:
        with self.database.change() as connection:
            connection.execute(statements.KEEP, _kept(begun, row, None))

    def stay(self, begun: Begun) -> None:
        with self.database.change() as connection:
            until = wall.time() + ALIVE_SECONDS
            connection.execute(statements.STAY, {"of_run": begun.run, "until": until})

    def end(self, begun: Begun, time: float, outcome: str, visits: Mapping[str, Visits]) -> None:
        with self.database.change() as connection:
            connection.execute(statements.LET_ALL_GO, {"of_run": begun.run})
            ending = {"of_run": begun.run, "now": time, "became": outcome}
            connection.execute(statements.END, ending)
            if visits:
                connection.execute(statements.COUNT, list(_counted(begun, visits)))
            if outcome == "full":  # of runs that shared the work, the first to end advances it
                moved = {"of_program": begun.program, "was": begun.logical}
                connection.execute(statements.ADVANCE, moved)

    def rows(self, program: str) -> Iterator[Row]:
        after, number = 0, self.number(program)
        while True:
            asked = {"of_program": number, "after": after, "most": _ROWS_AT_ONCE}
            found = self.database.fetch(statements.OUTPUT, asked)
            for after, run, time, source, data, block in found:  # noqa: B007 - the last one counts
                yield Row(read(data), run=run, time=time, source=source, block=block or "")
            if len(found) < _ROWS_AT_ONCE:
                return

    def number(self, program: str) -> int:
        """The number of a program. NotFoundError."""
        found = self.database.fetch(statements.PROGRAM, {"of_name": program})
        if not found:
            raise NotFoundError(
                f"{self.database.where} knows no program {program}",
                remedy="a run of the program makes it known",
            )
        number: int = found[0][0]
        return number

    def close(self) -> None:
        self.database.close()


def _of(begun: Begun, key: Key) -> dict[str, Any]:
    return {"of_program": begun.program, "of_block": key.block, "of_key": key.digest}


def _held(begun: Begun, key: Key, token: str) -> dict[str, Any]:
    return _of(begun, key) | {"of_run": begun.run, "of_token": token}


def _is_gone(machine: str, process: str, alive_until: float, ended: float | None) -> bool:
    late = ended is not None or alive_until < wall.time()
    return late or Holder(machine, process).is_gone()


def _kept(begun: Begun, row: Draft, record: int | None) -> dict[str, Any]:
    return {
        "program": begun.program,
        "run": begun.run,
        "record": record,
        "time": row.time,
        "source": row.source,
        "data": row.data,
    }


def _counted(begun: Begun, visits: Mapping[str, Visits]) -> Iterator[dict[str, Any]]:
    for block, each in visits.items():
        counts = {"entered": each.entered, "skipped": each.skipped, "committed": each.committed}
        yield {"run": begun.run, "block": block} | counts
