"""A program as a Python script: it is readable, runs, and gives the same rows."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from webgeist.cli.run import run
from webgeist.scrape.program.pythonic import python
from webgeist.scrape.program.reading import parse_program
from webgeist.scrape.run import Run

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Site

PROGRAM = """\
program: things
about: Things, and "what" they cost
steps:
  - load: {start}
  - wait: 5s
    for: input
  - select: L
    in: select
  - type: "{{env:THINGS_WORD}}"
    into: input
    enter: true
  - scrape: {{class: h1, none: h6}}
    optional: [none]
  - for-each: thing
    in: {{rows: li, columns: {{name: a, weight: b, link: {{css: a, attribute: href}}}}}}
    steps:
      - stop-when: {{text: "{{thing.name}}", is: Thing 4}}
      - if: {{text: "{{thing.name}}", matches: "[13]$"}}
        steps:
          - output: {{odd: "{{thing.name}}"}}
        else:
          - output: {{even: "{{thing.name}} in {{class}}"}}
      - skip-block: Thing
        key: ["{{thing.name}}", "{{thing.weight}}"]
        fresh: 7d
        retries: 1
        steps:
          - click: "{{thing.name}}"
          - for-each: part
            in: {{rows: "tr"}}
            steps:
              - skip-block: Part
                key: "{{part.text}}"
                within: Thing
                fresh: {{runs: 3}}
                steps:
                  - stop-when: {{not: {{on-page: h2}}}}
                  - output:
                      thing: "{{thing.name}}"
                      part: "{{part.text}}"
                      none: "{{none}}"
                      at: "{{url}}"
                      link: "{{thing.link}}"
"""


@pytest.fixture
def things(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("THINGS_WORD", "sesame")
    top = "<!doctype html><title>t</title>"
    form = "<form action=/in><input name=w><select name=s><option>S<option>L</select></form>"
    items = "".join(f"<li><a href=/d{n}>Thing {n}</a> <b>{n} kg</b></li>" for n in range(6))
    site.add("/in", f"{top}<h1>{{Shelf}}</h1><ul>{items}</ul>")
    for n in range(6):
        heading = "" if n == 2 else "<h2>Parts</h2>"
        rows = "".join(f"<tr><td>part {n} {k}" for k in range(3))
        status = 500 if n == 3 else 200
        site.add(f"/d{n}", f"{top}{heading}<table>{rows}</table>", status=status)
    path = tmp_path / "things.yaml"
    path.write_text(PROGRAM.format(start=site.add("/", f"{top}{form}")))
    return path


def rows(store: Path) -> list[tuple[dict[str, object], str | None, str]]:
    return [(dict(row), row.source, row.block) for row in Run("things", store=store).rows()]


def test_the_script_gives_the_same_rows(
    things: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["scrape", "run", str(things), "--allow-private", "--delay", "0"]) == 3
    capsys.readouterr()
    assert run(["scrape", "show", str(things), "--python"]) == 0
    script = tmp_path / "script.py"
    script.write_text(capsys.readouterr().out)
    settings = {"WEBGEIST_GATE_ALLOW_PRIVATE": "true", "WEBGEIST_CRAWL_DELAY_SECONDS": "0"}
    (tmp_path / "elsewhere").mkdir()
    done = subprocess.run(
        [sys.executable, script],
        cwd=tmp_path / "elsewhere",
        env=os.environ | settings,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 3, done.stderr
    assert "/d3: the server answered 500" in done.stderr
    found = rows(tmp_path / "elsewhere" / "things.db")
    assert found == rows(things.with_suffix(".db"))
    assert len(found) == 4 + 3 + 3
    assert found[0][0] == {"even": "Thing 0 in {Shelf}"}


def test_every_step_is_written() -> None:
    text = """\
program: every step
steps:
  - load: http://127.0.0.1/
  - scroll: end
  - scroll: .foot
  - wait: 2
  - click: {css: button, text: More}
  - for-each: in
    pages: all
    stop-after-duplicates: 3
    steps:
      - skip-block: A
        key: "{in.title}"
        fresh: always
        steps:
          - if: {on-page: {css: a, text: "it's"}}
            steps: [{output: {a: "{in.title} - {url}"}}]
      - skip-block: B
        key: "{in.title}"
        fresh: unless-changed
        steps: [{output: {b: "plain {{text}}"}}]
  - stop-when: {text: "{url}", contains: x}
"""
    script = python(parse_program(text))
    compile(script, "script.py", "exec")
    for line in (
        "await page.scroll()",
        "await page.scroll('.foot')",
        "await page.click({'css': 'button', 'text': 'More'})",
        "async for in_ in page.rows('in', pages=None):",
        "in_s_met = run.stop_after_duplicates(3)",
        "fresh=ALWAYS",
        "fresh=run.unless_changed(await in_.text())",
        "in_.output({'b': 'plain ' + '{' + 'text' + '}'})",
        "raise StopLoop",
    ):
        assert line in script, line
