"""A statement in DuckDB's words, and the words that read the files of a release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import ErrorLevel, exp
from sqlglot.dialects.duckdb import DuckDB

if TYPE_CHECKING:
    from webgeist.repository.release import Release

_DIALECT = DuckDB()


def emitted(tree: exp.Expr) -> str:
    """The statement. The tree is used up: copying it would take as long as all the rest."""
    writer = _DIALECT.generator(comments=False, unsupported_level=ErrorLevel.RAISE)
    return str(writer.generate(tree, copy=False))


def readings(release: Release) -> dict[str, str]:
    """The words that read each table of a release; none for tables without files."""
    return {name: _reading(release, name) for name in release.tables() if release.paths(name)}


def _reading(release: Release, name: str) -> str:
    paths = ", ".join(exp.Literal.string(str(path)).sql("duckdb") for path in release.paths(name))
    return f"read_parquet([{paths}]{', union_by_name = TRUE' if _differ(release, name) else ''})"


def _differ(release: Release, name: str) -> bool:
    """Whether the files of a table differ in their columns."""
    footers = release.footers(name)
    return any(not footer.schema.equals(footers[0].schema) for footer in footers[1:])
