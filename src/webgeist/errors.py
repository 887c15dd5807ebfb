"""Every error that webgeist raises on purpose, with its exit code and HTTP status.

    WebgeistError                1   500
    ├── UsageError               2   400   the caller asked for something that makes no sense
    │   └── QueryError           2   400   a query cannot be read; `where` says at which place
    ├── SettingsError            4   400   a settings file, variable or flag is wrong
    ├── NotFoundError            5   404   no such capture, node, release, folder
    ├── DamagedError             7   409   stored data cannot be read as what it should be
    │   └── BusyError            7   503   another process writes there
    ├── StorageError             8   507   the disk is full, read-only or failing
    ├── BrowserError             9   502   Chromium is missing, died or does not answer
    └── LimitError              10   422   a limit from the settings was reached

A page that cannot be captured is no error but an outcome (`webgeist.capture.Outcome`): it is stored
with its reason. Programmer mistakes raise the built-in exceptions.
"""

from __future__ import annotations

import errno
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class WebgeistError(Exception):
    """What happened, to what, and (as `remedy`) what to do about it."""

    exit_code: ClassVar[int] = 1
    http_status: ClassVar[int] = 500

    def __init__(self, message: str, *, remedy: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message} ({self.remedy})" if self.remedy else self.message


class UsageError(WebgeistError):
    exit_code = 2
    http_status = 400


class QueryError(UsageError):
    """`where` is the place in the query, such as `$where[0].@styles.font-size`."""

    def __init__(self, message: str, *, where: str = "", remedy: str | None = None) -> None:
        super().__init__(f"{where}: {message}" if where else message, remedy=remedy)
        self.where = where


class SettingsError(WebgeistError):
    exit_code = 4
    http_status = 400


class NotFoundError(WebgeistError):
    exit_code = 5
    http_status = 404


class DamagedError(WebgeistError):
    exit_code = 7
    http_status = 409


class BusyError(DamagedError):
    """Nothing is wrong with what is stored: it will do later."""

    http_status = 503


class StorageError(WebgeistError):
    exit_code = 8
    http_status = 507


class BrowserError(WebgeistError):
    exit_code = 9
    http_status = 502


class LimitError(WebgeistError):
    exit_code = 10
    http_status = 422


_DISK_REMEDIES = {
    errno.ENOSPC: "free some space, or choose another folder",
    errno.EDQUOT: "your disk quota is used up: free some space, or choose another folder",
    errno.EROFS: "the file system is read-only: choose another folder",
    errno.EACCES: "choose a folder that you may write to",
    errno.EPERM: "choose a folder that you may write to",
    errno.ENOTDIR: "a file stands where a folder is needed: choose another folder",
    errno.EEXIST: "a file stands where a folder is needed: choose another folder",
}


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn the operating system's refusals while writing below `path` into a StorageError."""
    try:
        yield
    except OSError as error:
        remedy = _DISK_REMEDIES.get(error.errno or 0, "check the disk")
        raise StorageError(
            f"cannot write {path}: {error.strerror or error}", remedy=remedy
        ) from error
