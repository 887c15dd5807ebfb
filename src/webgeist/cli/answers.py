"""Answers for people, as one JSON document, and as an Arrow file."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from rich.table import Table

from webgeist.cli.output import one_line
from webgeist.repository.export.jsontext import one_piece, plain_values
from webgeist.repository.files import write_atomically

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

    from webgeist.query.ask import Answer

_WIDEST = 60  # letters of a cell


def answer_table(table: pa.Table) -> Table:
    """A table for a terminal; long texts are cut."""
    shown = Table(box=None, pad_edge=False)
    for field in table.schema:
        number = pa.types.is_integer(field.type) or pa.types.is_floating(field.type)
        shown.add_column(one_line(field.name), justify="right" if number else "left")
    for row in zip(*_columns(table), strict=True):
        shown.add_row(*map(_cell, row))
    return shown


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1e4 else f"{value:,.0f}"  # noqa: PLR2004 - for people
    text = one_line(str(value))
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"


def answer_json(answer: Answer) -> dict[str, Any]:
    """All of an answer; numbers that JSON lacks are null."""
    names = answer.table.column_names
    rows = zip(*_columns(answer.table), strict=True)
    return {
        "release": answer.release,
        "cut": answer.cut,
        "seconds": answer.seconds,
        "columns": names,
        "rows": [dict(zip(names, map(_finite, row), strict=True)) for row in rows],
    }


def _columns(table: pa.Table) -> list[list[Any]]:
    return [plain_values(one_piece(table.column(name))) for name in table.column_names]


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def write_arrow(table: pa.Table, path: Path) -> None:
    """An Arrow file, whole or not at all."""

    def write(target: BinaryIO) -> None:
        with pa.ipc.new_file(target, table.schema) as writer:
            writer.write_table(table)

    write_atomically(path, write)
