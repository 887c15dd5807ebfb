"""SQLAlchemy's statements on a bare connection do what SQLAlchemy does with them."""

from __future__ import annotations

import sqlite3

import pytest
import sqlalchemy as sa

from webgeist.scrape.plain import Plain

TABLE = sa.Table(
    "things",
    sa.MetaData(),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text),
    sa.Column("raw", sa.LargeBinary),
)


@pytest.fixture
def plain() -> Plain:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute("CREATE TABLE things (number INTEGER PRIMARY KEY, name TEXT, raw BLOB)")
    return Plain(connection)


def test_statements_with_values(plain: Plain) -> None:
    insert = sa.insert(TABLE).returning(TABLE.c.number)
    assert plain.execute(insert, {"name": "a", "raw": b"\0x"}).fetchone() == (1,)
    assert plain.execute(insert, {"raw": b"", "name": "b"}).fetchone() == (2,)
    asked = sa.select(TABLE.c.raw).where(TABLE.c.name == sa.bindparam("of_name")).limit(1)
    assert plain.execute(asked, {"of_name": "a"}).fetchall() == [(b"\0x",)]


def test_one_statement_with_different_columns(plain: Plain) -> None:
    insert = sa.insert(TABLE)
    plain.execute(insert, {"name": "a"})
    plain.execute(insert, {"number": 7})
    plain.execute(insert, [{"name": "c", "number": 8}, {"name": "d", "number": 9}])
    assert plain.execute(sa.select(TABLE.c.number, TABLE.c.name)).fetchall() == [
        (1, "a"),
        (7, None),
        (8, "c"),
        (9, "d"),
    ]


def test_constants_inside_a_statement(plain: Plain) -> None:
    plain.execute(sa.insert(TABLE), {"number": 1})
    more = sa.update(TABLE).values(number=TABLE.c.number + 41)
    assert plain.execute(more).rowcount == 1
    assert plain.execute(sa.select(TABLE.c.number)).fetchone() == (42,)


def test_a_transaction_is_taken_back(plain: Plain) -> None:
    plain.begin()
    plain.execute(sa.insert(TABLE), {"number": 1})
    plain.rollback()
    plain.rollback()  # there is none any more
    assert plain.execute(sa.select(TABLE.c.number)).fetchall() == []
