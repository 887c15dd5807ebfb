"""What can be asked of a release: its scopes with their columns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from webgeist.analyses.registry import analyses
from webgeist.errors import QueryError
from webgeist.query.attached import attached
from webgeist.query.builtin import PAGE_ID, builtin_scopes, plain_columns
from webgeist.query.scopes import Column, Kind, Part, Scope
from webgeist.repository.streaming import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import pyarrow as pa

    from webgeist.analyses.registry import Known
    from webgeist.query.builtin import Tables
    from webgeist.repository.release import Release

_EXAMPLES = 3
_EXAMPLE_ROWS = 200
_LONGEST = 60  # letters of an example
_SHOWN = 12  # columns of a row where a query does not say which
_ENDPOINTS = {"pages": "page", "blocks": "visual", "nodes": "dom", "texts": "text"}


@dataclass(frozen=True)
class Schema:
    """The scopes of a release, by name."""

    scopes: Mapping[str, Scope]

    def scope(self, name: str, where: str = "") -> Scope:
        """`@dom`, `dom`, or as the paper's endpoints are called. QueryError names the nearest."""
        bare = name.removeprefix("@")
        found = self.scopes.get(f"@{_ENDPOINTS.get(bare, bare)}")
        if found is None:
            wanted = f"@{bare[:80]}"
            raise QueryError(
                f"there is no scope {wanted}", where=where, remedy=nearest(wanted, self.scopes)
            )
        return found

    def to_dict(self, release: Release | None = None) -> list[dict[str, Any]]:
        """The schema as JSON has it; with a release, with examples of values."""
        return [_told(scope, release) for scope in self.scopes.values()]


def schema(release: Release, known: Iterable[Known] | None = None) -> Schema:
    """The scopes of a release. `known` are the analyses whose scopes have names of their own;
    without them, those that are installed.
    """
    if known is not None:
        return make_schema(_tables(release), known)
    return release.shared("schema", lambda: make_schema(_tables(release), _installed()))


def _installed() -> Iterable[Known]:
    return analyses(None)[0].values()


def _tables(release: Release) -> Tables:
    stored = {name: release.columns(name) for name in release.tables() if name != "packed_pages"}
    others = attached(release).items()
    return stored | {name: {f.name: f.type for f in table.schema} for name, table in others}


def make_schema(tables: Tables, known: Iterable[Known]) -> Schema:
    """The scopes that tables with these columns make."""
    scopes = {scope.name: scope for scope in builtin_scopes(tables)}
    used = {part.table for scope in scopes.values() for part in scope.parts}
    declared = {each.name: each.scope for each in known if each.scope is not None}
    for table, types in tables.items():
        if table in used or "capture" not in types:
            continue
        note = declared.get(table)
        name = f"@{note.name if note else table}"
        if name in scopes:  # two tables of one name: neither hides the other
            name = f"@{table}"
        columns = plain_columns(table, types)
        if note:
            columns = {key: _noted(column, note.notes) for key, column in columns.items()}
        keys = tuple(key for key in ("capture", "block", "node") if key in types)
        about = note.about if note else f"the table {table}"
        scopes[name] = Scope(name, about, (Part(table),), keys, columns, PAGE_ID, _shown(columns))
    return Schema(scopes)


def _shown(columns: Mapping[str, Column]) -> tuple[str, ...]:
    """What tells about a row of a table that nobody said more of: its first columns."""
    return tuple(name for name, each in columns.items() if each.kind is not Kind.NESTED)[:_SHOWN]


def _noted(column: Column, notes: Mapping[str, tuple[str, str]]) -> Column:
    unit, meaning = notes.get(column.name, (column.unit, column.meaning))
    return replace(column, unit=unit, meaning=meaning)


def _told(scope: Scope, release: Release | None) -> dict[str, Any]:
    examples = _examples(scope, release) if release else {}
    return {
        "scope": scope.name,
        "about": scope.about,
        "tables": [part.table for part in scope.parts],
        "keys": list(scope.keys),
        "columns": [
            {
                "name": column.name,
                "type": str(column.kind),
                "unit": column.unit,
                "meaning": column.meaning,
                "examples": examples.get(column.name, []),
            }
            for column in scope.columns.values()
        ],
        "aliases": dict(scope.aliases),
    }


def _examples(scope: Scope, release: Release) -> dict[str, list[Any]]:
    """A few values of each stored column, from the first rows of each table."""
    found: dict[str, list[Any]] = {}
    for part in scope.parts:
        plain = [
            column
            for column in scope.columns.values()
            if part.table in column.tables and not column.making and column.name not in found
        ]
        names = list(dict.fromkeys(column.source for column in plain))
        first = _first_rows(release, part.table, names)
        if first is None:
            continue
        rows = first.slice(0, _EXAMPLE_ROWS)
        for column in plain:
            found[column.name] = _some(rows.column(column.source).to_pylist())
    return found


def _first_rows(release: Release, table: str, names: list[str]) -> pa.Table | None:
    if table in attached(release):
        return attached(release)[table].select(names)
    return next(release.stream(table, names), None)


def _some(values: Iterable[Any]) -> list[Any]:
    seen: dict[str, Any] = {}
    for value in values:
        if value is None or isinstance(value, (list, dict)):
            continue
        plain = value[:_LONGEST] if isinstance(value, str) else value
        seen.setdefault(str(plain), plain if isinstance(plain, (str, int, float)) else str(plain))
        if len(seen) == _EXAMPLES:
            break
    return list(seen.values())
