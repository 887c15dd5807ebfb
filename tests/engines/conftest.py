"""A repository of small real pages with pictures, made once for all tests of a process."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from tests.conftest import Shooter

from webgeist.repository.init import init_repository
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Studio

    from webgeist.repository.repository import Repository

PAGES = 5


@pytest.fixture(scope="session")
def pages(picture_studio: Studio, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    init_repository(folder / "r")
    shooter = Shooter(picture_studio, folder)
    with open_repository(folder / "r") as repository:
        for number in range(PAGES):
            words = "".join(f"<p>{word}</p>" for word in range(number + 1))
            repository.add(shooter(f"<h1>Page {number}</h1>{words}", url=f"http://h.test/{number}"))
    return folder / "r"


@pytest.fixture
def repository(pages: Path, tmp_path: Path) -> Iterator[Repository]:
    shutil.copytree(pages, tmp_path / "r")
    with open_repository(tmp_path / "r") as opened:
        yield opened
