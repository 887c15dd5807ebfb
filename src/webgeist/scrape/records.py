"""What the key doctor needs to know of a log: its programs, its records and their rows."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from webgeist.scrape.doctor import BlockReport, missing_parts, never_repeats, pairs
from webgeist.scrape.rows import read
from webgeist.scrape.tables import COMMITS, PROGRAMS, ROWS, RUNS, VISITS

if TYPE_CHECKING:
    from webgeist.scrape.sql_log import SqlLog


def programs(log: SqlLog) -> list[str]:
    """The names of all programs in a log."""
    with log.database.ask() as connection:
        found = connection.execute(sa.select(PROGRAMS.c.name).order_by(PROGRAMS.c.program))
        return list(found.scalars())


def examine(log: SqlLog, program: str) -> list[BlockReport]:
    """A report for each name of a block."""
    number = log.number(program)
    by_block: dict[str, list[sa.Row[Any]]] = defaultdict(list)
    asked = sa.select(COMMITS.c.record, COMMITS.c.block, COMMITS.c.parts)
    with log.database.ask() as connection:
        records = connection.execute(
            asked.where(COMMITS.c.program == number).order_by(COMMITS.c.record)
        )
        for each in records:
            by_block[each.block].append(each)  # type: ignore[arg-type]
    rows, visits = _single_rows(log, number), _visits(log, number)
    return [_report(block, found, rows, visits.get(block, [])) for block, found in by_block.items()]


def _report(
    block: str, records: list[Any], rows: dict[int, Any], visits: list[tuple[int, int]]
) -> BlockReport:
    distinct = list(dict.fromkeys(each.parts for each in records))
    keyed = [
        (json.loads(each.parts)["key"], rows[each.record], each.parts)
        for each in records
        if each.record in rows
    ]
    whole = [([parts, *key], row) for key, row, parts in keyed]
    found = [
        type(pair)(pair.key[1:], pair.one, pair.other, pair.differing) for pair in pairs(whole)
    ]
    return BlockReport(
        block,
        keys=len(distinct),
        records=len(records),
        missing=missing_parts(distinct),
        never_repeats=never_repeats(visits),
        pairs=found,
    )


def _single_rows(log: SqlLog, program: int) -> dict[int, dict[str, Any]]:
    """The row of each record that has exactly one."""
    found: dict[int, dict[str, Any]] = {}
    several: set[int] = set()
    asked = sa.select(ROWS.c.record, ROWS.c.data).where(
        ROWS.c.program == program, ROWS.c.record.is_not(None)
    )
    with log.database.ask() as connection:
        for record, data in connection.execute(asked):
            if record in found:
                several.add(record)
            found[record] = read(data)
    return {record: row for record, row in found.items() if record not in several}


def _visits(log: SqlLog, program: int) -> dict[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    asked = (
        sa.select(VISITS.c.block, VISITS.c.entered, VISITS.c.skipped)
        .select_from(VISITS.join(RUNS, VISITS.c.run == RUNS.c.run))
        .where(RUNS.c.program == program)
        .order_by(VISITS.c.run)
    )
    with log.database.ask() as connection:
        for block, entered, skipped in connection.execute(asked):
            found[block].append((entered, skipped))
    return found
