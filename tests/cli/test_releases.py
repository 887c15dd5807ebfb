"""webgeist releases."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.repository.making import make_capture, new_repository

from webgeist.cli.exits import ExitCode
from webgeist.cli.run import run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def repo(tmp_path: Path) -> str:
    with new_repository(tmp_path / "r", 1) as repository:
        repository.publish()
        repository.add(make_capture(2))
        repository.publish()
    return str(tmp_path / "r")


def test_lists_them(repo: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["releases", "--repo", repo]) == ExitCode.DONE
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["1", "2"]
    assert "2 captures" in lines[1]
    assert run(["releases", "--repo", repo, "--json"]) == ExitCode.DONE
    found = json.loads(capsys.readouterr().out)["releases"]
    assert [each["captures"] for each in found] == [1, 2]
    assert found[1]["tables"]["nodes"] == 10


def test_removes_one(repo: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["releases", "--repo", repo, "--remove", "1"]) == ExitCode.DONE
    assert "release 1 is removed" in capsys.readouterr().err
    run(["releases", "--repo", repo])
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["2"]


@pytest.mark.parametrize(
    ("number", "code", "said"),
    [("2", ExitCode.USAGE, "is the current one"), ("9", ExitCode.NOT_FOUND, "no release 9")],
)
def test_what_cannot_be_removed(
    repo: str, number: str, code: ExitCode, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["releases", "--repo", repo, "--remove", number]) == code
    assert said in capsys.readouterr().err


def test_a_new_repository_has_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new_repository(tmp_path / "r").close()
    assert run(["releases", "--repo", str(tmp_path / "r")]) == ExitCode.DONE
    assert capsys.readouterr().out == ""
