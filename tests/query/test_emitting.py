"""Statements with files in place of tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from webgeist.query.emitting import emitted, readings
from webgeist.query.sqltree import column, own_table, table

if TYPE_CHECKING:
    import pytest

    from webgeist.repository.release import Release


def _from(source: exp.Table) -> exp.Select:
    return exp.Select().select(column("x"), copy=False).from_(source, copy=False)


def test_stored_tables_are_files_or_names() -> None:
    assert emitted(_from(table("nodes", "t1", "read_parquet(['a'])"))) == (
        "SELECT \"x\" FROM read_parquet(['a']) AS t1"
    )
    assert emitted(_from(own_table("counted"))) == 'SELECT "x" FROM counted'
    assert emitted(_from(table("nodes", "t1"))) == 'SELECT "x" FROM "nodes" AS t1'


def test_every_table_with_files_has_words(release: Release) -> None:
    found = readings(release)
    assert found.keys() == {name for name in release.tables() if release.paths(name)}
    for name, words in found.items():
        assert all(f"'{path}'" in words for path in release.paths(name))


def test_quotes_in_a_path_end_no_text(release: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    from pathlib import Path

    monkeypatch.setattr(type(release), "paths", lambda *_: [Path("/a'b/c.parquet")])
    assert readings(release)["nodes"] == "read_parquet(['/a''b/c.parquet'])"
