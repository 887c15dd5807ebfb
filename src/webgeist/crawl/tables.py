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

STATEMENTS = (
    """CREATE TABLE crawls (
        crawl INTEGER PRIMARY KEY,
        "plan" TEXT NOT NULL,
        taken INTEGER NOT NULL,
        started REAL NOT NULL
    )""",
    """CREATE TABLE hosts (
        host INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        site TEXT NOT NULL,
        pending INTEGER NOT NULL,
        leased INTEGER NOT NULL,
        next_depth INTEGER NOT NULL,
        ready REAL NOT NULL,
        failures INTEGER NOT NULL,
        "full" INTEGER NOT NULL,
        recorder TEXT
    )""",
    """CREATE INDEX hosts_that_wait ON hosts (next_depth, ready)
        WHERE pending > 0 AND leased = 0 AND "full" = 0""",
    "CREATE INDEX hosts_by_site ON hosts (site)",
    """CREATE TABLE frontier (
        page INTEGER PRIMARY KEY,
        url TEXT NOT NULL UNIQUE,
        host INTEGER NOT NULL REFERENCES hosts (host),
        state TEXT NOT NULL,
        depth INTEGER NOT NULL,
        hops INTEGER NOT NULL,
        attempts INTEGER NOT NULL,
        next_try REAL,
        reason TEXT NOT NULL,
        source INTEGER,
        crawl INTEGER NOT NULL REFERENCES crawls (crawl),
        visited REAL,
        captures TEXT NOT NULL
    )""",
    "CREATE INDEX pages_that_wait ON frontier (host, depth, page) WHERE state = 'pending'",
    "CREATE INDEX pages_for_later ON frontier (next_try) WHERE state = 'waiting'",
    "CREATE INDEX pages_that_are_leased ON frontier (host) WHERE state = 'leased'",
    """CREATE TABLE sites (
        site TEXT PRIMARY KEY,
        taken INTEGER NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE shapes (
        shape TEXT PRIMARY KEY,
        pages INTEGER NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE robots (
        origin TEXT PRIMARY KEY,
        status INTEGER,
        "text" TEXT NOT NULL,
        expires REAL NOT NULL
    ) WITHOUT ROWID""",
)
