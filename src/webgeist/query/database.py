"""A DuckDB in memory that can read the files of one release, and nothing else."""

from __future__ import annotations

import logging
import os
import time
from collections import OrderedDict
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
from sqlglot import exp

from webgeist.errors import DamagedError, LimitError, QueryError
from webgeist.query.attached import attached
from webgeist.query.holding import Holding
from webgeist.query.watch import Stop, Watch

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from webgeist.query.holding import Held
    from webgeist.query.watch import Watched
    from webgeist.repository.release import Release

_log = logging.getLogger(__name__)

_BATCH = 100_000
_LINES = 1  # of DuckDB's words that an error repeats
_MOST_IDLE = 8  # cursors that are kept for the next statements
_MOST_READY = 64  # statements that a cursor keeps


@dataclass(frozen=True)
class Limits:
    """What one query may take. `rows` are those of the answer; more are cut off, and it says so."""

    seconds: float = 60.0
    rows: int = 1_000_000
    memory_mb: int = 2_048


@dataclass(frozen=True)
class Found:
    """The rows of a statement, and why there are not more of them."""

    table: pa.Table
    cut: str | None


@dataclass(frozen=True)
class _Cursor:
    """A connection, and the statements that DuckDB has already looked at for it."""

    connection: duckdb.DuckDBPyConnection
    ready: OrderedDict[tuple[Any, ...], duckdb.DuckDBPyRelation] = field(
        default_factory=OrderedDict
    )

    def statement(self, sql: str, parameters: dict[str, Any]) -> duckdb.DuckDBPyRelation:
        key = (sql, *((type(value), value) for value in parameters.values()))
        try:
            found = self.ready.get(key)
        except TypeError:  # a list is among the values
            return self.connection.sql(sql, params=parameters)
        if found is None:
            found = self.ready[key] = self.connection.sql(sql, params=parameters)
            if len(self.ready) > _MOST_READY:
                self.ready.popitem(last=False)
        return found

    def close(self) -> None:
        self.ready.clear()
        self.connection.close()


class Database:
    """One release, open for statements of any number of threads."""

    def __init__(self, release: Release, memory_mb: int) -> None:
        self._files = {
            name: [str(path) for path in release.paths(name)] for name in release.tables()
        }
        self._idle: list[_Cursor] = []
        self._watch = Watch()
        self._connection = duckdb.connect(
            ":memory:",
            config={
                "memory_limit": f"{memory_mb}MB",
                "threads": os.cpu_count() or 1,
                "autoinstall_known_extensions": False,
                "autoload_known_extensions": False,
                "temp_directory": "",
            },
        )
        for name, files in self._files.items():
            if not files:
                columns = list(release.columns(name).items())
                self._keep(name, pa.schema(columns).empty_table())
        for name, table in attached(release).items():
            self._keep(name, table)
        self._connection.execute("CREATE SCHEMA held")
        self._holding = Holding(release, memory_mb)
        self._copying = Lock()
        self._lock_up()

    @property
    def held(self) -> Held:
        """What is in memory by now."""
        return self._holding.held

    def _keep(self, name: str, rows: pa.Table) -> None:
        """A table in memory: one without files, or one that was attached."""
        self._connection.register("rows_to_keep", rows)
        select = exp.Select().select("*").from_("rows_to_keep")
        made = exp.Create(this=exp.to_table(_quoted(name)), kind="TABLE", expression=select)
        self._connection.execute(made.sql("duckdb"))
        self._connection.unregister("rows_to_keep")

    def _lock_up(self) -> None:
        """From here on, no other file can be opened, and none of this be undone."""
        self._connection.execute("SET GLOBAL parquet_metadata_cache = true")  # files never change
        self._connection.execute("SET GLOBAL python_enable_replacements = false")
        paths = [path for files in self._files.values() for path in files]
        listed = exp.Array(expressions=[exp.Literal.string(path) for path in paths])
        self._connection.execute(f"SET allowed_paths = {listed.sql('duckdb')}")
        self._connection.execute("SET enable_external_access = false")
        self._connection.execute("SET lock_configuration = true")

    def run(
        self, sql: str, parameters: dict[str, Any], limits: Limits, stop: Stop | None = None
    ) -> Found:
        """The rows, up to the limits. LimitError: time or memory ended before there were any, or
        nobody wants them any more.
        """
        stop = stop or Stop()
        if stop.stopped:
            raise _unwanted()
        try:
            with (
                self._cursor(limits.seconds) as (cursor, watched),
                stop.ending(lambda: self._watch.hurry(watched)),
            ):
                return _collected(cursor, sql, parameters, limits, watched)
        except duckdb.InterruptException as error:
            if stop.stopped:
                raise _unwanted() from error
            raise LimitError(
                f"the query took longer than {limits.seconds:g} s",
                remedy="ask a $sample, or allow more time",
            ) from error
        except duckdb.OutOfMemoryException as error:
            raise LimitError(
                f"the query needs more than {limits.memory_mb:,} MB of memory",
                remedy="ask a $sample, or allow more memory",
            ) from error
        except (duckdb.IOException, duckdb.PermissionException) as error:  # a file is gone
            raise DamagedError(_first_line(error), remedy="webgeist check") from error
        except duckdb.Error as error:
            raise QueryError(f"the query cannot be answered: {_first_line(error)}") from error

    def note(self, read: Mapping[str, Collection[str]], seconds: float, limits: Limits) -> None:
        """That a statement read these columns, and took so long. What was often read from files
        by now is copied into memory, if there is time for it and no other thread does so.
        """
        due = self._holding.due(read, seconds)
        if not due or not self._copying.acquire(blocking=False):
            return
        until = time.monotonic() + limits.seconds - seconds
        try:
            for table in due:
                self._copy(table, until - time.monotonic())
        finally:
            self._copying.release()

    def _copy(self, table: str, seconds: float) -> None:
        """Where that takes too long or too much memory, files are read as before."""
        names = self._holding.wanted(table)
        if seconds < self._holding.seconds(table, names):
            return
        try:
            with self._cursor(seconds) as (cursor, _):
                for statement in self._holding.statements(table, names):
                    cursor.connection.execute(statement)
        except duckdb.Error as error:
            _log.info("columns of %s are not held in memory: %s", table, _first_line(error))
            self._holding.give_up(table)
        else:
            self._holding.done(table, names)

    @contextmanager
    def _cursor(self, seconds: float) -> Iterator[tuple[_Cursor, Watched]]:
        """One that is interrupted after some time. It is used again, which is cheaper than a new
        one; but not after an interrupt or a failure, of which something may be left in it.
        """
        try:
            cursor = self._idle.pop()
        except IndexError:
            cursor = _Cursor(self._connection.cursor())
        try:
            with self._watch.over(seconds, cursor.connection.interrupt) as watched:
                yield cursor, watched
        except BaseException:
            cursor.close()
            raise
        if watched.ended or len(self._idle) >= _MOST_IDLE:
            cursor.close()
        else:
            self._idle.append(cursor)

    def problem_of_regex(self, pattern: str) -> str | None:
        """What RE2 finds wrong with a pattern."""
        cursor = self._connection.cursor()
        try:
            cursor.execute("SELECT regexp_matches('', $pattern)", {"pattern": pattern}).fetchall()
        except duckdb.Error as error:
            return _first_line(error)
        finally:
            cursor.close()
        return None

    def forget(self) -> None:
        """Let go of what is kept for statements that were asked before, and of their columns."""
        for cursor in list(self._idle):
            cursor.ready.clear()
        for table in self._holding.forget():
            self._connection.execute(f"DROP TABLE held.{_quoted(table)}")

    def close(self) -> None:
        self._connection.close()


def _unwanted() -> LimitError:
    return LimitError("the query was stopped: nobody waits for it")


def _collected(
    cursor: _Cursor,
    sql: str,
    parameters: dict[str, Any],
    limits: Limits,
    watched: Watched,
) -> Found:
    """Batches as they come: what is there when the time ends is kept."""
    reader = cursor.statement(sql, parameters).to_arrow_reader(_BATCH)
    schema, batches, rows, cut = reader.schema, [], 0, None
    for batch in _until_interrupted(reader):
        batches.append(batch)
        rows += batch.num_rows
        if rows > limits.rows:
            cut = "rows"
            break
    else:
        if watched.ended:
            cut = "time"
    table = pa.Table.from_batches(batches, schema)
    return Found(_plain(table.slice(0, limits.rows)), cut)


def _plain(table: pa.Table) -> pa.Table:
    """Texts that were numbers in memory are texts."""
    for at, column in enumerate(table.schema):
        if pa.types.is_dictionary(column.type):
            table = table.set_column(at, column.name, table.column(at).cast(pa.string()))
    return table


def _until_interrupted(reader: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
    first = True
    while True:
        try:
            batch = reader.read_next_batch()
        except StopIteration:
            return
        except OSError as error:
            told = _as_duckdb(error)
            if first or not isinstance(told, duckdb.InterruptException):
                raise told from error
            return
        first = False
        yield batch


def _as_duckdb(error: OSError) -> duckdb.Error:
    """What DuckDB says while rows are read comes as Arrow's error; its words tell which it is."""
    text = str(error)
    if "INTERRUPT" in text:
        return duckdb.InterruptException(text)
    return duckdb.OutOfMemoryException(text) if "Out of Memory" in text else duckdb.Error(text)


def _quoted(name: str) -> str:
    return exp.to_identifier(name, quoted=True).sql("duckdb")


def _first_line(error: BaseException) -> str:
    return "\n".join(str(error).splitlines()[:_LINES])
