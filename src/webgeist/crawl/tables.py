"""The crawler's tables in state.db as SQLAlchemy knows them; `repository.migrations` makes them.

Times are seconds since 1970: they are compared and added to, and never shown as they are.
"""

from __future__ import annotations

import sqlalchemy as sa

METADATA = sa.MetaData()

CRAWLS = sa.Table(
    "crawls",
    METADATA,
    sa.Column("crawl", sa.Integer, primary_key=True),
    sa.Column("plan", sa.Text),  # what was asked for, as JSON
    sa.Column("taken", sa.Integer),  # pages that are leased or captured
    sa.Column("started", sa.Float),
    sa.Column("bytes", sa.Integer),  # stored: bodies as they were sent, and pictures
    sa.Column("bounds", sa.Text),  # where it stops, as JSON
)
FRONTIER = sa.Table(
    "frontier",
    METADATA,
    sa.Column("page", sa.Integer, primary_key=True),  # in the order of being found
    sa.Column("url", sa.Text),
    sa.Column("host", sa.Integer),
    sa.Column("state", sa.Text),
    sa.Column("depth", sa.Integer),
    sa.Column("hops", sa.Integer),
    sa.Column("attempts", sa.Integer),
    sa.Column("next_try", sa.Float),
    sa.Column("reason", sa.Text),
    sa.Column("source", sa.Integer),  # the page that it was found on
    sa.Column("crawl", sa.Integer),
    sa.Column("visited", sa.Float),
    sa.Column("captures", sa.JSON),  # of the last visit: viewport to capture
)
HOSTS = sa.Table(
    "hosts",
    METADATA,
    sa.Column("host", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text),
    sa.Column("site", sa.Text),
    sa.Column("pending", sa.Integer),
    sa.Column("leased", sa.Integer),
    sa.Column("next_depth", sa.Integer),  # of the first pending page
    sa.Column("ready", sa.Float),  # not to be asked before
    sa.Column("failures", sa.Integer),  # in a row
    sa.Column("full", sa.Boolean),  # its site has had as many pages as were asked for
    sa.Column("recorder", sa.Text),
)
SITES = sa.Table(
    "sites",
    METADATA,
    sa.Column("site", sa.Text, primary_key=True),
    sa.Column("taken", sa.Integer),
)
SHAPES = sa.Table(
    "shapes",
    METADATA,
    sa.Column("shape", sa.Text, primary_key=True),
    sa.Column("pages", sa.Integer),
)
ROBOTS = sa.Table(
    "robots",
    METADATA,
    sa.Column("origin", sa.Text, primary_key=True),
    sa.Column("status", sa.Integer),
    sa.Column("text", sa.Text),
    sa.Column("expires", sa.Float),
)
