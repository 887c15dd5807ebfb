"""webgeist doctor."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from tests.repository.making import new_repository

from webgeist.cli.exits import ExitCode
from webgeist.cli.run import run

if TYPE_CHECKING:
    from pathlib import Path


def _lines(capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    lines = capsys.readouterr().out.splitlines()
    return {line.split(":")[0].strip(): line for line in lines}


def test_all_is_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with new_repository(tmp_path / "r", 1) as repository:
        repository.publish()
    assert run(["doctor", "--repo", str(tmp_path / "r")]) == ExitCode.DONE
    lines = _lines(capsys)
    assert [name.split()[-1] for name in lines] == [
        *("versions", "settings", "browser", "sandbox", "space", "rights", "repository"),
    ]
    assert "1 captures, release 1" in lines["ok       repository"]
    assert "Chrom" in lines["ok       browser"]


def test_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--repo", str(tmp_path / "new"), "--json"]) == ExitCode.DONE
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] is True
    assert told["findings"][-1]["text"] == f"none in {tmp_path}/new"


def test_problems_come_with_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WEBGEIST_BROWSER_EXECUTABLE", str(tmp_path / "none"))
    new_repository(tmp_path / "r", 1).close()
    (tmp_path / "r" / "state.db").write_bytes(b"no database at all, but long enough" * 9)
    assert run(["doctor", "--repo", str(tmp_path / "r")]) == ExitCode.ERROR
    said = capsys.readouterr().out
    assert "problem  browser: browser.executable is" in said
    assert "problem  repository:" in said
    assert "try: webgeist check --repair" in said


def test_a_browser_that_does_not_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho libfoo is missing >&2\nexit 127\n")
    broken.chmod(0o755)
    monkeypatch.setenv("WEBGEIST_BROWSER_EXECUTABLE", str(broken))
    assert run(["doctor", "--repo", str(tmp_path)]) == ExitCode.ERROR
    assert "does not start: libfoo is missing" in capsys.readouterr().out


def test_bad_settings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new_repository(tmp_path / "r").close()
    (tmp_path / "r" / "webgeist.toml").write_text("[captur]\n")
    assert run(["doctor", "--repo", str(tmp_path / "r")]) == ExitCode.ERROR
    said = capsys.readouterr().out
    assert "problem  settings:" in said
    assert "did you mean capture?" in said


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tmp_path.chmod(0o555)
    assert run(["doctor", "--repo", str(tmp_path)]) == ExitCode.ERROR
    assert "problem  rights:" in capsys.readouterr().out
    tmp_path.chmod(0o755)
