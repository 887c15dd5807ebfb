"""`webgeist.query`: a folder, a repository or a release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import webgeist
from webgeist.errors import NotFoundError
from webgeist.query.ask import Limits

if TYPE_CHECKING:
    from pathlib import Path

    from webgeist.repository.release import Release

COUNT = {"$from": "@dom", "$count": 1}


def test_all_three_give_the_same_answer(world: Path, release: Release) -> None:
    with webgeist.open_repository(world, readonly=True) as repository:
        asked: list[Any] = [world, str(world), repository, release]
        answers = [list(webgeist.query(each, COUNT).rows()) for each in asked]
    assert answers[0][0]["count"] > 100
    assert answers == [answers[0]] * 4


def test_a_scope_and_limits_can_be_given(world: Path) -> None:
    answer = webgeist.query(world, {}, scope="@dom", limits=Limits(rows=3))
    assert (len(answer), answer.cut) == (3, "rows")


def test_no_repository(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        webgeist.query(tmp_path / "none", COUNT)
