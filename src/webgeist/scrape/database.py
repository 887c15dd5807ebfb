"""Opens a commit log: a SQLite file, or a PostgreSQL database by its address.

Both give one connection for changes and one for questions, and both can leave a change for the next
one to wait for: a process that is killed loses nothing by that, only a power cut would.
"""

from __future__ import annotations

import sqlite3
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError

from webgeist.errors import NotFoundError, StorageError, UsageError, WebgeistError
from webgeist.repository.database import sqlite_errors
from webgeist.scrape.migrations import check_version, migrate
from webgeist.scrape.plain import Plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_BUSY_SECONDS = 30
_POSTGRES = ("postgresql://", "postgres://", "postgresql+psycopg://")
_FULL = {"53100", "53200", "53300", "58030"}  # disk full, out of memory, connections; I/O error


class Changing(Protocol):
    """What a transaction can do. Answers have `fetchone`, `fetchall` and `rowcount`."""

    def execute(self, statement: sa.Executable, values: Any = None, /) -> Any: ...


class Database:
    """`change`, `fetch` and `ask` may be used by any thread; one at a time gets its turn."""

    def __init__(self, store: str | Path, *, create: bool) -> None:
        self._remote = isinstance(store, str) and store.startswith(_POSTGRES)
        self.where = _shown(store) if self._remote else str(store)
        self._path = Path(self.where)
        if not self._remote:
            _check_file(self._path, create=create)
        self._lock = threading.RLock()
        self._errors = _Errors(None if self._remote else self._path, self.where)
        self.engine = _postgres(str(store)) if self._remote else _sqlite(self._path)
        try:
            with self._errors:
                self._prepare(create=create)
                self._open()
        except BaseException:
            self.engine.dispose()
            raise

    def _prepare(self, *, create: bool) -> None:
        with self.engine.begin() as connection:
            if create:
                migrate(connection, self.where)
            elif not check_version(connection, self.where):
                raise NotFoundError(
                    f"{self.where} has no commit log", remedy="a run of a scraper makes one"
                )

    def _open(self) -> None:
        asking = self.engine.connect()
        self._reader = asking.execution_options(isolation_level="AUTOCOMMIT")
        if self._remote:
            self._writer = self.engine.connect()
            return
        self.plain = Plain(_connect(self._path))
        self._plain_reader = Plain(_connect(self._path))

    @contextmanager
    def change(self, *, durable: bool = True) -> Iterator[Changing]:
        """A transaction: all of it, or nothing. Not `durable` ones wait for the next that is."""
        with self._lock, self._errors:
            if self._remote:
                with self._writer.begin():
                    if not durable:
                        self._writer.exec_driver_sql("SET LOCAL synchronous_commit = off")
                    yield self._writer
            else:
                yield from self._change_plainly(durable=durable)

    def _change_plainly(self, *, durable: bool) -> Iterator[Changing]:
        self.plain.wait_for_disk(durable=durable)
        self.plain.begin()
        try:
            yield self.plain
            self.plain.commit()
        except BaseException:
            self.plain.rollback()
            raise

    def alone(self, statement: sa.Executable, values: dict[str, Any]) -> Any:
        """A transaction of one statement that no disk is waited for, and the first row it gives."""
        if self._remote:
            with self.change(durable=False) as connection:
                return connection.execute(statement, values).fetchone()
        with self._lock, self._errors:
            self.plain.wait_for_disk(durable=False)
            rows = self.plain.execute(statement, values).fetchall()  # all: only then it is over
            return rows[0] if rows else None

    def fetch(self, statement: sa.Executable, values: dict[str, Any]) -> Sequence[Any]:
        """All rows of an answer, which sees what was committed before."""
        with self._lock, self._errors:
            if self._remote:
                return self._reader.execute(statement, values).fetchall()
            return self._plain_reader.execute(statement, values).fetchall()

    @contextmanager
    def ask(self) -> Iterator[sa.Connection]:
        """SQLAlchemy's connection, for questions that are asked once."""
        with self._lock, self._errors:
            yield self._reader

    def close(self) -> None:
        with self._lock:
            self._reader.close()
            if self._remote:
                self._writer.close()
            else:
                self.plain.connection.close()
                self._plain_reader.connection.close()
            self.engine.dispose()


class _Errors:
    """Turns a database's complaints into ours; no generator, because each block enters it often."""

    def __init__(self, path: Path | None, where: str) -> None:
        self._path = path
        self._where = where

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        if self._path is not None and isinstance(error, sqlite3.Error | DBAPIError):
            with sqlite_errors(self._path):
                raise error
        if isinstance(error, DBAPIError):
            raise _as_ours(error, self._where) from error


def _check_file(path: Path, *, create: bool) -> None:
    if path.is_dir():
        raise UsageError(f"{path} is a folder", remedy=f"name a file: {path / 'scrape.db'}")
    if not create and not path.is_file():
        raise NotFoundError(f"there is no commit log {path}", remedy="a run of a scraper makes one")
    if not path.parent.is_dir():
        raise NotFoundError(f"there is no folder {path.parent}", remedy="make it first")


def _connect(path: Path) -> sqlite3.Connection:
    address = f"file:{quote(str(path.absolute()))}?mode=rwc"
    connection = sqlite3.connect(
        address, uri=True, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _sqlite(path: Path) -> sa.Engine:
    engine = sa.create_engine(
        "sqlite://", creator=lambda: _connect(path), poolclass=sa.QueuePool, pool_size=1
    )

    @sa.event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:
        if connection.get_execution_options().get("isolation_level") != "AUTOCOMMIT":
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _postgres(store: str) -> sa.Engine:
    try:
        address = sa.make_url("postgresql+psycopg://" + store.partition("://")[2])
        return sa.create_engine(address, pool_size=2)
    except (ArgumentError, ValueError) as error:
        raise UsageError(
            f"{_shown(store)} is no address of a database",
            remedy="postgresql://user:password@host/database",
        ) from error
    except ModuleNotFoundError as error:
        raise UsageError(
            "PostgreSQL needs psycopg", remedy="pip install 'webgeist[postgres]'"
        ) from error


def _shown(store: str | Path) -> str:
    """The address without its password."""
    head, _, rest = str(store).partition("://")
    account, at, place = rest.rpartition("@")
    return f"{head}://{account.partition(':')[0]}{at}{place}" if at else str(store)


def _as_ours(error: DBAPIError, where: str) -> WebgeistError:
    said = " ".join(str(error.orig).split())
    code = getattr(error.orig, "sqlstate", None)
    if code in _FULL:
        return StorageError(f"cannot write {where}: {said}", remedy="free some space there")
    if code is None or code.startswith(("08", "57", "28", "3D")):
        return StorageError(
            f"cannot reach {where}: {said}", remedy="check the address, and that the server runs"
        )
    return StorageError(f"{where} refused: {said}", remedy="check the rights of the account")
