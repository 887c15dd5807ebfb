"""Tables from elsewhere beside those of a release, such as the rows of scrapers.

An attached table is a scope like any other: it has a name, its column `capture` says which page a
row belongs to (none, where that is missing), and the compiler knows nothing of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from webgeist.errors import UsageError
from webgeist.repository.streaming import nearest

if TYPE_CHECKING:
    from webgeist.repository.release import Release

_JOINING = ("capture", "block", "node")  # columns by which scopes are joined


def attached(release: Release) -> dict[str, pa.Table]:
    """The tables that were attached to an opened release, by name."""
    return release.shared("attached tables", dict[str, pa.Table])


def attach(release: Release, name: str, table: pa.Table, *, url: str | None = None) -> None:
    """Have queries of this opened release know a table as `@name`, until it is closed.

    Rows belong to the capture that `capture` names, or to the last one of the address in the column
    `url`. UsageError: the release has a table of this name, or was asked before.
    """
    if name in release.tables() or name in attached(release):
        raise UsageError(f"release {release.number} has a table {name} already")
    if release.has_shared("schema"):
        raise UsageError("the release was asked before", remedy="attach tables first")
    if url is not None:
        table = _with_capture(release, table, url)
    if "capture" not in table.column_names:
        raise UsageError(
            f"the table {name} has no column capture", remedy=nearest("capture", table.column_names)
        )
    attached(release)[name] = table


def _with_capture(release: Release, table: pa.Table, url: str) -> pa.Table:
    """The last capture of each row's address. Columns that would join rows get another name."""
    captures = release.captures()
    last: dict[str, str] = {}
    for column in ("requested_url", "url"):  # sorted by time: the last one stays
        names = captures.column(column).to_pylist()
        last |= dict(zip(names, captures.column("capture").to_pylist(), strict=True))
    found = [last.get(each) for each in table.column(url).to_pylist()]
    renamed = table.rename_columns(
        [_freed(each, table.column_names) for each in table.column_names]
    )
    return renamed.add_column(0, "capture", pa.array(found, pa.string()))


def _freed(name: str, taken: list[str]) -> str:
    """The name, with as many `_` in front as no other column has."""
    if name not in _JOINING:
        return name
    while name in _JOINING or name in taken:
        name = f"_{name}"
    return name
