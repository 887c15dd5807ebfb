"""One small world for all tests of queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.query.world import BADGES, make_world

from webgeist.analyses.analysis import Analysis
from webgeist.analyses.scope import TableScope
from webgeist.query import holding, schema
from webgeist.query.ask import database_of
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webgeist.repository.release import Release


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("world") / "r"
    make_world(folder).close()
    return folder


@pytest.fixture(scope="session")
def release(world: Path) -> Iterator[Release]:
    with open_repository(world, readonly=True) as repository, repository.release() as opened:
        yield opened


@pytest.fixture(scope="module", params=["files", "memory"])
def named(world: Path, request: pytest.FixtureRequest) -> Iterator[Release]:
    """The release where the table of badges has a name of its own, as an analysis would give it.
    Once all is read from files, once columns are held in memory as soon as they can be.
    """
    known = Analysis("badges", "1", BADGES, lambda _: BADGES.empty_table(), TableScope("badge"))
    with (
        pytest.MonkeyPatch.context() as patch,
        open_repository(world, readonly=True) as repository,
        repository.release() as opened,
    ):
        patch.setattr(schema, "_installed", lambda: [known])
        patch.setattr(holding, *(("_SHARE", 0) if request.param == "files" else ("_AT_LEAST", 0)))
        yield opened
        assert bool(database_of(opened).held.columns) == (request.param == "memory")
