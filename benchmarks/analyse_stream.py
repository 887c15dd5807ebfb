"""How fast the descriptors of a release come, in one process, and in how much memory."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

import numpy as np
import psutil
import pyarrow as pa

from benchmarks.added import new_repository
from benchmarks.spread import load, spread
from webgeist.analyses.features.descriptor import SCHEMA
from webgeist.analyses.features.layout import LENGTH
from webgeist.repository.ids import batch_id
from webgeist.repository.results import OK, Result
from webgeist.repository.schema import ID

BAR = 300  # MB of float32 a second
_BLOCKS = 170  # of a page


def run(*, short: bool) -> dict[str, Any]:
    pages, rounds = (60, 3) if short else (1_000, 5)
    with new_repository() as repository:
        ids = sorted(batch_id([str(n)], datetime.now(UTC)) for n in range(pages))
        repository.begin_analysis("descriptors", "1")
        for start in range(0, pages, 50):
            some = ids[start : start + 50]
            made = [Result(id_, "descriptors", "1", OK, "", _BLOCKS, 1.0) for id_ in some]
            repository.add_results(made, {"descriptors": _rows(some)})
        repository.publish()
        with repository.release() as release:
            speeds, sizes = [], []
            for _ in range(rounds):
                started, count = time.perf_counter(), 0
                for piece in release.stream("descriptors", ["descriptor"]):
                    flat = piece.column("descriptor").combine_chunks().flatten()
                    count += len(flat.to_numpy())
                    sizes.append(psutil.Process().memory_info().rss / 1e6)
                speeds.append(count * 4 / (time.perf_counter() - started) / 1e6)
            files = release.manifest.files_of("descriptors")
    found = spread(speeds)
    return {
        "descriptors": pages * _BLOCKS,
        "descriptor_mb_per_s": found.median,
        "descriptor_quartiles": [found.low, found.high],
        "descriptor_bytes": sum(file.bytes for file in files) / (pages * _BLOCKS),
        "stream_first_mb": sizes[0],
        "stream_peak_mb": max(sizes),
        "stream_load": load(),
    }


def _rows(ids: list[str]) -> pa.Table:
    """Vectors of which about half the numbers are 0, as real ones'."""
    random = np.random.default_rng(len(ids))
    count = len(ids) * _BLOCKS
    values = random.random((count, LENGTH), np.float32) * (random.random(LENGTH) < 0.5)
    flat = pa.array(values.astype(np.float16).reshape(-1))
    numbers = np.repeat(np.arange(len(ids), dtype=np.int32), _BLOCKS)
    columns = [
        pa.DictionaryArray.from_arrays(pa.array(numbers), pa.array(ids, pa.string())),
        pa.array(np.tile(np.arange(_BLOCKS, dtype=np.int32), len(ids))),
        pa.FixedSizeListArray.from_arrays(flat, LENGTH),
    ]
    return pa.Table.from_arrays(columns, schema=pa.schema([pa.field("capture", ID), *SCHEMA]))


def report(figures: dict[str, Any]) -> list[str]:
    low, high = figures["descriptor_quartiles"]
    first, most = figures["stream_first_mb"], figures["stream_peak_mb"]
    found = (
        f"{figures['descriptor_mb_per_s']:.0f} MB/s of float32 ({low:.0f} to {high:.0f})",
        f"bar {BAR}",
        f"{figures['descriptor_bytes']:.0f} bytes each",
        f"memory {first:.0f} MB at first and {most:.0f} at most",
    )
    what = f"Streaming {figures['descriptors']:,} descriptors ({figures['stream_load']})"
    return [f"{what}: {'; '.join(found)}"]
