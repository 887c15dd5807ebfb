"""Lists in idioms that the sample web does not have: every row once, by program and by Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.scrape.program.other_sites import ITEMS, PASSWORD, PORTION, other_sites

import webgeist
from webgeist.cli.run import run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page

LOGIN = """
  - load: {site}/app/login
  - wait: 10s
    for: "[name=mail]"
  - type: mate@example.org
    into: "[name=mail]"
  - type: "{{env:HARBOUR}}"
    into: "[name=word]"
  - click: "button[type=submit]"
  - wait: 10s
    for: ".vessel"
"""
LIST = """
  - for-each: row
    in: {{columns: {{name: .vessel .name, load: .vessel .load}}}}
    pages: all
    steps:
      - skip-block: Vessel
        key: "{{row.name}}"
        steps:
          - output: {{name: "{{row.name}}", load: "{{row.load}}"}}
"""
STARTS = {
    "watched": "\n  - load: {site}/watched",
    "pictures": "\n  - load: {site}/pictures",
    "window": "\n  - load: {site}/window",
    "mixed": "\n  - load: {site}/mixed",
    "covered": "\n  - load: {site}/covered",
    "again": "\n  - load: {site}/again",
    "app": LOGIN.rstrip(),
    "grid": "\n  - load: {site}/grid.aspx",
}
ALONE = {kind: f"\n  - load: {{site}}/{kind}" for kind in ("bars", "framed", "hashed")}
every_kind = pytest.mark.parametrize("kind", STARTS)


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with other_sites() as address:
        yield address


def scraped(folder: Path, kind: str, steps: str, *, code: int = 0) -> list[tuple[object, object]]:
    """What a program puts out, which ends with an exit code."""
    path = folder / f"{kind}.yaml"
    path.write_text(f"program: {kind}\nsteps:{steps}")
    assert run(["scrape", "run", str(path), "--allow-private", "--delay", "0"]) == code
    rows = webgeist.Run(kind, store=folder / f"{kind}.db").rows()
    return [(row["name"], row["load"]) for row in rows]


@pytest.mark.parametrize("kind", [*STARTS, *ALONE])
def test_by_program(tmp_path: Path, site: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARBOUR", PASSWORD)
    steps = ((STARTS | ALONE)[kind] + LIST).format(site=site)
    assert scraped(tmp_path, kind, steps) == ITEMS


def test_a_list_that_breaks_off_is_not_taken_for_a_whole_one(
    tmp_path: Path, site: str, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = ("\n  - load: {site}/broken" + LIST).format(site=site)
    assert scraped(tmp_path, "broken", steps, code=1) == ITEMS[:PORTION]
    assert "the list breaks off" in capsys.readouterr().err


BOXES = """
  - load: {site}/boxes
  - for-each: row
    in: {{columns: {{name: .vessel .name}}}}
    steps:
      - click: "{{row.name}}"
      - scrape: {{load: .box .load}}
      - output: {{name: "{{row.name}}", load: "{{load}}"}}
"""


def test_a_box_in_front_of_the_list_is_closed_for_the_next_row(tmp_path: Path, site: str) -> None:
    assert scraped(tmp_path, "boxes", BOXES.format(site=site)) == ITEMS[:4]


@every_kind
def test_by_python(tmp_path: Path, site: str, tab: Page, kind: str) -> None:
    tab.goto(site + {"app": "/app/login", "grid": "/grid.aspx"}.get(kind, f"/{kind}"))
    if kind == "app":
        tab.fill("[name=mail]", "mate@example.org")
        tab.fill("[name=word]", PASSWORD)
        tab.click("button")
    tab.wait_for_selector(".vessel")
    with webgeist.Run(kind, store=tmp_path / "log.db") as scraping:
        for _ in webgeist.paginate(tab):
            tab.wait_for_selector(".vessel")
            for name in tab.locator(".vessel .name").all_inner_texts():
                for _ in scraping.skip_block("Vessel", name):
                    scraping.output(name=name)
    rows = webgeist.Run(kind, store=tmp_path / "log.db").rows()
    assert [row["name"] for row in rows] == [name for name, _ in ITEMS]
