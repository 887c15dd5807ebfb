"""What the commit log asks of its database, for SQLite and PostgreSQL alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from webgeist.scrape.tables import COMMITS, LEASES, PROGRAMS, ROWS, RUNS, VISITS

if TYPE_CHECKING:
    from sqlalchemy.sql.dml import Insert, ReturningInsert

_PROGRAM: sa.BindParameter[int] = sa.bindparam("of_program")
_BLOCK: sa.BindParameter[str] = sa.bindparam("of_block")
_KEY: sa.BindParameter[bytes] = sa.bindparam("of_key")
_RUN: sa.BindParameter[int] = sa.bindparam("of_run")
_TOKEN: sa.BindParameter[str] = sa.bindparam("of_token")

PROGRAM = sa.select(PROGRAMS.c.program, PROGRAMS.c.logical).where(
    PROGRAMS.c.name == sa.bindparam("of_name")
)
_THE_RECORDS = sa.and_(
    COMMITS.c.program == _PROGRAM, COMMITS.c.block == _BLOCK, COMMITS.c.key == _KEY
)
RECORDS = (
    sa.select(COMMITS.c.time, COMMITS.c.logical, COMMITS.c.content)
    .where(_THE_RECORDS)
    .order_by(COMMITS.c.record)
)
_THE_LEASE = sa.and_(LEASES.c.program == _PROGRAM, LEASES.c.block == _BLOCK, LEASES.c.key == _KEY)
HOLDER = (
    sa.select(
        RUNS.c.run, LEASES.c.token, RUNS.c.machine, RUNS.c.process, RUNS.c.alive_until, RUNS.c.ended
    )
    .select_from(LEASES.join(RUNS, LEASES.c.run == RUNS.c.run))
    .where(_THE_LEASE)
)
TAKE_OVER = (
    sa.update(LEASES)
    .where(_THE_LEASE, LEASES.c.run == sa.bindparam("old_run"), LEASES.c.token == _TOKEN)
    .values(run=_RUN, token=sa.bindparam("new_token"))
)
LET_GO = sa.delete(LEASES).where(_THE_LEASE, LEASES.c.run == _RUN, LEASES.c.token == _TOKEN)
LET_ALL_GO = sa.delete(LEASES).where(LEASES.c.run == _RUN)
BEGIN = sa.insert(RUNS).returning(RUNS.c.run)
COMMIT = sa.insert(COMMITS).returning(COMMITS.c.record)
KEEP = sa.insert(ROWS)
COUNT = sa.insert(VISITS)
STAY = sa.update(RUNS).where(RUNS.c.run == _RUN).values(alive_until=sa.bindparam("until"))
END = (
    sa.update(RUNS)
    .where(RUNS.c.run == _RUN)
    .values(ended=sa.bindparam("now"), outcome=sa.bindparam("became"))
)
ADVANCE = (
    sa.update(PROGRAMS)
    .where(PROGRAMS.c.program == _PROGRAM, PROGRAMS.c.logical == sa.bindparam("was"))
    .values(logical=PROGRAMS.c.logical + 1)
)
OUTPUT = (
    sa.select(ROWS.c.row, ROWS.c.run, ROWS.c.time, ROWS.c.source, ROWS.c.data, COMMITS.c.block)
    .select_from(ROWS.outerjoin(COMMITS, ROWS.c.record == COMMITS.c.record))
    .where(ROWS.c.program == _PROGRAM, ROWS.c.row > sa.bindparam("after"))
    .order_by(ROWS.c.row)
    .limit(sa.bindparam("most"))
)


class Upserts:
    """Insertions that give way to what is there; the two databases spell them differently."""

    def __init__(self, dialect: str) -> None:
        insert: Any = sqlite.insert if dialect == "sqlite" else postgresql.insert
        self.program: Insert = insert(PROGRAMS).on_conflict_do_nothing(index_elements=["name"])
        # How many records there are by then. PostgreSQL may count what was there before it waited
        # for another run to let go, so that there it has to be asked afterwards.
        records = sa.select(sa.func.count()).where(_THE_RECORDS).scalar_subquery()
        self.lease: ReturningInsert[int] = (
            insert(LEASES)
            .on_conflict_do_nothing(index_elements=["program", "block", "key"])
            .returning(records if dialect == "sqlite" else sa.literal(-1))
        )
