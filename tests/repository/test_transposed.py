"""Style tables turned over and back."""

from __future__ import annotations

import pyarrow as pa
import pytest
from tests.repository.making import make_page

from webgeist.page.schema import style_schema
from webgeist.repository.rows import batch_tables, capture_row, page_rows, resource_rows
from webgeist.repository.schema import KINDS
from webgeist.repository.transposed import SCHEMA, restore, transpose


def _with_ids(count: int) -> pa.Table:
    from tests.repository.making import make_capture

    captures = [make_capture(number) for number in range(count)]
    rows = {
        f"{number:026}": page_rows(capture)
        | {
            "captures": capture_row(f"{number:026}", capture.info, ["x"], None),
            "resources": resource_rows(f"{number:026}", []),
        }
        for number, capture in enumerate(captures)
    }
    return batch_tables(rows)["styles_own"]


def _there_and_back(table: pa.Table) -> pa.Table:
    return restore(transpose(table, style_schema(())), style_schema(()))


@pytest.mark.parametrize("count", [1, 3])
def test_there_and_back(count: int) -> None:
    table = _with_ids(count)
    turned = transpose(table, KINDS["styles_own"].schema)
    assert turned.schema == SCHEMA
    assert turned.num_rows == table.num_columns
    back = restore(turned, KINDS["styles_own"].schema)
    assert back.to_pylist() == table.to_pylist()
    assert [field.type for field in back.schema] == [field.type for field in table.schema]


def test_missing_values_stay_missing() -> None:
    table = pa.table({"style": pa.array([0, 1], pa.int32()), "width": ["1px", None]})
    assert _there_and_back(table).to_pylist() == table.to_pylist()


def test_a_slice() -> None:
    table = make_page(1).styles_own.slice(1, 1)
    assert _there_and_back(table).to_pylist() == table.to_pylist()
