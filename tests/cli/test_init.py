"""webgeist init."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.cli.exits import ExitCode
from webgeist.cli.run import run
from webgeist.repository.check import check

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_makes_an_empty_repository(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["init", str(tmp_path / "mine")]) == ExitCode.DONE
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "mine is an empty repository" in captured.err
    assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == [
        *("archive", "ca", "metrics", "models", "releases", "screenshots", "staging"),
        *("state.db", "tables", "webgeist.toml"),
    ]
    assert check(tmp_path / "mine") == []


def test_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["init"]) == ExitCode.DONE
    assert (tmp_path / "state.db").exists()


def test_twice_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["init", str(tmp_path)])
    assert run(["init", str(tmp_path)]) == ExitCode.STORAGE
    assert "is a repository already" in capsys.readouterr().err


def test_where_a_file_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert run(["init", str(tmp_path / "file")]) == ExitCode.STORAGE
    assert "try:" in capsys.readouterr().err
