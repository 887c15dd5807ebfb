"""A worker process: runs analyses on captures of a repository, one after another.

Orders come on stdin, results go to what was stdout; what an analysis prints goes to stderr. When
stdin ends, so does the worker: it cannot outlive its foreman.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pyarrow as pa

from webgeist.analyses.analysis import NothingToSeeError, Subject
from webgeist.analyses.changes.teachings import ANALYSIS, read_teachings
from webgeist.analyses.group import Group, GroupAnalysis, Member
from webgeist.analyses.registry import analyses
from webgeist.engines.frames import EndedError, Receiver, send
from webgeist.engines.models import read_layout
from webgeist.engines.orders import ALIVE, Ended
from webgeist.errors import WebgeistError
from webgeist.repository.repository import open_repository
from webgeist.repository.results import FAILED, NOTHING, OK
from webgeist.repository.schema import ID

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webgeist.analyses.analysis import Analysis
    from webgeist.capture.model import Capture
    from webgeist.repository.repository import Repository

_LONGEST = 500  # characters of a reason


def work(orders: Receiver, answers: int) -> None:
    """Carry out orders until there are no more."""
    cv2.setNumThreads(1)  # there is a process for each core
    terms, _ = orders.receive()
    layout = terms["layout"] and read_layout(Path(terms["repository"]), terms["layout"])
    known, _ = analyses(layout)
    with open_repository(terms["repository"], readonly=True) as repository:
        given = {ANALYSIS: read_teachings(repository.layout)}  # the foreman's lock keeps them
        while True:
            order, _ = orders.receive()
            wanted = [known[name] for name in order["analyses"]]
            group = _group(repository, order, given, answers)
            for ended, table in analyse(group, wanted):
                send(answers, asdict(ended), b"" if table is None else _arrow(table))


def _group(
    repository: Repository, order: dict[str, Any], given: dict[str, Any], answers: int
) -> Group:
    """What an order is about; whenever one of its captures is opened, the foreman hears of it."""

    def load(capture: str) -> Capture:
        send(answers, ALIVE)
        return repository.capture(capture)

    members = (Member(id_, url, datetime.fromisoformat(at)) for id_, url, at in order["members"])
    return Group(order["name"], tuple(members), load, given)


def analyse(
    group: Group, wanted: Sequence[Analysis | GroupAnalysis]
) -> Iterator[tuple[Ended, pa.Table | None]]:
    """How each analysis of a group ends, and its rows. A failure stays its own.

    Those of single captures are asked about groups of one.
    """
    first = group.members[0].capture
    subject: Subject | None = None
    for analysis in wanted:
        started = time.perf_counter()
        table, outcome, reason = None, OK, ""
        try:
            if isinstance(analysis, GroupAnalysis):
                table = _encoded(analysis.rows(group))
            else:
                subject = subject or Subject(group.load(first))
                table = _labelled(analysis.rows(subject), first)
        except NothingToSeeError as error:
            outcome, reason = NOTHING, str(error)
        except WebgeistError as error:
            outcome, reason = FAILED, str(error)
        except Exception as error:  # noqa: BLE001 - a stranger's code may raise anything; it is told
            outcome, reason = FAILED, f"{type(error).__name__}: {error}"
        ms = (time.perf_counter() - started) * 1000
        clean = reason.encode("utf-8", "replace").decode()[:_LONGEST]
        yield Ended(analysis.name, outcome, clean, _counted(table), ms), table


def _labelled(table: pa.Table, capture: str) -> pa.Table:
    """The rows of one capture, with its id."""
    numbers = pa.array(np.zeros(table.num_rows, np.int32))
    ids = pa.DictionaryArray.from_arrays(numbers, pa.array([capture], pa.string()))
    return table.add_column(0, pa.field("capture", ID, nullable=False), ids)


def _encoded(table: pa.Table) -> pa.Table:
    """The rows of a group, with ids as tables of a repository have them."""
    ids = table["capture"].combine_chunks().dictionary_encode()
    return table.set_column(0, pa.field("capture", ID, nullable=False), ids)


def _counted(table: pa.Table | None) -> dict[str, int]:
    """How many rows each capture has."""
    if table is None or not table.num_rows:
        return {}
    counts = table["capture"].combine_chunks().cast(pa.string()).value_counts()
    return dict(
        zip(*(counts.field(name).to_pylist() for name in ("values", "counts")), strict=True)
    )


def _arrow(table: pa.Table) -> memoryview:
    target = pa.BufferOutputStream()
    with pa.ipc.new_stream(target, table.schema) as writer:
        writer.write_table(table)
    return memoryview(target.getvalue())


def main() -> None:
    answers = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        work(Receiver(sys.stdin.fileno()), answers)
    except (EndedError, KeyboardInterrupt):
        return


if __name__ == "__main__":
    main()
