"""The tables of state.db as SQLAlchemy knows them. `migrations` makes them; a test compares."""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa


class _Time(sa.TypeDecorator[datetime]):
    """A time in UTC as text that sorts: 2026-11-16T00:52:01.123456Z."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: object) -> str | None:
        return None if value is None else f"{value.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%f}Z"

    def process_result_value(self, value: str | None, _dialect: object) -> datetime | None:
        return None if value is None else datetime.fromisoformat(value)


METADATA = sa.MetaData()
BATCHES = sa.Table(
    "batches",
    METADATA,
    sa.Column("batch", sa.Text, primary_key=True),
    sa.Column("time", _Time),
    sa.Column("captures", sa.Integer),
    sa.Column("sha256", sa.Text),
    sa.Column("release", sa.Integer),
)
CAPTURES = sa.Table(
    "captures",
    METADATA,
    sa.Column("capture", sa.Text, primary_key=True),
    sa.Column("url", sa.Text),
    sa.Column("requested_url", sa.Text),
    sa.Column("time", _Time),
    sa.Column("viewport", sa.Text),
    sa.Column("outcome", sa.Text),
    sa.Column("batch", sa.Text),
    sa.Column("position", sa.Integer),
)
ARCHIVE_FILES = sa.Table(
    "archive_files",
    METADATA,
    sa.Column("file", sa.Text, primary_key=True),
    sa.Column("length", sa.Integer),
)
RESOURCES = sa.Table(
    "resources",
    METADATA,
    sa.Column("sha256", sa.Text, primary_key=True),
    sa.Column("file", sa.Text),
    sa.Column("offset", sa.Integer),
    sa.Column("length", sa.Integer),
    sa.Column("url", sa.Text),
    sa.Column("time", _Time),
)
ANALYSES = sa.Table(
    "analyses",
    METADATA,
    sa.Column("analysis", sa.Text, primary_key=True),
    sa.Column("version", sa.Text),
)
RESULTS = sa.Table(
    "results",
    METADATA,
    sa.Column("capture", sa.Text, primary_key=True),
    sa.Column("analysis", sa.Text, primary_key=True),
    sa.Column("version", sa.Text),
    sa.Column("batch", sa.Text),
    sa.Column("outcome", sa.Text),
    sa.Column("reason", sa.Text),
    sa.Column("rows", sa.Integer),
    sa.Column("ms", sa.Float),
)
RELEASES = sa.Table(
    "releases",
    METADATA,
    sa.Column("release", sa.Integer, primary_key=True),
    sa.Column("time", _Time),
    sa.Column("sha256", sa.Text),
    sa.Column("manifest", sa.Text),
)
