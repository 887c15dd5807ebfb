"""What stands where a value will be."""

from __future__ import annotations

import pytest

from webgeist.scrape.program.waiting import are_awaited, is_awaited, is_blank


@pytest.mark.parametrize("text", ["Loading…", " loading ", "Please wait...", "Laden…", "加载中..."])
def test_what_is_announced(text: str) -> None:
    assert is_awaited(text)


@pytest.mark.parametrize("text", [None, "", "-", "Laden", "Loading dock 4", "Waiting for Godot"])
def test_what_is_a_value(text: str | None) -> None:
    assert not is_awaited(text)


def test_rows_that_stand_for_others() -> None:
    assert are_awaited([{"name": "Ada", "born": "Loading…"}, {"name": "Bob", "born": "1900"}])
    assert are_awaited([{"name": "-"}] * 3)
    assert not are_awaited([{"name": "-"}] * 2)
    assert not are_awaited([{"name": "Ada"}, {"name": "Bob"}, {"name": "Bob"}])
    assert not are_awaited([])


def test_a_bar_has_all_cells_and_nothing_in_them() -> None:
    assert is_blank({"name": "", "born": ""})
    assert not is_blank({"name": "", "born": None})
    assert not is_blank({})
