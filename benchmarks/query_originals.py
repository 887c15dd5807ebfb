"""Real captures with what analyses make of them: taken once, and kept beside the pages."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from benchmarks import pages
from benchmarks.committing import unrecorded
from benchmarks.shelf import captures
from webgeist.analyses.analysis import Analysis, Subject
from webgeist.analyses.features.table import FEATURES_ANALYSIS
from webgeist.analyses.features.whole import WHOLE_ANALYSIS
from webgeist.analyses.visual import BLOCKS_ANALYSIS
from webgeist.capture.decode import MemoryParts
from webgeist.repository.ids import capture_id
from webgeist.repository.init import init_repository
from webgeist.repository.repository import open_repository
from webgeist.repository.results import OK, Result
from webgeist.repository.schema import ID

if TYPE_CHECKING:
    from pathlib import Path

    from webgeist.capture.model import Capture
    from webgeist.repository.release import Release
    from webgeist.repository.repository import Repository

    Analysed = tuple[Capture, dict[str, pa.Table]]

ANALYSES: tuple[Analysis, ...] = (BLOCKS_ANALYSIS, FEATURES_ANALYSIS, WHOLE_ANALYSIS)
_ORIGINALS = 40


def originals() -> list[Analysed]:
    """Captures, each with the rows of every analysis."""
    folder = pages.cache_folder() / "query-originals"
    if not (folder / "CURRENT").exists():
        _make(folder)
    with open_repository(folder, readonly=True) as repository, repository.release() as release:
        return [_in_memory(release, capture) for capture in release]


def _make(folder: Path) -> None:
    print(f"  taking {_ORIGINALS} captures: {folder}", file=sys.stderr)
    taken = asyncio.run(_taken())
    with new_repository(folder) as repository:
        keep(
            repository,
            [(each, {a.name: a.rows(Subject(each)) for a in ANALYSES}) for each in taken],
        )
        repository.publish()


async def _taken() -> list[Capture]:
    async with captures(_ORIGINALS) as taken:
        found = unrecorded([each.capture for each in taken])
    return [capture for capture in found if capture.page is not None and capture.screenshot]


def _in_memory(release: Release, capture: Capture) -> Analysed:
    id_ = capture_id(capture.info)
    rows = {each.name: release.rows(each.name, id_).drop_columns("capture") for each in ANALYSES}
    parts = MemoryParts(
        capture.page, capture.links, capture.requests, capture.screenshot, capture.thumbnail
    )
    return replace(capture, parts=parts), rows


def new_repository(folder: Path) -> Repository:
    """An empty one that is ready for captures and what is known of them."""
    init_repository(folder)
    repository = open_repository(folder)
    repository.claim()
    for analysis in ANALYSES:
        repository.begin_analysis(analysis.name, analysis.version)
    return repository


def keep(repository: Repository, held: list[Analysed]) -> None:
    """Adds captures with what is known of each."""
    if not held:
        return
    with repository.batch() as batch:
        for capture, _ in held:
            batch.add(capture)
    named = sorted(((capture_id(capture.info), rows) for capture, rows in held), key=lambda e: e[0])
    tables: dict[str, pa.Table] = {}
    made: list[Result] = []
    for analysis in ANALYSES:
        pieces = [_with_capture(id_, rows[analysis.name]) for id_, rows in named]
        tables[analysis.name] = pa.concat_tables(pieces)
        made += [
            Result(id_, analysis.name, analysis.version, OK, "", rows[analysis.name].num_rows, 1.0)
            for id_, rows in named
        ]
    repository.add_results(made, tables)
    print(f"\r  {len(repository):,} captures", end="", file=sys.stderr)


def _with_capture(id_: str, rows: pa.Table) -> pa.Table:
    column: Any = pa.array([id_] * rows.num_rows, pa.string()).dictionary_encode().cast(ID)
    return rows.add_column(0, pa.field("capture", ID, nullable=False), column)
