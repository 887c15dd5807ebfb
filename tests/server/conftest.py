"""One repository and one server for all tests that leave both as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.server.asking import Asked, make_repository, serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("served") / "repository"
    make_repository(path)
    return path


@pytest.fixture(scope="session")
def server(folder: Path) -> Iterator[Asked]:
    with serving(folder) as asked:
        yield asked
