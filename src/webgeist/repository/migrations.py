"""How state.db came to its present form: each step's statements, run in one transaction.

A step is never changed once it was released; a room that needs a table adds a step at the end. The
number of steps that a file has seen is its `user_version`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.errors import DamagedError
from webgeist.repository.versions import NewerVersionError

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

APPLICATION = 0x77656267  # SQLite's application_id: "webg"

_REPOSITORY = (
    """CREATE TABLE batches (
        batch TEXT PRIMARY KEY,
        time TEXT NOT NULL,
        captures INTEGER NOT NULL,
        sha256 TEXT NOT NULL,
        "release" INTEGER
    ) WITHOUT ROWID""",
    'CREATE INDEX batches_by_release ON batches ("release")',
    """CREATE TABLE captures (
        capture TEXT PRIMARY KEY,
        url TEXT NOT NULL,
        requested_url TEXT NOT NULL,
        time TEXT NOT NULL,
        viewport TEXT NOT NULL,
        outcome TEXT NOT NULL,
        batch TEXT NOT NULL REFERENCES batches (batch),
        position INTEGER NOT NULL
    ) WITHOUT ROWID""",
    "CREATE INDEX captures_by_url ON captures (url, time)",
    "CREATE INDEX captures_by_requested_url ON captures (requested_url, time)",
    "CREATE INDEX captures_by_batch ON captures (batch, position)",
    """CREATE TABLE archive_files (
        file TEXT PRIMARY KEY,
        length INTEGER NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE resources (
        sha256 TEXT PRIMARY KEY,
        file TEXT NOT NULL REFERENCES archive_files (file),
        "offset" INTEGER NOT NULL,
        length INTEGER NOT NULL,
        url TEXT NOT NULL,
        time TEXT NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE releases (
        "release" INTEGER PRIMARY KEY,
        time TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        manifest TEXT
    )""",
)

_CRAWL = (
    """CREATE TABLE crawls (
        crawl INTEGER PRIMARY KEY,
        "plan" TEXT NOT NULL,
        taken INTEGER NOT NULL,
        started REAL NOT NULL
    )""",
    """CREATE TABLE hosts (
        host INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        site TEXT NOT NULL,
        pending INTEGER NOT NULL,
        leased INTEGER NOT NULL,
        next_depth INTEGER NOT NULL,
        ready REAL NOT NULL,
        failures INTEGER NOT NULL,
        "full" INTEGER NOT NULL,
        recorder TEXT
    )""",
    """CREATE INDEX hosts_that_wait ON hosts (next_depth, ready)
        WHERE pending > 0 AND leased = 0 AND "full" = 0""",
    "CREATE INDEX hosts_by_site ON hosts (site)",
    """CREATE TABLE frontier (
        page INTEGER PRIMARY KEY,
        url TEXT NOT NULL UNIQUE,
        host INTEGER NOT NULL REFERENCES hosts (host),
        state TEXT NOT NULL,
        depth INTEGER NOT NULL,
        hops INTEGER NOT NULL,
        attempts INTEGER NOT NULL,
        next_try REAL,
        reason TEXT NOT NULL,
        source INTEGER,
        crawl INTEGER NOT NULL REFERENCES crawls (crawl),
        visited REAL,
        captures TEXT NOT NULL
    )""",
    "CREATE INDEX pages_that_wait ON frontier (host, depth, page) WHERE state = 'pending'",
    "CREATE INDEX pages_for_later ON frontier (next_try) WHERE state = 'waiting'",
    "CREATE INDEX pages_that_are_leased ON frontier (host) WHERE state = 'leased'",
    """CREATE TABLE sites (
        site TEXT PRIMARY KEY,
        taken INTEGER NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE shapes (
        shape TEXT PRIMARY KEY,
        pages INTEGER NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE robots (
        origin TEXT PRIMARY KEY,
        status INTEGER,
        "text" TEXT NOT NULL,
        expires REAL NOT NULL
    ) WITHOUT ROWID""",
)

_CRAWL_BOUNDS = (
    "ALTER TABLE crawls ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE crawls ADD COLUMN bounds TEXT NOT NULL DEFAULT '{}'",
)

_ANALYSES = (
    """CREATE TABLE analyses (
        analysis TEXT PRIMARY KEY,
        version TEXT NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE results (
        capture TEXT NOT NULL,
        analysis TEXT NOT NULL,
        version TEXT NOT NULL,
        batch TEXT NOT NULL REFERENCES batches (batch),
        outcome TEXT NOT NULL,
        reason TEXT NOT NULL,
        "rows" INTEGER NOT NULL,
        ms REAL NOT NULL,
        PRIMARY KEY (capture, analysis)
    ) WITHOUT ROWID""",
    "CREATE INDEX results_by_batch ON results (batch)",
    "CREATE INDEX results_by_analysis ON results (analysis, version, capture)",
)

_WATCH = (
    """CREATE TABLE watch_baselines (
        url TEXT NOT NULL,
        viewport TEXT NOT NULL,
        capture TEXT NOT NULL,
        PRIMARY KEY (url, viewport)
    ) WITHOUT ROWID""",
    "CREATE TABLE watch_looked_at (capture TEXT PRIMARY KEY) WITHOUT ROWID",
    """CREATE TABLE watch_answers (
        query TEXT PRIMARY KEY,
        "rows" TEXT NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE watch_outbox (
        notice TEXT NOT NULL,
        channel TEXT NOT NULL,
        body TEXT NOT NULL,
        state TEXT NOT NULL,
        attempts INTEGER NOT NULL,
        next_try REAL NOT NULL,
        reason TEXT NOT NULL,
        PRIMARY KEY (notice, channel)
    ) WITHOUT ROWID""",
    "CREATE INDEX notices_that_wait ON watch_outbox (channel, next_try) WHERE state = 'waiting'",
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (_REPOSITORY, _CRAWL, _CRAWL_BOUNDS, _ANALYSES, _WATCH)


def version(connection: Connection) -> int:
    """How many steps the file has seen."""
    number: int = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
    return number


def check_application(connection: Connection, path: Path) -> None:
    """Refuse a database that is none of ours before anything is done to it."""
    if connection.exec_driver_sql("PRAGMA application_id").scalar_one() != APPLICATION:
        raise DamagedError(f"{path} is no database of webgeist", remedy="choose another folder")


def check_version(found: int, path: Path, *, readonly: bool) -> None:
    """Refuse a file that this webgeist cannot work with, in a sentence."""
    if found > len(MIGRATIONS):
        raise NewerVersionError(path, f"version {found}, known are {len(MIGRATIONS)}")
    if readonly and found < len(MIGRATIONS):
        raise DamagedError(
            f"{path} is of an older webgeist (version {found} of {len(MIGRATIONS)})",
            remedy="open the repository for writing once, for example by webgeist publish",
        )


def migrate(connection: Connection) -> None:
    """Bring the file to the newest version. The caller's transaction makes it all or nothing."""
    for step in MIGRATIONS[version(connection) :]:
        for statement in step:
            connection.exec_driver_sql(statement)
    connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION}")
    connection.exec_driver_sql(f"PRAGMA user_version = {len(MIGRATIONS)}")
