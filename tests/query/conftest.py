"""One small world for all tests of queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.query.world import make_world

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
    from webgeist.repository.repository import open_repository

    with open_repository(world, readonly=True) as repository, repository.release() as opened:
        yield opened
