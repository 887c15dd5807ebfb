"""What it costs to keep captures: adding one, adding a hundred, publishing, opening again.

Adding is measured twice: the bare cost of the call, and the time that it adds to a row of captures
when it runs beside the next one. The bars are for the time added.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from benchmarks.added import BATCH, SINGLE, measure, new_repository
from benchmarks.shelf import Taken, captures, restamped
from benchmarks.spread import load, spread

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from webgeist.capture.model import Capture
    from webgeist.repository.repository import Repository

SINGLE_BAR, BATCH_BAR, PUBLISH_BAR, OPEN_BAR = 0.05, 0.01, 20, 0.3
_BATCH = 100
_OPENINGS = 9
_SMALL = 24  # captures that the largest repository is made of


def run(*, short: bool) -> dict[str, Any]:
    return asyncio.run(_run(short=short))


async def _run(*, short: bool) -> dict[str, Any]:
    published, opened = (100, 500) if short else (1_000, 10_000)
    before = load()
    async with captures(12 if short else _BATCH) as taken:
        figures = {"single": _single(taken), "batch": _batch(taken)}
        originals = [each.capture for each in taken]
        figures["publish"] = _publish(originals, published)
        small = sorted(originals, key=lambda capture: capture.info.nodes)[:_SMALL]
        figures["open"] = _open(unrecorded(small), opened)
    figures["added"] = await measure(count=8 if short else 24, rounds=3 if short else 5)
    return figures | {"load": [before, load()]}


def _single(taken: Sequence[Taken]) -> dict[str, Any]:
    """Each capture by itself, over the time that it took to take it."""
    with new_repository() as repository:
        spent = [_seconds(lambda each=each: repository.add(each.capture)) for each in taken]
    ratios = [seconds / each.seconds for seconds, each in zip(spent, taken, strict=True)]
    print(f"  one by one: {spread(ratios).median:.1%}", file=sys.stderr)
    return {
        "captures": len(taken),
        "ratio": vars(spread(ratios)),
        "add_ms": vars(spread(seconds * 1000 for seconds in spent)),
        "capture_ms": vars(spread(each.seconds * 1000 for each in taken)),
    }


def _batch(taken: Sequence[Taken]) -> dict[str, Any]:
    with new_repository() as repository:
        seconds = _seconds(lambda: _add(repository, [each.capture for each in taken]))
    total = sum(each.seconds for each in taken)
    print(f"  in one batch: {seconds / total:.1%}", file=sys.stderr)
    return {"captures": len(taken), "seconds": seconds, "ratio": seconds / total}


def _add(repository: Repository, wanted: Sequence[Capture]) -> None:
    with repository.batch() as batch:
        for capture in wanted:
            batch.add(capture)


def fill(repository: Repository, originals: Sequence[Capture], count: int) -> None:
    wanted = list(restamped(originals, count))
    for start in range(0, count, _BATCH):
        _add(repository, wanted[start : start + _BATCH])


def unrecorded(captures: Sequence[Capture]) -> list[Capture]:
    """Without exchanges: quicker to add, and opening does not look at them."""
    return [replace(capture, exchanges=()) for capture in captures]


def _seconds(work: Any) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _publish(originals: Sequence[Capture], count: int) -> dict[str, Any]:
    with new_repository() as repository:
        fill(repository, originals, count)
        seconds = _seconds(repository.publish)
        nodes = sum(capture.info.nodes for capture in restamped(originals, count))
    print(f"  publish: {seconds:.1f} s", file=sys.stderr)
    return {"captures": count, "nodes": nodes, "seconds": seconds}


def _open(originals: Sequence[Capture], count: int) -> dict[str, Any]:
    """In fresh processes, with nothing of the repository left in the system's cache."""
    with new_repository() as repository:
        fill(repository, originals, count)
        repository.publish()
        times = []
        for _ in range(_OPENINGS):
            _forget(repository.path)
            command = [sys.executable, "-m", "benchmarks.opening", str(repository.path)]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            times.append(json.loads(done.stdout))
    opening, importing = zip(*times, strict=True)
    return {
        "captures": count,
        "seconds": vars(spread(opening)),
        "import_seconds": vars(spread(importing)),
    }


def _forget(folder: Path) -> None:
    """Ask the system to drop what it holds of these files."""
    for path in folder.rglob("*"):
        if path.is_file():
            descriptor = os.open(path, os.O_RDONLY)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(descriptor)


def report(figures: dict[str, Any]) -> list[str]:
    single, batch, publish, opened = (
        figures[name] for name in ("single", "batch", "publish", "open")
    )
    ratio, add, taken = single["ratio"], single["add_ms"], single["capture_ms"]
    imports, opening = opened["import_seconds"]["median"], opened["seconds"]["median"]
    rows = (
        *_added_rows(figures["added"]),
        (
            f"bare cost of adding one ({add['median']:.0f} of {taken['median']:.0f} ms)",
            f"{ratio['median']:.1%} ({ratio['low']:.1%} to {ratio['high']:.1%})",
            "",
        ),
        (
            f"bare cost of adding {batch['captures']} in a batch, over capturing them",
            f"{batch['ratio']:.2%} ({batch['seconds']:.2f} s)",
            "",
        ),
        (
            f"publishing {publish['captures']:,} captures, {publish['nodes']:,} nodes",
            f"{publish['seconds']:.1f} s",
            f"{PUBLISH_BAR} s",
        ),
        (
            f"opening {opened['captures']:,} in a fresh process, after {imports:.2f} s of imports",
            f"{opening:.3f} s",
            f"{OPEN_BAR} s",
        ),
    )
    return [
        f"Keeping captures ({', '.join(figures['load'])})",
        "",
        "| what | measured | bar |",
        "|---|--:|--:|",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]


def _added_rows(added: dict[str, Any]) -> list[tuple[str, str, str]]:
    what = f"time added to {added['captures']} captures, {added['rounds']} rounds, by keeping"
    return [
        (f"{what} {how}", _share(added[form]), f"{bar:.0%}")
        for form, how, bar in (
            (SINGLE, "each", SINGLE_BAR),
            (BATCH, "them in one batch", BATCH_BAR),
        )
    ]


def _share(added: dict[str, Any]) -> str:
    rounds = added["rounds"]
    share = f"{added['share']:+.1%} ({rounds['low']:+.1%} to {rounds['high']:+.1%})"
    return f"{share}; CPU {added['cpu_share']:.1%}, {added['cpu_ms']:.0f} ms each"
