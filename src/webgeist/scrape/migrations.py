"""How a commit log came to its present form: each step's statements, run in one transaction.

A step is never changed once it was released. The statements are for SQLite and PostgreSQL at once;
`{id}`, `{int}`, `{real}`, `{bytes}` and `{by_key}` stand for what the two call differently.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from webgeist.repository.versions import NewerVersionError

if TYPE_CHECKING:
    from sqlalchemy import Connection

_TYPES = {
    "sqlite": {
        "id": "INTEGER PRIMARY KEY",
        "int": "INTEGER",
        "real": "REAL",
        "bytes": "BLOB",
        "by_key": "WITHOUT ROWID",
    },
    "postgresql": {
        "id": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
        "int": "BIGINT",
        "real": "DOUBLE PRECISION",
        "bytes": "BYTEA",
        "by_key": "",
    },
}
_LOCK = 0x77656273  # PostgreSQL's advisory lock while tables are made: "webs"

_VERSION = sa.table("scrape_version", sa.column("version"))

_LOG = (
    """CREATE TABLE scrape_programs (
        program {id},
        name TEXT NOT NULL UNIQUE,
        logical {int} NOT NULL
    )""",
    """CREATE TABLE scrape_runs (
        run {id},
        program {int} NOT NULL REFERENCES scrape_programs (program),
        logical {int} NOT NULL,
        started {real} NOT NULL,
        ended {real},
        outcome TEXT,
        machine TEXT NOT NULL,
        process TEXT NOT NULL,
        alive_until {real} NOT NULL
    )""",
    "CREATE INDEX scrape_runs_by_program ON scrape_runs (program)",
    """CREATE TABLE scrape_commits (
        record {id},
        program {int} NOT NULL REFERENCES scrape_programs (program),
        block TEXT NOT NULL,
        key {bytes} NOT NULL,
        parts TEXT NOT NULL,
        time {real} NOT NULL,
        logical {int} NOT NULL,
        run {int} NOT NULL REFERENCES scrape_runs (run),
        content TEXT
    )""",
    "CREATE INDEX scrape_commits_by_key ON scrape_commits (program, block, key)",
    """CREATE TABLE scrape_rows (
        "row" {id},
        program {int} NOT NULL REFERENCES scrape_programs (program),
        run {int} NOT NULL REFERENCES scrape_runs (run),
        record {int} REFERENCES scrape_commits (record),
        time {real} NOT NULL,
        source TEXT,
        data TEXT NOT NULL
    )""",
    "CREATE INDEX scrape_rows_by_program ON scrape_rows (program)",
    """CREATE TABLE scrape_leases (
        program {int} NOT NULL REFERENCES scrape_programs (program),
        block TEXT NOT NULL,
        key {bytes} NOT NULL,
        run {int} NOT NULL REFERENCES scrape_runs (run),
        token TEXT NOT NULL,
        PRIMARY KEY (program, block, key)
    ) {by_key}""",
    """CREATE TABLE scrape_visits (
        run {int} NOT NULL REFERENCES scrape_runs (run),
        block TEXT NOT NULL,
        entered {int} NOT NULL,
        skipped {int} NOT NULL,
        committed {int} NOT NULL,
        PRIMARY KEY (run, block)
    )""",
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (_LOG,)


def version(connection: Connection) -> int:
    """How many steps the log has seen; 0 where there is none."""
    if not sa.inspect(connection).has_table("scrape_version"):
        return 0
    number: int = connection.exec_driver_sql("SELECT version FROM scrape_version").scalar_one()
    return number


def check_version(connection: Connection, where: str) -> int:
    """The log's version. NewerVersionError where a newer webgeist wrote it."""
    found = version(connection)
    if found > len(MIGRATIONS):
        raise NewerVersionError(where, f"version {found}, known are {len(MIGRATIONS)}")
    return found


def migrate(connection: Connection, where: str) -> None:
    """Bring the log to the newest version. The caller's transaction makes it all or nothing."""
    dialect = connection.dialect.name
    if dialect == "postgresql":  # SQLite's transaction keeps others out by itself
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
    found = check_version(connection, where)
    if found == len(MIGRATIONS):
        return
    for step in MIGRATIONS[found:]:
        for statement in step:
            connection.exec_driver_sql(statement.format(**_TYPES[dialect]))
    if not found:
        connection.exec_driver_sql("CREATE TABLE scrape_version (version INTEGER NOT NULL)")
        connection.exec_driver_sql("INSERT INTO scrape_version VALUES (0)")
    connection.execute(sa.update(_VERSION).values(version=len(MIGRATIONS)))
