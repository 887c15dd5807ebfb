"""What a lookup and a durable commit cost in a log of very many commits, beside a bare fsync."""

from __future__ import annotations

import os
import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from benchmarks.spread import load
from webgeist.scrape.freshness import Record
from webgeist.scrape.holders import this_process
from webgeist.scrape.keys import make_key
from webgeist.scrape.log import Done
from webgeist.scrape.rows import Draft, written
from webgeist.scrape.sql_log import SqlLog
from webgeist.scrape.tables import COMMITS

if TYPE_CHECKING:
    from collections.abc import Callable

    from webgeist.scrape.keys import Key
    from webgeist.scrape.log import Begun

LOOKUP_US, COMMIT_MS = 50.0, 2.0
_PORTION = 10_000


def run(*, short: bool) -> dict[str, Any]:
    commits, rounds = (10_000, 200) if short else (100_000, 1_000)
    with TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        log = SqlLog(Path(folder, "log.db"))
        begun = log.begin("program", time.time(), this_process())
        _fill(log, begun, commits)
        keys = [make_key("Block", [f"object {n}", n]) for n in range(0, commits, commits // rounds)]
        unknown = [make_key("Block", ["no such", n]) for n in range(rounds)]
        figures = {
            "commits": commits,
            "lookup_known_us": _median(lambda n: log.records(begun, keys[n]), rounds) * 1e6,
            "lookup_unknown_us": _median(lambda n: log.records(begun, unknown[n]), rounds) * 1e6,
            "lease_us": _median(lambda n: log.take(begun, unknown[n], "t", []), rounds) * 1e6,
        }
        half = rounds // 2
        bare = _syncing(Path(folder, "bare"))
        waited, synced = [], []
        for number in range(half):  # by turns: the disk is as busy for both
            waited.append(_timed(_commit, log, begun, unknown[number], durable=True))
            synced.append(_timed(bare, number))
        figures["commit_ms"] = statistics.median(waited) * 1e3
        figures["fsync_ms"] = statistics.median(synced) * 1e3
        rest = unknown[half:]
        grouped = _median(lambda n: _commit(log, begun, rest[n], durable=False), half)
        figures["grouped_commit_ms"] = grouped * 1e3
        log.close()
    return figures | {"load": load()}


def _fill(log: SqlLog, begun: Begun, commits: int) -> None:
    import sqlalchemy as sa

    for first in range(0, commits, _PORTION):
        rows = []
        for number in range(first, first + _PORTION):
            key = make_key("Block", [f"object {number}", number])
            rows.append(
                {"program": begun.program, "block": "Block", "key": key.digest, "parts": key.parts,
                 "time": float(number), "logical": 0, "run": begun.run, "content": None}
            )  # fmt: skip
        with log.database.change(durable=False) as connection:
            connection.execute(sa.insert(COMMITS), rows)


def _commit(log: SqlLog, begun: Begun, key: Key, *, durable: bool) -> None:
    row = Draft(written({"title": "A row as scrapers put out", "text": "word " * 15}), None, 0.0)
    done = Done(key, "t", Record(time.time(), 0), [row])
    if not log.commit(begun, done, durable=durable):
        raise AssertionError("the lease was lost")


def _syncing(path: Path) -> Callable[[int], None]:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT)

    def sync(_: int) -> None:
        os.write(descriptor, b"x" * 4096)
        os.fsync(descriptor)

    return sync


def _median(work: Callable[[int], object], rounds: int) -> float:
    return statistics.median(_timed(work, number) for number in range(rounds))


def _timed(work: Callable[..., object], *given: object, **named: object) -> float:
    start = time.perf_counter()
    work(*given, **named)
    return time.perf_counter() - start


def report(figures: dict[str, Any]) -> list[str]:
    return [
        f"A log of {figures['commits']:,} commits ({figures['load']})",
        "",
        "| step | median | bar |",
        "|---|--:|--:|",
        f"| lookup, known key | {figures['lookup_known_us']:.0f} µs | {LOOKUP_US:g} µs |",
        f"| lookup, new key | {figures['lookup_unknown_us']:.0f} µs | {LOOKUP_US:g} µs |",
        f"| lease | {figures['lease_us']:.0f} µs | |",
        f"| commit with a row, waited for | {figures['commit_ms']:.2f} ms | {COMMIT_MS:g} ms |",
        f"| the same in a group | {figures['grouped_commit_ms']:.2f} ms | |",
        f"| a bare write and fsync of 4 kB | {figures['fsync_ms']:.2f} ms | |",
        "",
        f"A commit takes {figures['commit_ms'] / figures['fsync_ms']:.2f}x of the fsync in it.",
    ]
