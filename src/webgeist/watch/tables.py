"""The watch's tables in state.db as SQLAlchemy knows them; `repository.migrations` makes them.

Times are seconds since 1970.
"""

from __future__ import annotations

import sqlalchemy as sa

METADATA = sa.MetaData()

BASELINES = sa.Table(  # what the next capture of a page is compared with
    "watch_baselines",
    METADATA,
    sa.Column("url", sa.Text, primary_key=True),
    sa.Column("viewport", sa.Text, primary_key=True),
    sa.Column("capture", sa.Text),  # the last one that could be compared
)
LOOKED_AT = sa.Table(  # each capture once: ids sort by a clock, which may be set back
    "watch_looked_at",
    METADATA,
    sa.Column("capture", sa.Text, primary_key=True),
)
ANSWERS = sa.Table(  # what queries gave last
    "watch_answers",
    METADATA,
    sa.Column("query", sa.Text, primary_key=True),  # its SHA-256
    sa.Column("rows", sa.Text),  # as JSON lines
)
OUTBOX = sa.Table(
    "watch_outbox",
    METADATA,
    sa.Column("notice", sa.Text, primary_key=True),
    sa.Column("channel", sa.Text, primary_key=True),
    sa.Column("body", sa.Text),  # as JSON
    sa.Column("state", sa.Text),  # waiting, sent or given-up
    sa.Column("attempts", sa.Integer),
    sa.Column("next_try", sa.Float),
    sa.Column("reason", sa.Text),  # why the last attempt failed
)
