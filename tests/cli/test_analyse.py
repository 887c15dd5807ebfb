"""webgeist analyse and webgeist descriptor, as typed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.conftest import Shooter

from webgeist.cli import run as cli
from webgeist.repository.init import init_repository
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Studio


@pytest.fixture
def repo(picture_studio: Studio, tmp_path: Path) -> str:
    init_repository(tmp_path / "r")
    shooter = Shooter(picture_studio, tmp_path)
    with open_repository(tmp_path / "r") as repository:
        repository.add(shooter("<h1>Title</h1><p>Some words", url="http://h.test/a"))
    return str(tmp_path / "r")


def run(*arguments: str) -> int:
    return cli.run(list(arguments))


def test_analyse_says_what_it_did(repo: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("analyse", "--repo", repo, "--json") == 0
    facts = json.loads(capsys.readouterr().out)
    single = ("blocks", "descriptors", "features", "metrics", "pages", "pagination", "block_types")
    names = (*single, "menus", "menu_items", "sites", "changes")
    assert facts["results"] == len(names)
    assert facts["analyses"] == {name: {"ok": 1} for name in names}
    assert run("analyse", "--repo", repo) == 0
    assert "0 results" in capsys.readouterr().err
    assert run("analyse", "--repo", repo, "--recompute", "blocks") == 0
    assert capsys.readouterr().out.split() == ["blocks", "ok", "1"]


def test_an_unknown_analysis_is_told(repo: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("analyse", "--repo", repo, "--only", "colours") == 5
    assert "there are blocks, features" in capsys.readouterr().err


def test_what_fails_is_told_by_the_exit_code(repo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBGEIST_LIMITS_ANALYSIS_SECONDS", "0.000001")
    monkeypatch.setattr("webgeist.engines.crew._START_SECONDS", 0.0)
    assert run("analyse", "--repo", repo, "--only", "blocks") == 3


def test_descriptors_are_explained(repo: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("descriptor", "explain", "0", "--repo", repo) == 5
    assert run("analyse", "--repo", repo) == 0
    capsys.readouterr()
    assert run("descriptor", "explain", "0", "691", "--repo", repo) == 0
    said = capsys.readouterr().out
    assert "font-size" in said
    assert "GIST of R" in said
    assert run("descriptor", "explain", "--repo", repo, "--json") == 0
    assert len(json.loads(capsys.readouterr().out)["places"]) == 1679
    assert run("descriptor", "explain", "1679", "--repo", repo) == 2


def test_blocks_are_shown_and_drawn(
    repo: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn, crop = tmp_path / "blocks.png", tmp_path / "crop.png"
    target = "http://h.test/a:b2"
    assert run("show", target, "--repo", repo, "--png", str(crop), "--json") == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["name"], facts["text"], facts["kind"]) == ("h1", "Title", "text")
    assert facts["words"] == 1
    assert run("show", "http://h.test/a", "--repo", repo, "--blocks", str(drawn)) == 0
    assert crop.stat().st_size < drawn.stat().st_size
    assert run("show", "http://h.test/a:b99", "--repo", repo) == 5
