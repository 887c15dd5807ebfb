"""What a crash leaves: no reader looks at it, and the next writer puts it away."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from tests.repository.making import make_capture, new_repository

from webgeist.repository.check import check
from webgeist.repository.layout import Layout
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """A repository with a release, whose writer died."""
    with new_repository(tmp_path / "r", 1) as repository:
        repository.publish()
        repository.add(make_capture(2))
    layout = Layout(tmp_path / "r")
    layout.lock.write_text("{}")
    return layout


def _aside(layout: Layout) -> list[str]:
    found = (path.relative_to(layout.damaged) for path in layout.damaged.rglob("*"))
    return sorted("/".join(path.parts[1:3]) for path in found if len(path.parts) == 3)


def _write_something(layout: Layout) -> None:
    with open_repository(layout.root) as repository:
        repository.add(make_capture(9))
        repository.publish()
        assert len(repository) == len(repository.release()) == 3


@pytest.mark.parametrize("name", ["01HQTBRPF8ADDVE73SX9BR7GVN", ".01HQTBRPF8.unfinished"])
def test_batches_that_were_not_recorded_are_moved_aside(layout: Layout, name: str) -> None:
    committed = next(layout.staging.iterdir())
    shutil.copytree(committed, layout.staging / name)
    with open_repository(layout.root, readonly=True) as repository:
        assert len(repository) == 2
    assert check(layout.root) == []
    _write_something(layout)
    assert _aside(layout) == [f"staging/{name}"]
    assert check(layout.root) == []


def test_a_manifest_that_never_became_current_is_moved_aside(layout: Layout) -> None:
    shutil.copy(layout.manifest(1), layout.manifest(2))
    with open_repository(layout.root, readonly=True) as repository:
        assert repository.release().number == 1
        assert [manifest.release for manifest in repository.releases()] == [1]
    assert check(layout.root) == []
    _write_something(layout)
    assert _aside(layout) == ["releases/manifest-2.json"]


def test_unfinished_and_half_removed_files_go(layout: Layout) -> None:
    unfinished = [
        layout.root / ".CURRENT.ab12.unfinished",
        layout.releases / ".manifest-2.json.ab12.unfinished",
        layout.tables / "nodes" / ".00000002-0.parquet.ab12.unfinished",
        layout.screenshots / "ab" / ".ab12.jpg.ab12.unfinished",
    ]
    for path in unfinished:
        path.parent.mkdir(exist_ok=True)
        path.touch()
    removed = layout.staging / ".01HQTBRPF8ADDVE73SX9BR7GVN.removed"
    removed.mkdir()
    (removed / "nodes.arrow").touch()
    assert check(layout.root) == []
    _write_something(layout)
    assert not any(path.exists() for path in (*unfinished, removed))
    assert not layout.damaged.exists()


def test_after_a_clean_end_screenshots_are_not_looked_through(layout: Layout) -> None:
    layout.lock.write_text("")
    stray = layout.screenshots / "ab" / ".ab12.jpg.ab12.unfinished"
    stray.parent.mkdir(exist_ok=True)
    stray.touch()
    _write_something(layout)
    assert stray.exists()
