"""A release without damaged files: no more is lost than must be."""

from __future__ import annotations

import json
import shutil
import sqlite3
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from tests.repository.making import make_capture, new_repository

from webgeist.repository.check import check
from webgeist.repository.layout import Layout
from webgeist.repository.repair import repair
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """A release with a table of a later webgeist: here a copy of the links."""
    with new_repository(tmp_path / "r", 1, 2) as repository:
        repository.publish()
    layout = Layout(tmp_path / "r")
    shutil.copytree(layout.tables / "links", layout.tables / "blocks")
    manifest = json.loads(layout.manifest(1).read_text())
    links = json.dumps(manifest["tables"]["links"])
    manifest["tables"]["blocks"] = json.loads(links.replace("links/", "blocks/"))
    text = json.dumps(manifest)
    layout.manifest(1).write_text(text)
    connection = sqlite3.connect(layout.state, isolation_level=None)
    digest = sha256(text.encode()).hexdigest()
    connection.execute("UPDATE releases SET sha256 = ?, manifest = ?", (digest, text))
    connection.close()
    assert check(layout.root) == []
    return layout


def _damage(layout: Layout, table: str) -> None:
    (path,) = (layout.tables / table).iterdir()
    path.write_bytes(path.read_bytes()[:-5])


def test_a_table_that_can_be_made_again_takes_no_capture_with_it(layout: Layout) -> None:
    _damage(layout, "blocks")
    repair(layout.root)
    assert check(layout.root) == []
    with open_repository(layout.root, readonly=True) as repository:
        release = repository.release()
        assert len(repository) == len(release) == 2
        assert release.number == 2
        assert "blocks" not in release.tables()


def test_unknown_tables_are_passed_on(layout: Layout) -> None:
    with open_repository(layout.root) as repository:
        before = repository.release().manifest.tables["blocks"]
        repository.add(make_capture(3))
        repository.publish()
        assert repository.release().manifest.tables["blocks"] == before
        repository.remove_release(1)
        assert repository.release().table("blocks").num_rows == 3
    _damage(layout, "links")
    repair(layout.root)
    assert check(layout.root) == []
    with open_repository(layout.root, readonly=True) as repository:
        assert "blocks" not in repository.release().tables()  # it had rows of lost captures alone
