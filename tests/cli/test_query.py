"""webgeist query: JSON, files and stdin in; tables, JSON, CSV and Arrow out."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from tests.query.world import make_world

from webgeist.cli.run import run

if TYPE_CHECKING:
    from pathlib import Path

TAGS = '{"$from": "@dom", "$top": {"of": "name", "limit": 3}}'


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("asked") / "r"
    make_world(folder, pages=4).close()
    return str(folder)


def test_a_table_for_people(repo: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["query", TAGS, "--repo", repo]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0].split() == ["value", "count", "share"]
    assert len(out.splitlines()) == 4
    assert "3 rows of release 1" in err


def test_one_json_document(repo: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["query", TAGS, "--repo", repo, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["columns"] == ["value", "count", "share"]
    assert told["cut"] is None
    assert len(told["rows"]) == 3


def test_nested_values_and_times_are_json(repo: str, capsys: pytest.CaptureFixture[str]) -> None:
    query = '{"$select": ["time", "tiles", "@dom.attributes"], "$limit": 2}'
    assert run(["query", query, "--repo", repo, "--json"]) == 0
    row = json.loads(capsys.readouterr().out)["rows"][0]
    assert row["time"].startswith("2024-02-29T12:00")
    assert isinstance(row["attributes"], dict)


def test_a_line_per_row_and_csv(repo: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(["query", TAGS, "--repo", repo, "--jsonl"]) == 0
    lines = capfdbinary.readouterr().out.splitlines()
    assert len([json.loads(line) for line in lines]) == 3
    assert run(["query", TAGS, "--repo", repo, "--csv"]) == 0
    assert capfdbinary.readouterr().out.startswith(b"value,count,share\r\n")


def test_arrow(repo: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "tags.arrow"
    assert run(["query", TAGS, "--repo", repo, "--arrow", str(out)]) == 0
    with pa.ipc.open_file(out) as file:
        assert file.read_all().num_rows == 3
    assert [path.name for path in tmp_path.iterdir()] == ["tags.arrow"]
    assert capsys.readouterr().out.strip() == str(out)


def test_files_and_stdin(
    repo: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "tags.json"
    file.write_text(TAGS)
    assert run(["query", str(file), "--repo", repo, "--json"]) == 0
    from_file = json.loads(capsys.readouterr().out)["rows"]
    monkeypatch.setattr(sys, "stdin", io.StringIO(TAGS))
    assert run(["query", "-", "--repo", repo, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == from_file


def test_explain(repo: str, capsys: pytest.CaptureFixture[str]) -> None:
    query = '{"$from": "@dom", "$where": {"tagName": "IMG"}, "$count": 1}'
    assert run(["query", query, "--repo", repo, "--explain"]) == 0
    out = capsys.readouterr().out
    assert "read_parquet" in out
    assert "= 'IMG'" in out
    assert "nodes: name" in out
    assert "reads at most" in out
    assert run(["query", query, "--repo", repo, "--explain", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["tables"] == {"nodes": ["name"]}
    assert told["estimate"]["rows"] > 0


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (['{"$from": "@dmo"}'], 2, "did you mean @dom?"),
        (['{"$from": '], 2, "no JSON"),
        (["nosuch.json"], 5, "neither a query nor a file"),
        ([TAGS, "--json", "--csv"], 2, "one form"),
        ([TAGS, "--release", "9"], 5, "9"),
        ([TAGS, "--fetch", "there"], 2, "fetches nothing"),
    ],
)
def test_mistakes(
    repo: str, arguments: list[str], code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["query", *arguments, "--repo", repo]) == code
    assert words in capsys.readouterr().err


def test_an_answer_that_was_cut_says_so(repo: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["query", '{"$from": "@dom"}', "--repo", repo, "--rows", "2", "--json"]) == 10
    out, err = capsys.readouterr()
    assert json.loads(out)["cut"] == "rows"
    assert "cut" in err


def test_only_the_first_rows_are_shown(repo: str, capsys: pytest.CaptureFixture[str]) -> None:
    query = '{"$from": "@dom", "$select": ["node", "@page.url", "@visual.x"]}'
    assert run(["query", query, "--repo", repo]) == 0
    out, err = capsys.readouterr()
    assert len(out.splitlines()) <= 101
    assert "rows of release" in err


@pytest.mark.parametrize("own", [True, False])
def test_rows_of_scrapers(tmp_path: Path, capsys: pytest.CaptureFixture[str], *, own: bool) -> None:
    """From a run to an answer: rows in the repository's own database, or in another store."""
    import webgeist

    folder = tmp_path / "r"
    make_world(folder, pages=4).close()
    store = folder / "state.db" if own else tmp_path / "books.db"
    with webgeist.Run("books", store=store) as scraping:
        for number in (1, 2):
            scraping.output(title=f"Book {number}", source=f"http://host{number % 2}.test/{number}")
    query = {
        "$from": "@output",
        "$where": {"@page": {"host": "host1.test"}},
        "$select": ["title", "_program", "@page.url"],
    }
    more = [] if own else ["--output", str(store)]
    assert run(["query", json.dumps(query), "--repo", str(folder), "--json", *more]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == [
        {"title": "Book 1", "_program": "books", "url": "http://host1.test/1"}
    ]
    plain = ["query", '{"$from": "@output"}', "--repo", str(folder), "--json", *more]
    assert run(plain) == 0  # without $select, a row is shown with what it says
    assert [row["title"] for row in json.loads(capsys.readouterr().out)["rows"]] == [
        "Book 1",
        "Book 2",
    ]


def test_without_scrapers_there_is_no_output(repo: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["query", '{"$from": "@output"}', "--repo", repo]) == 2
    assert "there is no scope @output" in capsys.readouterr().err


def test_a_store_that_is_none(repo: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["query", '{"$from": "@output"}', "--repo", repo, "--output", "no.db"]) == 5
    assert "no.db" in capsys.readouterr().err
