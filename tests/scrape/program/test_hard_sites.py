"""Sites that are hard for scrapers, in a real browser: every row once, also after a kill."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

import webgeist
from webgeist.cli.run import run
from webgeist.samples.office.records import COUNTS, record
from webgeist.samples.server import serve
from webgeist.scrape.run import Run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

    from webgeist.samples.server import SampleServer

SIGN_IN = """
  - load: {office}/sign-in
  - type: clerk
    into: "[name=user]"
  - type: "{{env:OFFICE_PASSWORD}}"
    into: "[name=password]"
    enter: true"""
CASES = (
    SIGN_IN
    + """
  - for-each: row
    in: {{columns: {{title: tr.case td a, keeper: tr.case td + td}}}}
    pages: all
    steps:
      - skip-block: Case
        key: "{{row.title}}"
        steps:
          - click: "{{row.title}}"
          - scrape: {{mark: .mark}}
          - output: {{title: "{{row.title}}", keeper: "{{row.keeper}}", mark: "{{mark}}"}}
"""
)
REGISTER = """
  - load: {office}/register.aspx
  - click: "#ctl00_Search"
  - for-each: row
    in: {{columns: {{title: tr.entry td a, place: tr.entry td + td}}}}
    pages: all
    steps:
      - skip-block: File
        key: "{{row.title}}"
        steps:
          - click: "{{row.title}}"
          - scrape: {{mark: .mark, keeper: "#keeper"}}
          - output: {{title: "{{row.title}}", keeper: "{{keeper}}", mark: "{{mark}}"}}
"""
DRAWN = """
  - load: {office}/%s
  - for-each: row
    in: {{columns: {{title: article h2, keeper: .keeper, mark: .mark}}}}
    pages: all
    steps:
      - skip-block: Thing
        key: "{{row.title}}"
        steps:
          - output: {{title: "{{row.title}}", keeper: "{{row.keeper}}", mark: "{{row.mark}}"}}
"""
PROGRAMS = {
    "case": CASES,
    "entry": REGISTER,
    "arrival": DRAWN % "arrivals",
    "late": DRAWN % "late",
    "notice": DRAWN % "notices",
}
every_kind = pytest.mark.parametrize("kind", PROGRAMS)


@pytest.fixture(scope="module")
def server() -> Iterator[SampleServer]:
    with serve() as made:
        yield made


class Office:
    """A folder with a program for one of the lists."""

    def __init__(self, folder: Path, server: SampleServer, kind: str) -> None:
        self.path, self.store = folder / f"{kind}.yaml", folder / f"{kind}.db"
        office = server.url("office", "")
        self.path.write_text(f"program: {kind}\nsteps:{PROGRAMS[kind].format(office=office)}")
        self.kind = kind
        self.command = ["scrape", "run", str(self.path), "--allow-private", "--delay", "0"]

    def rows(self) -> list[tuple[object, ...]]:
        found = Run(self.kind, store=self.store).rows()
        return [(row["title"], row["keeper"], row["mark"]) for row in found]


def everything(kind: str) -> list[tuple[object, ...]]:
    numbers = range(1, COUNTS[kind] + 1)
    found = (record(kind, number) for number in numbers)
    return [(each.title, each.keeper, each.mark) for each in found]


@pytest.fixture(autouse=True)
def password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OFFICE_PASSWORD", "inkwell")


@every_kind
def test_every_row_once_and_in_order(tmp_path: Path, server: SampleServer, kind: str) -> None:
    office = Office(tmp_path, server, kind)
    assert run(office.command) == 0
    assert office.rows() == everything(kind)


def _rows_in(store: Path) -> int:
    try:
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=1) as opened:
            return int(opened.execute("SELECT count(*) FROM scrape_rows").fetchone()[0])
    except sqlite3.OperationalError:  # not made yet
        return 0


def kill_midway(office: Office) -> int:
    """Start the program, and kill it with its browser when a third of the rows is there."""
    program = Path(sys.executable).parent / "webgeist"
    with subprocess.Popen([program, *office.command], stderr=subprocess.DEVNULL) as process:
        while _rows_in(office.store) < COUNTS[office.kind] // 3 and process.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.02)
        browsers = psutil.Process(process.pid).children(recursive=True)
        process.kill()
        for each in browsers:
            with suppress(psutil.NoSuchProcess):  # it went with its parent
                each.kill()
    return _rows_in(office.store)


@pytest.mark.parametrize("kind", ["case", "entry", "arrival"])
def test_killed_and_started_again(tmp_path: Path, server: SampleServer, kind: str) -> None:
    office = Office(tmp_path, server, kind)
    assert 0 < kill_midway(office) < COUNTS[kind]
    assert run(office.command) == 0
    assert office.rows() == everything(kind)


def control(server: SampleServer, life: int) -> None:
    url = server.url("office", "/control").replace("office.localhost", "127.0.0.1")
    asked = urllib.request.Request(url, f"life={life}".encode(), {"Host": "office.localhost"})
    urllib.request.urlopen(asked, timeout=30).close()


def test_a_session_that_ends_costs_no_row_and_adds_no_wrong_one(
    tmp_path: Path, server: SampleServer, capsys: pytest.CaptureFixture[str]
) -> None:
    office = Office(tmp_path, server, "case")
    try:
        control(server, 14)
        assert run(office.command) == 5
        assert "mark (css '.mark') is not on the page" in capsys.readouterr().err
        some = office.rows()
        assert some == everything("case")[: len(some)]
        assert len(some) > 5
    finally:
        control(server, 0)
    assert run(office.command) == 0
    assert office.rows() == everything("case")


STARTS = {
    "case": ("/sign-in", "tr.case", "a"),
    "entry": ("/register.aspx", "tr.entry", "a"),
    "arrival": ("/arrivals", "article", "h2"),
    "late": ("/late", "article", "h2"),
    "notice": ("/notices", "article", "h2"),
}


@every_kind
def test_the_library_with_a_playwright_page(
    tmp_path: Path, server: SampleServer, tab: Page, kind: str
) -> None:
    """`webgeist.paginate` and skip blocks, without a program."""
    path, rows, title = STARTS[kind]
    tab.goto(server.url("office", path))
    if kind == "case":
        tab.fill("[name=user]", "clerk")
        tab.fill("[name=password]", "inkwell")
        tab.click("button")
    if kind == "entry":
        tab.click("#ctl00_Search")
    with webgeist.Run(kind, store=tmp_path / "log.db") as scraping:
        for _ in webgeist.paginate(tab):
            for name in tab.locator(f"{rows} {title}").all_inner_texts():
                for _ in scraping.skip_block("Thing", name):
                    scraping.output(title=name)
    found = [row["title"] for row in webgeist.Run(kind, store=tmp_path / "log.db").rows()]
    assert found == [each[0] for each in everything(kind)]
