"""`webgeist scrape test`: the pages of a run are kept, and give the same rows without the web."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest

from webgeist.cli.exits import ExitCode
from webgeist.cli.run import run
from webgeist.samples.server import serve
from webgeist.scrape.program import fixtures
from webgeist.scrape.run import Run

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Site

PROGRAM = """\
program: things
steps:
  - load: {start}
  - type: "{{env:THINGS_SECRET}}"
    into: input
    enter: true
  - for-each: thing
    in: {{rows: li, columns: {{name: a}}}}
    steps:
      - skip-block: Thing
        key: "{{thing.name}}"
        steps:
          - click: "{{thing.name}}"
          - scrape: {{title: h1}}
          - output: {{name: "{{thing.name}}", title: "{{title}}"}}
"""
SECRET = "open sesame & more"


@pytest.fixture
def program(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A list behind a form, with a page for each row; it was run once, and its site is gone."""
    monkeypatch.setenv("THINGS_SECRET", SECRET)
    form = "<form action=/in><input name=word></form>"
    path = tmp_path / "things.yaml"
    path.write_text(PROGRAM.format(start=site.add("/", f"<!doctype html><title>t</title>{form}")))
    items = "".join(f"<li><a href=/d{n}>Thing {n}</a></li>" for n in range(4))
    site.add("/in", f"<!doctype html><title>t</title><ul>{items}</ul>")
    for n in range(4):
        site.add(f"/d{n}", f"<!doctype html><title>t</title><h1>Detail {n}</h1><h2>Other {n}</h2>")
    assert run(["scrape", "run", str(path), "--allow-private", "--delay", "0"]) == 0
    site.replies.clear()
    site.log.clear()
    monkeypatch.delenv("THINGS_SECRET")
    return path


def test_the_same_program_gives_the_same_rows(
    program: Path, site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [dict(row) for row in Run("things", store=program.with_suffix(".db")).rows()]
    assert len(rows) == 4
    assert run(["scrape", "test", str(program), "--json"]) == ExitCode.DONE
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert (found["passed"], found["same"], found["not_kept"]) == (True, 4, [])
    assert "4 rows the same, 0 lost, 0 added" in said.err
    assert site.log == []
    assert [dict(row) for row in Run("things", store=program.with_suffix(".db")).rows()] == rows


def test_a_changed_program_shows_what_that_does(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program.write_text(program.read_text().replace("title: h1", "title: h2"))
    assert run(["scrape", "test", str(program)]) == ExitCode.CHANGED
    said = capsys.readouterr()
    assert "0 rows the same, 4 lost, 4 added; the program was changed since" in said.err
    lines = said.out.splitlines()
    assert sum(line.startswith("- ") and "Detail" in line for line in lines) == 4
    assert sum(line.startswith("+ ") and "Other" in line for line in lines) == 4


def test_a_page_that_was_not_kept_is_named(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    index = program.with_suffix(".fixtures") / "run-1" / "index.jsonl"
    lines = [line for line in index.read_text().splitlines() if "/d2" not in line]
    index.write_text("\n".join(lines) + "\n")
    assert run(["scrape", "test", str(program)]) == ExitCode.CHANGED
    said = capsys.readouterr().err
    assert "3 rows the same, 1 lost" in said
    assert "not among the pages that were kept: GET http" in said


def test_no_secret_is_kept(program: Path) -> None:

    folder = program.with_suffix(".fixtures") / "run-1"
    for path in folder.iterdir():
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        for form in (SECRET, "open+sesame", "open%20sesame"):
            assert form.encode() not in data, path
    assert folder.stat().st_mode & 0o077 == 0


def test_what_was_asked_is_known_without_its_secrets() -> None:
    one = fixtures.hashed(b"word=open+sesame+%26+more&a=1", [SECRET])
    assert one == fixtures.hashed(b"word=%2A%2A%2A&a=1", ["***"])
    assert one != fixtures.hashed(b"word=%2A%2A%2A&a=2", ["***"])


def test_few_runs_are_kept(tmp_path: Path) -> None:
    for number in (1, 2, 9, 10, 11):
        fixtures.Keeping(tmp_path, fixtures.About("p", number, 0.0), "").close()
    assert fixtures.kept_runs(tmp_path) == [9, 10, 11]


def test_without_pages_it_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.yaml"
    path.write_text("program: p\nsteps:\n  - load: http://127.0.0.1/\n")
    assert run(["scrape", "test", str(path)]) == ExitCode.NOT_FOUND
    assert "has no pages of a run" in capsys.readouterr().err
    assert run(["scrape", "test", str(path), "--run", "3"]) == ExitCode.NOT_FOUND


def test_a_list_of_postbacks(tmp_path: Path) -> None:
    """Every page has the same address; which one is meant is told by what was sent."""
    path = tmp_path / "register.yaml"
    with serve() as server:
        path.write_text(f"""\
program: register
steps:
  - load: {server.url("office", "/register.aspx")}
  - click: "#ctl00_Search"
  - for-each: row
    in: {{columns: {{title: tr.entry td a, place: tr.entry td + td}}}}
    pages: 2
    steps:
      - skip-block: File
        key: "{{row.title}}"
        steps:
          - click: "{{row.title}}"
          - scrape: {{mark: .mark}}
          - output: {{title: "{{row.title}}", mark: "{{mark}}"}}
""")
        command = ["scrape", "run", str(path), "--allow-private", "--delay", "0", "--workers", "3"]
        assert run(command) == 0
    assert len(list(Run("register", store=tmp_path / "register.db").rows())) == 8
    assert run(["scrape", "test", str(path)]) == ExitCode.DONE


def test_pages_over_https_are_shown(program: Path, site: Site) -> None:
    """Chromium, as programs start it, trusts the recorder's certificates."""
    here, there = site.url(""), "https://things.example"
    index = program.with_suffix(".fixtures") / "run-1" / "index.jsonl"
    index.write_text(index.read_text().replace(here, there))
    program.write_text(program.read_text().replace(here, there))
    assert run(["scrape", "test", str(program)]) == ExitCode.DONE
