"""Columns as CSV cells by RFC 4180, safe to open in a spreadsheet.

A spreadsheet takes a cell that begins with = + - @, a tab or a carriage return for a formula, and
a page can put there whatever it likes. So such texts get an apostrophe in front, in the header too;
numbers do not. An empty text is "", and what is missing is nothing at all.
"""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from webgeist.repository.export.jsontext import (
    TEXT,
    is_text,
    joined,
    json_texts,
    number_texts,
    one_piece,
    time_texts,
)

_FORMULA = r"\A[=+\-@\t\r]"
_QUOTED = r'[",\r\n]|\A\z|\A\s|\s\z'
LINE_END = "\r\n"


def csv_header(names: list[str]) -> str:
    """The first line."""
    return ",".join(cells(pa.array(names, TEXT)).to_pylist()) + LINE_END


def csv_lines(table: pa.Table) -> pa.Array:
    """A line for each row."""
    parts = [_texts(one_piece(table.column(name))) for name in table.column_names]
    lines = pc.binary_join_element_wise(
        *parts, pa.scalar(",", TEXT), null_handling="replace", null_replacement=""
    )
    return joined(lines, LINE_END)


def _texts(array: pa.Array) -> pa.Array:
    kind = array.type
    if pa.types.is_dictionary(kind):
        return _texts(array.dictionary).take(array.indices)
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        return array.cast(TEXT)
    if pa.types.is_floating(kind):
        return number_texts(array)
    if pa.types.is_timestamp(kind):
        return time_texts(array)
    if is_text(kind):
        return cells(array.cast(TEXT))
    return cells(pc.if_else(array.is_null(), pa.scalar(None, TEXT), json_texts(array)))


def cells(texts: pa.Array) -> pa.Array:
    """Texts as cells: guarded, and in quotes where needed."""
    formula = pc.match_substring_regex(texts, _FORMULA)
    guarded = pc.if_else(formula, joined("'", texts), texts)
    doubled = pc.replace_substring(guarded, '"', '""')
    wanted = pc.match_substring_regex(guarded, _QUOTED)
    return pc.if_else(wanted, joined('"', doubled, '"'), guarded)
