"""Rules become a program, once."""

from __future__ import annotations

import sqlite3

import pytest

from webgeist.analyses.blocks.blocktype import block_type
from webgeist.analyses.blocks.rules.compiler import INTEREST, Source, compile_rules
from webgeist.analyses.blocks.rules.errors import RuleError
from webgeist.analyses.blocks.shipped import library

RULES = """
node_of_interest(X) <- dom::clickable(X).
m::short(X) <- node_of_interest(X), dom::content(X, _, _, Length), Length < 5.
unused(X) <- css::color(X, "red").
"""


def compiled(text: str = RULES, model: str = "m") -> object:
    return compile_rules((*library(), Source("m.beryl", text)), model)


def test_the_same_rules_are_compiled_once() -> None:
    assert compiled() is compiled()
    assert compiled() is not compiled(RULES + "% changed")


def test_only_facts_that_features_need_are_asked_for() -> None:
    program = compile_rules((*library(), Source("m.beryl", RULES)), "m")
    asked = {request.predicate.name for request in program.requests}
    assert asked == {"dom::clickable", "dom::content"}
    assert [each.name for each in program.features] == ["m::short"]
    assert set(program.answers) == {INTEREST, *program.features}


def test_without_nodes_of_interest_there_is_nothing_to_classify() -> None:
    with pytest.raises(RuleError, match="node_of_interest"):
        compiled("m::a(X) <- dom::clickable(X).")


@pytest.mark.parametrize("name", ["pagination", "search_form", "login_form"])
def test_what_is_shipped_is_sql_that_sqlite_takes(name: str) -> None:
    program = block_type(name).program
    database = sqlite3.connect(":memory:")
    for line in (*program.schema, *program.steps):
        database.execute(line)
    for sql in program.answers.values():
        assert database.execute(sql).fetchall() == []
    database.close()


def test_the_digest_is_of_the_text_and_the_model() -> None:
    sources = (*library(), Source("m.beryl", RULES))
    other = (*library(), Source("other.beryl", RULES))
    assert compile_rules(sources, "m").digest == compile_rules(other, "m").digest
    assert compile_rules(sources, "m").digest != compile_rules(sources, "n").digest
