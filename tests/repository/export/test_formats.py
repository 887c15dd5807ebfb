"""Each form holds all rows, in their order, also none."""

from __future__ import annotations

import csv
import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from webgeist.repository.export import formats
from webgeist.repository.export.formats import FORMATS

SCHEMA = pa.schema([("n", pa.int32()), ("text", pa.dictionary(pa.int32(), pa.string()))])


def tables(*lengths: int) -> list[pa.Table]:
    made, start = [], 0
    for length in lengths:
        numbers = pa.array(range(start, start + length), pa.int32())
        texts = pa.array([f"ü {number}\n" for number in range(start, start + length)])
        made.append(pa.Table.from_arrays([numbers, texts.dictionary_encode()], schema=SCHEMA))
        start += length
    return made


def read(form: str, data: bytes) -> list[tuple[int, str]]:
    if form == "parquet":
        rows = pq.read_table(io.BytesIO(data)).to_pylist()
    elif form == "jsonl":
        rows = [json.loads(line) for line in data.decode().splitlines()]
    else:
        rows = list(csv.DictReader(io.StringIO(data.decode(), newline="")))
    return [(int(row["n"]), row["text"]) for row in rows]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("lengths", [(), (0,), (1,), (5, 0, 7), (25,)])
def test_all_rows(form: str, lengths: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "_ROWS", 10)
    target = io.BytesIO()
    assert FORMATS[form](target, SCHEMA, tables(*lengths)) == sum(lengths)
    expected = [(number, f"ü {number}\n") for number in range(sum(lengths))]
    assert read(form, target.getvalue()) == expected


def test_an_empty_table_keeps_its_columns() -> None:
    empty = {form: io.BytesIO() for form in FORMATS}
    for form, target in empty.items():
        FORMATS[form](target, SCHEMA, [])
    assert empty["csv"].getvalue() == b"n,text\r\n"
    assert empty["jsonl"].getvalue() == b""
    assert pq.read_schema(io.BytesIO(empty["parquet"].getvalue())).equals(SCHEMA)
