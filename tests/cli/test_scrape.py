"""webgeist scrape."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from webgeist import Run
from webgeist.cli.exits import ExitCode
from webgeist.cli.run import run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "log.db"
    for _ in range(2):
        with Run("papers", store=path) as running:
            for number in range(3):
                for _ in running.skip_block("Paper", "Same title", running.number, number):
                    running.output(title="Same title", year=number, pages=number * 7)
    return path


def test_keys(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["scrape", "keys", str(store)]) == ExitCode.DONE
    said = capsys.readouterr().out
    assert "block Paper: 6 keys in 6 records" in said
    assert "is there a counter or date in it?" in said
    assert "rows of Paper: year tell 100% of them apart, 100% met again" in said


def test_a_key_is_tried(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["scrape", "keys", str(store), "papers", "--key", "title"]) == ExitCode.DONE
    said = capsys.readouterr().out
    assert "key title: 1 pairs of rows" in said
    assert "['Same title']: year, pages" in said
    assert run(["scrape", "keys", str(store), "--key", "titel"]) == ExitCode.NOT_FOUND


def test_keys_as_json(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["scrape", "keys", str(store), "--key", "year", "--json"]) == ExitCode.DONE
    found = json.loads(capsys.readouterr().out)
    assert found["blocks"][0]["never_repeats"] is True
    assert found["suggestions"]["Paper"][0]["columns"] == ["year"]
    assert found["pairs"] == []


def test_export(store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["scrape", "export", str(store), "--to", str(tmp_path / "out"), "--format", "jsonl"]
    assert run(command) == ExitCode.DONE
    said = capsys.readouterr()
    assert said.out == f"{tmp_path / 'out' / 'papers.jsonl'}\n"
    assert "6 rows" in said.err
    assert run(command) == ExitCode.USAGE
    capsys.readouterr()
    assert run([*command, "--overwrite", "--json"]) == ExitCode.DONE
    assert json.loads(capsys.readouterr().out)["rows"] == 6


def test_which_program(store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Run("other", store=store):
        pass
    assert run(["scrape", "keys", str(store)]) == ExitCode.USAGE
    assert "papers, other" in capsys.readouterr().err
    assert run(["scrape", "keys", str(store), "paper"]) == ExitCode.NOT_FOUND
    assert run(["scrape", "keys", str(tmp_path / "no.db")]) == ExitCode.NOT_FOUND
