"""What columns mean is told of columns that are there."""

from __future__ import annotations

from webgeist.analyses.visual import BLOCKS
from webgeist.query.meanings import MEANINGS
from webgeist.repository.schema import KINDS


def _columns(table: str) -> set[str]:
    return {"capture", *BLOCKS.names} if table == "blocks" else set(KINDS[table].schema.names)


def test_every_meaning_is_of_a_stored_column() -> None:
    assert [key for key in MEANINGS if key[1] not in _columns(key[0])] == []


def test_every_column_has_a_meaning_or_a_unit() -> None:
    internal = {"info", "style_inherited", "style_own", "answer", "request", "notes"}
    for table in {table for table, _ in MEANINGS}:
        told = {name for of, name in MEANINGS if of == table and any(MEANINGS[of, name])}
        assert _columns(table) - internal <= told, table


def test_the_same_column_is_measured_the_same_everywhere() -> None:
    for name in ("x", "y", "width", "height"):
        assert {unit for (_, of), (unit, _) in MEANINGS.items() if of == name} == {"px"}
