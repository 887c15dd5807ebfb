"""The tables of a commit log, as SQLAlchemy sees them; `migrations` makes them."""

from __future__ import annotations

import sqlalchemy as sa

_METADATA = sa.MetaData()

PROGRAMS = sa.Table(
    "scrape_programs",
    _METADATA,
    sa.Column("program", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text),
    sa.Column("logical", sa.Integer),  # full runs so far
)
RUNS = sa.Table(
    "scrape_runs",
    _METADATA,
    sa.Column("run", sa.Integer, primary_key=True),
    sa.Column("program", sa.Integer),
    sa.Column("logical", sa.Integer),
    sa.Column("started", sa.Float),
    sa.Column("ended", sa.Float),
    sa.Column("outcome", sa.Text),  # full, shared, failed; nothing while it runs, or if it died
    sa.Column("machine", sa.Text),
    sa.Column("process", sa.Text),
    sa.Column("alive_until", sa.Float),
)
COMMITS = sa.Table(
    "scrape_commits",
    _METADATA,
    sa.Column("record", sa.Integer, primary_key=True),
    sa.Column("program", sa.Integer),
    sa.Column("block", sa.Text),
    sa.Column("key", sa.LargeBinary),
    sa.Column("parts", sa.Text),
    sa.Column("time", sa.Float),
    sa.Column("logical", sa.Integer),
    sa.Column("run", sa.Integer),
    sa.Column("content", sa.Text),
)
ROWS = sa.Table(
    "scrape_rows",
    _METADATA,
    sa.Column("row", sa.Integer, primary_key=True),
    sa.Column("program", sa.Integer),
    sa.Column("run", sa.Integer),
    sa.Column("record", sa.Integer),  # nothing for output outside of blocks
    sa.Column("time", sa.Float),
    sa.Column("source", sa.Text),
    sa.Column("data", sa.Text),
)
LEASES = sa.Table(
    "scrape_leases",
    _METADATA,
    sa.Column("program", sa.Integer, primary_key=True),
    sa.Column("block", sa.Text, primary_key=True),
    sa.Column("key", sa.LargeBinary, primary_key=True),
    sa.Column("run", sa.Integer),
    sa.Column("token", sa.Text),  # one run may meet a key twice at the same time
)
VISITS = sa.Table(
    "scrape_visits",
    _METADATA,
    sa.Column("run", sa.Integer, primary_key=True),
    sa.Column("block", sa.Text, primary_key=True),
    sa.Column("entered", sa.Integer),
    sa.Column("skipped", sa.Integer),
    sa.Column("committed", sa.Integer),
)
