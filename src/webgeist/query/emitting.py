"""A statement in DuckDB's words, with the files of a release in place of its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import ErrorLevel, exp
from sqlglot.dialects.duckdb import DuckDB

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webgeist.repository.release import Release

_DIALECT = DuckDB()
_GENERATOR = _DIALECT.generator_class


class _WithFiles(_GENERATOR):  # type: ignore[misc, valid-type]
    """SQLGlot's writer. Stored tables are those with quoted names."""

    files: Mapping[str, str]

    def table_sql(self, expression: exp.Table, sep: str = " AS ") -> str:
        name = expression.args["this"]
        read = self.files.get(name.name) if name.args.get("quoted") else None
        if read is None:
            return str(super().table_sql(expression, sep))
        alias = self.sql(expression, "alias")
        return f"{read}{sep}{alias}" if alias else read


def emitted(tree: exp.Expr, files: Mapping[str, str]) -> str:
    """The statement; `files` are the words that read each stored table. The tree is used up:
    copying it would take as long as all the rest.
    """
    writer = _WithFiles(dialect=_DIALECT, comments=False, unsupported_level=ErrorLevel.RAISE)
    writer.files = files
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
