"""An empty archive."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.repository.archive.exchanges import Shelf, close_bodies

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    yield Shelf(tmp_path / "archive")
    close_bodies()
