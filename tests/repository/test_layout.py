"""Where things lie; names in a stranger's repository lead nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from webgeist.errors import DamagedError
from webgeist.repository.layout import Layout, layout_of

HASH = "ab" * 32


def test_names_that_we_write() -> None:
    layout = Layout(Path("/r"))
    assert layout.picture(f"ab/{HASH}.jpg") == Path(f"/r/screenshots/ab/{HASH}.jpg")
    name = "styles_own/00000001-0.parquet"
    assert layout.table_file(name) == Path("/r/tables") / name


@pytest.mark.parametrize(
    "name",
    ["", "..", "../x", "/etc/passwd", "nodes/../../x.parquet", "nodes/1-0.parquet\n", "a/b/c"],
)
def test_names_that_lead_elsewhere(name: str) -> None:
    layout = Layout(Path("/r"))
    for find in (layout.picture, layout.table_file):
        with pytest.raises(DamagedError, match="names a file that cannot be in it"):
            find(name)


def test_manifests(tmp_path: Path) -> None:
    layout = layout_of(tmp_path)
    assert layout.manifest_numbers() == []
    layout.releases.mkdir()
    for name in ("manifest-10.json", "manifest-9.json", "manifest-0.json", "manifest-٣.json", "x"):
        (layout.releases / name).touch()
    assert layout.manifest_numbers() == [9, 10]


def test_it_stays_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    layout = layout_of("r")
    monkeypatch.chdir("/")
    assert layout.root == tmp_path / "r"
