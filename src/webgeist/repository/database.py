"""Opens state.db through SQLAlchemy: WAL, every commit on the disk, SQLite's errors as ours."""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from webgeist.errors import DamagedError, NotFoundError, StorageError
from webgeist.repository.migrations import (
    MIGRATIONS,
    check_application,
    check_version,
    migrate,
    version,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_BUSY_SECONDS = 30
_DISK = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY}
_DISK |= {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}
_IN_USE = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


@contextmanager
def sqlite_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's complaints about `path` into a StorageError or a DamagedError."""
    try:
        yield
    except DBAPIError as error:
        raise _as_ours(error.orig, path) from error
    except sqlite3.Error as error:
        raise _as_ours(error, path) from error


def _as_ours(error: BaseException | None, path: Path) -> Exception:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in _DISK:
        return StorageError(f"cannot write {path}: {error}", remedy="check the disk and its rights")
    if code in _IN_USE:
        return DamagedError(f"{path} is in use: {error}", remedy="wait for the other program")
    return DamagedError(f"{path} is damaged: {error}", remedy="webgeist check --repair")


def create(path: Path) -> None:
    """Make a new, empty database."""
    with sqlite_errors(path):
        engine = _engine(path, readonly=False)
        try:
            with engine.begin() as connection:
                migrate(connection)
        finally:
            engine.dispose()


def open_database(path: Path, *, readonly: bool) -> sa.Engine:
    """The database, brought to the newest version where it may be written to."""
    if not path.is_file():
        raise NotFoundError(f"{path} is missing", remedy="webgeist check --repair makes it anew")
    with sqlite_errors(path):
        engine = _engine(path, readonly=readonly)
        try:
            _prepare(engine, path, readonly=readonly)
        except BaseException:
            engine.dispose()
            raise
    return engine


def check_integrity(path: Path) -> None:
    """DamagedError unless SQLite finds everything in order."""
    if not path.is_file():
        raise DamagedError(f"{path} is missing")
    with sqlite_errors(path):
        engine = _engine(path, readonly=True)
        try:
            with engine.begin() as connection:
                said = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar_one()
                dangling = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
        finally:
            engine.dispose()
    if said != "ok" or dangling:
        raise DamagedError(f"{path} is damaged: {said if said != 'ok' else dangling[0]}")


def needs_migration(path: Path) -> bool:
    """Whether an older webgeist wrote the file."""
    with sqlite_errors(path):
        engine = _engine(path, readonly=True)
        try:
            with engine.begin() as connection:
                check_application(connection, path)
                return version(connection) < len(MIGRATIONS)
        finally:
            engine.dispose()


def _prepare(engine: sa.Engine, path: Path, *, readonly: bool) -> None:
    with engine.begin() as connection:
        check_application(connection, path)
        check_version(version(connection), path, readonly=readonly)
        if not readonly:
            migrate(connection)


def _engine(path: Path, *, readonly: bool) -> sa.Engine:
    mode = _reading_mode(path) if readonly else "mode=rwc"
    address = f"file:{quote(str(path.absolute()))}?{mode}"

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(
            address,
            uri=True,
            timeout=_BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )
        if not readonly:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        return connection

    engine = sa.create_engine("sqlite://", creator=connect, poolclass=sa.QueuePool, pool_size=1)

    @sa.event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN" if readonly else "BEGIN IMMEDIATE")

    return engine


@contextmanager
def unsynced(connection: sa.Connection) -> Iterator[None]:
    """Let this connection's commits be quick: they are written, but not waited for."""
    sqlite = connection.connection.driver_connection
    assert isinstance(sqlite, sqlite3.Connection)  # noqa: S101 - made by _engine
    sqlite.execute("PRAGMA synchronous = NORMAL")
    try:
        yield
    finally:
        sqlite.execute("PRAGMA synchronous = FULL")


def _reading_mode(path: Path) -> str:
    """SQLite needs to write beside a WAL database even to read it, unless nobody can change it."""
    pending = path.with_name(path.name + "-wal")
    if os.access(path.parent, os.W_OK) or pending.exists():
        return "mode=ro"
    return "mode=ro&immutable=1"
