"""All analyses together: the order they run in, and how queries name their tables."""

from __future__ import annotations

from pathlib import Path

from webgeist.analyses.registry import analyses

DOCS = Path(__file__).parent.parent.parent / "docs"


def test_queries_know_the_tables_by_these_names() -> None:
    known, broken = analyses(None)
    assert not broken
    named = {name: each.scope.name for name, each in known.items() if each.scope}
    assert named == {
        "menus": "menu",
        "menu_items": "menu_item",
        "sites": "site",
        "pagination": "pagination",
        "block_types": "block_type",
        "changes": "change",
    }
    told = (DOCS / "query-language.md").read_text("utf-8")
    assert [name for name in named.values() if f"`@{name}`" not in told] == []
