"""webgeist teach."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.analyses.changes.pages import LAST, MORE, PROSE, news

from webgeist.cli.exits import ExitCode
from webgeist.cli.run import run
from webgeist.repository.init import make_if_missing
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Shooter

URL = "http://example.org/news"


@pytest.fixture
def repo(tmp_path: Path, shoot_html: Shooter) -> Path:
    """Two versions of a page, with another article."""
    folder = tmp_path / "r"
    make_if_missing(folder)
    with open_repository(folder) as repository:
        for word in ("three", "five"):
            html = news(PROSE.replace("three", word), MORE, LAST)
            repository.add(shoot_html(html, url=URL))
    return folder


def _important(repo: Path, capsys: pytest.CaptureFixture[str]) -> tuple[bool, str]:
    capsys.readouterr()
    assert run(["changes", URL, "--repo", str(repo), "--json"]) == ExitCode.DONE
    (change,) = json.loads(capsys.readouterr().out)["changes"]
    return change["important"], change["reason"]


def test_teaching_listing_and_forgetting(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = ["--repo", str(repo)]
    assert _important(repo, capsys)[0]
    assert run(["teach", URL, "--unimportant", *at]) == ExitCode.DONE
    said = capsys.readouterr().out
    assert "unimportant" in said
    assert URL in said
    important, reason = _important(repo, capsys)
    assert not important
    assert "as taught: 1 passage unimportant" in reason
    assert run(["teach", *at, "--json"]) == ExitCode.DONE
    (taught,) = json.loads(capsys.readouterr().out)["taught"]
    assert (taught["of"], taught["site"], taught["important"]) == (URL, False, False)
    assert run(["teach", "--reset", taught["id"], *at, "--json"]) == ExitCode.DONE
    assert len(json.loads(capsys.readouterr().out)["forgotten"]) == 1
    assert _important(repo, capsys)[0]
    assert run(["teach", *at]) == ExitCode.DONE
    assert "nothing was taught" in capsys.readouterr().err


def test_a_region_of_two_captures_for_the_site(
    repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_repository(repo, readonly=True) as repository:
        ids = [entry.capture for entry in repository.captures()]
    options = ["--unimportant", "--region", "1", "--site", "--repo", str(repo)]
    assert run(["teach", *ids, *options]) == ExitCode.DONE
    assert "site example.org" in capsys.readouterr().out
    assert not _important(repo, capsys)[0]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ([URL], ExitCode.USAGE),
        (["--important"], ExitCode.USAGE),
        (["--region", "1"], ExitCode.USAGE),
        (["--reset", "all", "--important", URL], ExitCode.USAGE),
        (["a", "b", "c", "--important"], ExitCode.USAGE),
        ([URL, "--important", "--region", "7"], ExitCode.NOT_FOUND),
        (["http://example.org/none", "--important"], ExitCode.NOT_FOUND),
        (["--reset", "http://example.org/none"], ExitCode.NOT_FOUND),
    ],
)
def test_what_makes_no_sense(options: list[str], code: ExitCode, repo: Path) -> None:
    assert run(["teach", *options, "--repo", str(repo)]) == code


def test_a_page_with_one_capture(
    tmp_path: Path, shoot_html: Shooter, capsys: pytest.CaptureFixture[str]
) -> None:
    make_if_missing(tmp_path / "r")
    with open_repository(tmp_path / "r") as repository:
        repository.add(shoot_html(news(), url=URL))
    assert run(["teach", URL, "--important", "--repo", str(tmp_path / "r")]) == ExitCode.NOT_FOUND
    assert "no capture before" in capsys.readouterr().err
