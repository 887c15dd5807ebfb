"""The metrics of a capture as a table: what each measured, or why it did not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from webgeist.analyses.analysis import Analysis

if TYPE_CHECKING:
    from webgeist.capture.info import CaptureInfo

METRICS = pa.schema([("metric", pa.string()), ("value", pa.string()), ("reason", pa.string())])


def metrics_table(info: CaptureInfo) -> pa.Table:
    """A row for each metric, sorted by name: `value` is JSON, or null where `reason` says why."""
    names = sorted({*info.metrics, *info.metrics_failed})
    columns = (
        names,
        [info.metrics.get(name) for name in names],
        [info.metrics_failed.get(name) for name in names],
    )
    return pa.table(list(map(pa.array, columns, METRICS.types)), schema=METRICS)


METRICS_ANALYSIS = Analysis(
    "metrics", "1", METRICS, lambda subject: metrics_table(subject.capture.info)
)
