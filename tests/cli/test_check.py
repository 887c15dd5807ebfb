"""webgeist check."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.repository.making import new_repository

from webgeist.cli.exits import ExitCode
from webgeist.cli.run import run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    with new_repository(tmp_path / "r", 1, 2) as repository:
        repository.publish()
    return tmp_path / "r"


def test_a_sound_repository_gives_no_output(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for more in ([], ["--repair"]):
        assert run(["check", "--repo", str(repo), *more]) == ExitCode.DONE
        assert capsys.readouterr() == ("", "")
    assert run(["check", "--repo", str(repo), "--json"]) == ExitCode.DONE
    assert json.loads(capsys.readouterr().out) == {"sound": True, "repaired": [], "problems": []}


def test_damage_is_named_and_mended(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (repo / "CURRENT").write_text("first")
    assert run(["check", "--repo", str(repo)]) == ExitCode.DAMAGED
    captured = capsys.readouterr()
    assert captured.out == f"current: {repo}/CURRENT holds no release number\n"
    assert "check --repair" in captured.err
    assert run(["check", "--repo", str(repo), "--repair"]) == ExitCode.DONE
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "release 1 is the current one" in captured.err
    assert (repo / "CURRENT").read_text() == "1\n"
    assert run(["check", "--repo", str(repo)]) == ExitCode.DONE


def test_what_cannot_be_mended(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    next((repo / "screenshots").glob("*/*")).unlink()
    assert run(["check", "--repo", str(repo), "--repair", "--json"]) == ExitCode.DAMAGED
    told = json.loads(capsys.readouterr().out)
    assert told["sound"] is False
    assert [each["part"] for each in told["problems"]] == ["picture"]


def test_no_repository(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--repo", str(tmp_path)]) == ExitCode.NOT_FOUND
    assert "no repository" in capsys.readouterr().err
