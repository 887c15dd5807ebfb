"""Metrics of captures as tables."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from tests.repository.making import make_capture

from webgeist.analyses.metrics import METRICS, metrics_table

INFO = make_capture(1).info
texts = st.dictionaries(st.text("abc_-1", min_size=1), st.text())


def test_a_row_for_each_metric_in_order() -> None:
    info = replace(INFO, metrics={"b": "[1]", "a": '"x"'}, metrics_failed={"ab": "late"})
    assert metrics_table(info).to_pylist() == [
        {"metric": "a", "value": '"x"', "reason": None},
        {"metric": "ab", "value": None, "reason": "late"},
        {"metric": "b", "value": "[1]", "reason": None},
    ]


def test_no_metrics_are_a_table_without_rows() -> None:
    table = metrics_table(INFO)
    assert (table.num_rows, table.schema) == (0, METRICS)
    assert table.schema.types == [pa.string()] * 3


@given(texts, texts)
def test_nothing_is_lost(values: dict[str, str], reasons: dict[str, str]) -> None:
    failed = {name: reason for name, reason in reasons.items() if name not in values}
    table = metrics_table(replace(INFO, metrics=values, metrics_failed=failed))
    rows = table.to_pylist()
    assert table.schema == METRICS
    assert {row["metric"]: row["value"] for row in rows if row["reason"] is None} == values
    assert {row["metric"]: row["reason"] for row in rows if row["value"] is None} == failed
    assert len(rows) == len(values) + len(failed)
