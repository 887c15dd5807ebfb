"""What benchmarks keep of pages."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING

import pytest
from benchmarks.changes_cache import Cache

if TYPE_CHECKING:
    from pathlib import Path


def _module(folder: Path, source: str) -> ModuleType:
    file = folder / "maker.py"
    file.write_text(source)
    made = ModuleType("maker")
    made.__file__ = str(file)
    return made


def test_what_other_code_made_is_not_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A map of cells by an older version had a row more than the network's answer."""
    monkeypatch.setenv("WEBGEIST_CHANGES_CACHE", str(tmp_path / "kept"))
    old = Cache("looks", [_module(tmp_path, "rows = 3")])
    old.put("page", [1, 2, 3])
    old.put("blank", None)
    same, new = (Cache("looks", [_module(tmp_path, source)]) for source in ("rows = 3", "rows = 2"))
    assert same.get("page") == [1, 2, 3]
    assert same.get("blank") is None
    with pytest.raises(KeyError):
        new.get("page")
    with pytest.raises(KeyError):
        Cache("portraits", [_module(tmp_path, "rows = 3")]).get("page")


def test_without_a_folder_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WEBGEIST_CHANGES_CACHE", raising=False)
    cache = Cache("looks", [_module(tmp_path, "")])
    cache.put("page", 1)
    with pytest.raises(KeyError):
        cache.get("page")
