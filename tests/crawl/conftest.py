"""A crawl that is soon out of patience, stays on this machine, and must leave nothing behind."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING

import psutil
import pytest
from tests.capture.conftest import only_here
from tests.repository.making import new_repository

from webgeist.capture.gate import Gate
from webgeist.repository.check import check

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import SettingsMaker

    from webgeist.repository.repository import Repository
    from webgeist.settings import Settings


@pytest.fixture
def nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No process and no temporary file outlives a crawl."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    yield
    assert list(folder.iterdir()) == []
    after = {child.pid for child in psutil.Process().children(recursive=True)}
    assert after <= before


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    with new_repository(tmp_path / "repository") as made:
        yield made
    assert check(tmp_path / "repository") == []


@pytest.fixture
def hasty(make_settings: SettingsMaker, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Soon out of patience, and bound to this machine: names of others are not even resolved."""
    gate = Gate(allow=("127.0.0.0/8", "::1/128"), resolve=only_here)
    monkeypatch.setattr(Gate, "of", lambda _: gate)
    seconds = {"navigation_seconds": 4, "settle_seconds": 1, "capture_seconds": 15}
    return make_settings(
        browser={"command_seconds": 3},
        capture={"screenshot": "jpeg"},
        limits={**seconds, "file_bytes": 20_000_000},
        gate={"allow_private": False, "allow": "127.0.0.0/8 ::1/128"},
        recorder={"idle_seconds": 4},
        crawl={"delay_seconds": 0, "longest_delay_seconds": 0, "attempts": 1, "host_failures": 99},
    )
