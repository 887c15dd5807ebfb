"""Lists in idioms that the sample web does not have: every row once, by program and by Python."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import sync_playwright
from tests.scrape.program.other_sites import ITEMS, PASSWORD, other_sites

import webgeist
from webgeist.capture.find import find_browser
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
    "app": LOGIN.rstrip(),
    "grid": "\n  - load: {site}/grid.aspx",
}
every_kind = pytest.mark.parametrize("kind", STARTS)


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with other_sites() as address:
        yield address


@every_kind
def test_by_program(tmp_path: Path, site: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARBOUR", PASSWORD)
    path = tmp_path / f"{kind}.yaml"
    path.write_text(f"program: {kind}\nsteps:" + (STARTS[kind] + LIST).format(site=site))
    assert run(["scrape", "run", str(path), "--allow-private", "--delay", "0"]) == 0
    rows = webgeist.Run(kind, store=tmp_path / f"{kind}.db").rows()
    assert [(row["name"], row["load"]) for row in rows] == ITEMS


@pytest.fixture(scope="module")
def tab() -> Iterator[Page]:
    with sync_playwright() as playwright:
        executable = str(find_browser(environ=os.environ).path)
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(30_000)
        yield page
        browser.close()


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
