"""Parts of a statement's tree say what SQLGlot's own builders would, without parsing."""

from __future__ import annotations

import pytest
from sqlglot import exp, parse_one

from webgeist.query import sqltree as t


def _select(*names: str) -> exp.Select:
    shown = exp.Select().select(*(t.column(name, "t1") for name in names), copy=False)
    return shown.from_(t.table("nodes", "t1"), copy=False)


def _same(made: exp.Expr, sql: str) -> None:
    assert made.sql("duckdb") == parse_one(sql, dialect="duckdb").sql("duckdb")


def test_stored_names_are_quoted_and_own_ones_are_not() -> None:
    _same(_select('na"me'), 'SELECT t1."na""me" FROM "nodes" AS t1')
    made = exp.Select().select(exp.Star(), copy=False).from_(t.own_table("counted"), copy=False)
    _same(made, "SELECT * FROM counted")


def test_definitions_come_in_their_order() -> None:
    made = t.with_(t.with_(_select("x"), "a", _select("y")), "b", _select("z"))
    first, second = made.args["with_"].expressions
    assert (first.alias, second.alias) == ("a", "b")
    assert made.sql("duckdb").startswith('WITH a AS (SELECT t1."y"')


@pytest.mark.parametrize(
    ("side", "words"),
    [("", "JOIN b AS t2 ON TRUE"), ("LEFT", "LEFT JOIN b AS t2 ON TRUE")],
)
def test_joins(side: str, words: str) -> None:
    other = exp.Table(
        this=exp.Identifier(this="b"), alias=exp.TableAlias(this=exp.to_identifier("t2"))
    )
    made = t.joined(_select("x"), other, exp.true(), side)
    _same(made, f'SELECT t1."x" FROM "nodes" AS t1 {words}')


def test_a_cross_join_has_no_condition() -> None:
    made = t.joined(_select("x"), t.own_table("steps"), side="CROSS")
    _same(made, 'SELECT t1."x" FROM "nodes" AS t1 CROSS JOIN steps')


def test_conditions_add_up_and_keep_their_brackets() -> None:
    one = t.either([t.equal(t.column("a"), exp.Literal.number(n)) for n in (1, 2)])
    made = t.filtered(t.filtered(_select("x"), [one]), [t.there(t.column("b"))])
    _same(made, 'SELECT t1."x" FROM "nodes" AS t1 WHERE ("a" = 1 OR "a" = 2) AND NOT ("b" IS NULL)')
    assert t.filtered(_select("x"), []).args.get("where") is None


def test_no_conditions_hold() -> None:
    assert t.every([]) == exp.true()


@pytest.mark.parametrize(
    ("cast", "type_"),
    [(t.double, "DOUBLE"), (t.single, "REAL"), (t.whole, "BIGINT"), (t.integer, "INT")],
)
def test_casts(cast: object, type_: str) -> None:
    made = cast(t.column("x"))  # type: ignore[operator]
    assert made.sql("duckdb") == f'CAST("x" AS {type_})'


def test_what_is_neither_true_nor_false_is_false() -> None:
    unknown = t.equal(t.column("x"), exp.Literal.number(1))
    assert t.negated(unknown).sql("duckdb") == 'NOT (COALESCE("x" = 1, FALSE))'
    assert t.truly(t.missing(t.column("x"))).sql("duckdb") == '"x" IS NULL'
