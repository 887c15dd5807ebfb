"""Which layout of descriptors a repository goes on with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.repository.making import make_capture, new_repository

from webgeist.analyses.features.descriptor import VERSION
from webgeist.engines import models
from webgeist.engines.analysing import Analysing
from webgeist.errors import DamagedError

if TYPE_CHECKING:
    from pathlib import Path

    from webgeist.repository.repository import Repository


def _version(repository: Repository, *, anew: bool = False) -> str:
    present = models.layout_of(repository.analysis_versions().get("descriptors"))
    layout = models.choose_layout(repository, present, anew=anew)
    assert layout is not None
    version = f"{VERSION}-{layout.version}"
    repository.begin_analysis("descriptors", version)
    return layout.version


def test_a_layout_stays_until_there_is_much_more_to_learn(tmp_path: Path) -> None:
    with new_repository(tmp_path / "r", 0, 1, 2) as repository:
        first = _version(repository)
        for number in range(3, 11):
            repository.add(make_capture(number))
        assert _version(repository) == first
        repository.add(make_capture(11))
        second = _version(repository)
        assert second != first
        assert models.read_layout(repository.path, first).captures == 3  # older releases need it
        assert models.read_layout(repository.path, second).captures == 12


def test_a_layout_is_made_anew_on_demand_or_when_lost(tmp_path: Path) -> None:
    with new_repository(tmp_path / "r", 0, 1, 2) as repository:
        first = _version(repository)
        repository.add(make_capture(3))
        assert _version(repository, anew=True) != first
        second = _version(repository)
        models.layout_path(repository.path, second).unlink()
        with pytest.raises(DamagedError, match="--recompute descriptors"):
            models.read_layout(repository.path, second)
        assert _version(repository) == second


def test_a_repository_without_pages_has_none(tmp_path: Path) -> None:
    with new_repository(tmp_path / "r") as repository:
        assert models.choose_layout(repository, None, anew=False) is None
        assert len(Analysing(repository)) == 0
        repository.add(make_capture(1, nodes=0))
        assert models.choose_layout(repository, None, anew=False) is None


@pytest.mark.parametrize("version", [None, "", "1", "0-abc", "abc"])
def test_other_versions_name_no_layout(version: str | None) -> None:
    assert models.layout_of(version) is None
