"""webgeist publish."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.repository.making import make_capture, new_repository

from webgeist.cli.exits import ExitCode
from webgeist.cli.run import run
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_prints_the_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new_repository(tmp_path / "r", 1, 2).close()
    assert run(["publish", "--repo", str(tmp_path / "r")]) == ExitCode.DONE
    captured = capsys.readouterr()
    assert captured.out == "1\n"
    assert "release 1 has 2 captures" in captured.err
    with open_repository(tmp_path / "r") as repository:
        repository.add(make_capture(3))
    assert run(["publish", "--repo", str(tmp_path / "r"), "--json"]) == ExitCode.DONE
    assert json.loads(capsys.readouterr().out) == {"release": 2, "captures": 3}


def test_nothing_to_publish(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new_repository(tmp_path / "r").close()
    assert run(["publish", "--repo", str(tmp_path / "r")]) == ExitCode.NOT_FOUND
    assert "nothing to publish" in capsys.readouterr().err


def test_no_repository(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["publish", "--repo", str(tmp_path)]) == ExitCode.NOT_FOUND
    assert "try: webgeist init" in capsys.readouterr().err


def test_somebody_else_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with new_repository(tmp_path / "r", 1):
        assert run(["publish", "--repo", str(tmp_path / "r")]) == ExitCode.DAMAGED
    assert "is in use by process" in capsys.readouterr().err
