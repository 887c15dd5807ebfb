"""webgeist show."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.repository.making import URL, make_capture, new_repository

from webgeist.cli.exits import ExitCode
from webgeist.cli.run import run
from webgeist.repository.ids import capture_id

if TYPE_CHECKING:
    from pathlib import Path

ID = capture_id(make_capture(1).info)


@pytest.fixture(params=["staged", "published"])
def repo(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    with new_repository(tmp_path / "r", 1) as repository:
        if request.param == "published":
            repository.publish()
    return str(tmp_path / "r")


@pytest.mark.parametrize("wanted", [ID, URL, ID[:15], ID.lower()])
def test_tells_the_facts(repo: str, wanted: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", wanted, "--repo", repo]) == ExitCode.DONE
    facts = dict(
        line.split(maxsplit=1)
        for line in capsys.readouterr().out.splitlines()
        if " " in line.strip()
    )
    assert facts["capture"] == ID
    assert facts["url"] == URL
    assert facts["nodes"] == "5"
    assert facts["styles"] == "3"
    assert facts["screenshot"] == "8x8 jpeg, 1 tiles"
    assert facts["settled"] == "quiet"


def test_as_json(repo: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", ID, "--repo", repo, "--json"]) == ExitCode.DONE
    facts = json.loads(capsys.readouterr().out)
    assert (facts["capture"], facts["outcome"], facts["title"]) == (ID, "ok", "Page 1")
    assert facts["settled"]["at_rest"] is True


@pytest.mark.parametrize("wanted", ["0" * 26, "http://nowhere/"])
def test_not_there(repo: str, wanted: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", wanted, "--repo", repo]) == ExitCode.NOT_FOUND
    assert "there is no capture" in capsys.readouterr().err
