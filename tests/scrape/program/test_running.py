"""Programs in a real browser, on the sample web."""

from __future__ import annotations

import json
from textwrap import indent
from typing import TYPE_CHECKING

import pytest

from webgeist.cli.run import run
from webgeist.samples.server import serve
from webgeist.scrape.run import Run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Site

    from webgeist.samples.server import SampleServer


@pytest.fixture(scope="module")
def server() -> Iterator[SampleServer]:
    with serve() as made:
        yield made


class Desk:
    """A folder with a program, run by the command line."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.path = folder / "p.yaml"
        self._capsys = capsys
        self.store = folder / "p.db"

    def run(self, steps: str) -> tuple[int, dict[str, object], str]:
        self.path.write_text(f"program: p\nsteps:\n{indent(steps, '  ')}")
        code = run(["scrape", "run", str(self.path), "--allow-private", "--delay", "0", "--json"])
        said = self._capsys.readouterr()
        return code, json.loads(said.out or "{}"), said.err

    def rows(self) -> list[dict[str, object]]:
        return [dict(row) for row in Run("p", store=self.store).rows()]


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    return Desk(tmp_path, capsys)


def test_a_list_over_pages_with_details_is_done_once(desk: Desk, server: SampleServer) -> None:
    steps = f"""\
- load: {server.url("directory", "/organisations?region=Coast")}
- for-each: row
  in:
    columns:
      link: h2 a
      measure: .meta span:last-child
  pages: 2
  steps:
    - skip-block: Organisation
      key: "{{row.link}}"
      steps:
        - output: {{name: "{{row.link}}", members: "{{row.measure}}", from: "{{url}}"}}
"""
    code, facts, said = desk.run(steps)
    assert code == 0, said
    assert facts["skipped"] == 0
    rows = desk.rows()
    assert len({row["name"] for row in rows}) == len(rows) == facts["rows"]
    assert len(rows) > 20
    assert all(str(row["members"]).endswith("members") for row in rows)
    assert {str(row["from"]).partition("page=")[2] for row in rows} == {"", "2"}
    code, facts, _ = desk.run(steps)
    assert (code, facts["rows"], facts["skipped"]) == (0, 0, len(rows))
    assert desk.rows() == rows


def page(body: str) -> str:
    return f"<!doctype html><title>t</title>{body}"


def test_a_block_whose_site_fails_is_told_and_done_next_time(desk: Desk, site: Site) -> None:
    items = "".join(f"<li><a href=/d{n}>Thing {n}</a> <b>{n} kg</b></li>" for n in range(4))
    start = site.add("/", page(f"<h1>Things</h1><ul>{items}</ul>"))
    for n in range(4):
        site.add(f"/d{n}", page(f"<h1>Detail {n}</h1>"), status=500 if n == 2 else 200)
    steps = f"""\
- load: {start}
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
    code, facts, said = desk.run(steps)
    assert code == 3
    assert [row["title"] for row in desk.rows()] == ["Detail 0", "Detail 1", "Detail 3"]
    assert "/d2: the server answered 500" in said
    site.add("/d2", page("<h1>Detail 2</h1>"))
    code, facts, _ = desk.run(steps)
    assert (code, facts["skipped"], facts["failures"]) == (0, 3, [])
    assert [row["title"] for row in desk.rows()][-1] == "Detail 2"


def test_forms_conditions_and_what_comes_late(
    desk: Desk, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = "<form action=/in><input name=word><select name=size><option>S<option>L</select></form>"
    late = (
        "<script>setTimeout(() => document.body.append('late ', document.createElement('hr')), 600)"
    )
    start = site.add("/", page(f"{form}{late}</script>"))
    site.add("/in", page("<h1>Inside</h1><p class=note>a note</p>"))
    monkeypatch.setenv("SECRET_WORD", "opensesame")
    steps = f"""\
- load: {start}
- wait: 20s
  for: hr
- select: L
  in: select
- type: "{{env:SECRET_WORD}}"
  into: input
  enter: true
- scrape: {{title: h1, none: h6}}
  optional: [none]
- if: {{on-page: .note}}
  steps:
    - scrape: {{note: .note}}
- stop-when: {{text: "{{title}}", matches: "^Out"}}
- output: {{title: "{{title}}", note: "{{note}}", none: "{{none}}", at: "{{url}}"}}
- stop-when: {{not: {{text: "{{title}}", contains: "Out"}}}}
- output: {{never: reached}}
"""
    code, _, said = desk.run(steps)
    assert code == 0
    (row,) = desk.rows()
    assert row == {"title": "Inside", "note": "a note", "none": None, "at": row["at"]}
    assert str(row["at"]).endswith("/in?word=opensesame&size=L")
    assert "opensesame" not in said


def test_what_is_not_found_ends_the_run_and_says_where(desk: Desk, site: Site) -> None:
    start = site.add("/", page("<h1>Here</h1>"))
    code, _, said = desk.run(f"- load: {start}\n- wait: 0.1\n  for: h5\n- output: {{a: b}}\n")
    assert code == 5
    assert "line 4" in said
    assert "css 'h5' is not on the page" in said
    assert desk.rows() == []


def test_robots_are_obeyed(desk: Desk, site: Site) -> None:
    site.add("/robots.txt", "User-agent: *\nDisallow: /no")
    site.add("/no", page("x"))
    code, _, said = desk.run(f"- load: {site.url('/no')}\n")
    assert code == 1
    assert "no page outside of any block: robots.txt forbids" in said
    assert "unexpected" not in said
    assert "/no" not in site.log


def test_nothing_private_is_reached_unless_allowed(
    desk: Desk, site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.path.write_text(f"program: p\nsteps:\n  - load: {site.add('/', page('x'))}\n")
    assert run(["scrape", "run", str(desk.path), "--delay", "0"]) == 1
    assert "no page outside of any block" in capsys.readouterr().err
    assert site.log == []


def test_the_outline_is_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.yaml"
    path.write_text("program: p\nsteps:\n  - load: http://127.0.0.1/\n")
    assert run(["scrape", "show", str(path)]) == 0
    assert capsys.readouterr().out == "p\n  load http://127.0.0.1/\n"
    path.write_text("program: p\nsteps:\n  - laod: x\n")
    assert run(["scrape", "show", str(path)]) == 2
    assert "line 3" in capsys.readouterr().err


def test_several_workers_do_each_block_once(
    desk: Desk, site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also one that the list has twice, and after one that failed."""
    numbers = [*range(6), 3, 0]
    items = "".join(f"<li><a href=/d{n}>Thing {n}</a></li>" for n in numbers)
    start = site.add("/", page(f"<ul>{items}</ul>"))
    for n in range(6):
        site.add(f"/d{n}", page(f"<h1>Detail {n}</h1>"), status=500 if n == 5 else 200)
    desk.path.write_text(f"""\
program: p
steps:
  - load: {start}
  - for-each: thing
    in: {{rows: li, columns: {{name: a}}}}
    steps:
      - skip-block: Thing
        key: "{{thing.name}}"
        steps:
          - click: "{{thing.name}}"
          - scrape: {{title: h1}}
          - output: {{name: "{{thing.name}}", title: "{{title}}"}}
""")
    command = ["scrape", "run", str(desk.path), "--allow-private", "--delay", "0", "--workers", "4"]
    assert run(command) == 3
    site.add("/d5", page("<h1>Detail 5</h1>"))
    assert run(command) == 0
    found = sorted((str(row["name"]), str(row["title"])) for row in desk.rows())
    assert found == [(f"Thing {n}", f"Detail {n}") for n in range(6)]
    assert site.log.count("/d3") == 1


def test_a_program_with_addresses_meets_a_redesign(
    desk: Desk, site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    old = "<header><a href=/>Shop</a></header><main><h1>Pan</h1><b class=cost itemprop=price>$12.00</b></main>"
    new = "<div><p>A pot.</p><h1>Pot</h1><em class=sum itemprop=price>$15.50</em><a href=/>Shop</a></div>"
    other = "<h1>Sign in</h1><p>$1.00 a month</p><form><input></form>"
    start = site.add("/", page(old))
    command = ["scrape", "address", start, ".cost", "--allow-private", "--json"]
    assert run(command) == 0
    address = json.loads(capsys.readouterr().out)
    assert (address["itemprop"], address["shape"]) == ("price", "price")
    kept = {kind: address[kind] for kind in ("role", "class", "itemprop", "shape")}
    steps = f"- load: {start}\n- scrape: {{price: {json.dumps(kept)}}}\n- output: {{price: '{{price}}'}}\n"
    assert desk.run(steps)[0] == 0
    site.add("/", page(new))
    assert desk.run(steps)[0] == 0
    site.add("/", page(other))
    code, _, said = desk.run(steps)
    assert code == 5
    assert "line 4" in said
    assert "fits" in said
    assert [row["price"] for row in desk.rows()] == ["$12.00", "$15.50"]


def test_a_list_without_a_row_ends_the_run_unless_it_may_be_empty(desk: Desk, site: Site) -> None:
    start = site.add("/", page("<h1>Here</h1>"))
    loop = "- for-each: row\n  in: {rows: li}\n  steps: [{output: {a: '{row.text}'}}]\n"
    code, _, said = desk.run(f"- load: {start}\n{loop}")
    assert code == 5
    assert "line 4" in said
    assert "the list has no row" in said
    assert desk.run(f"- load: {start}\n{loop}  optional: true\n")[0] == 0


def test_a_list_that_changes_its_layout_ends_the_run(desk: Desk, site: Site) -> None:
    def items(first: int, mark: str) -> str:
        return "".join(f"<li><a>Thing {n}</a> <{mark}>{n} kg</{mark}></li>" for n in range(first, first + 4))  # fmt: skip

    start = site.add("/", page(f"<ul>{items(0, 'b')}</ul><a rel=next href=/2>Next page</a>"))
    site.add("/2", page(f"<ul>{items(4, 'i')}</ul>"))
    steps = f"""\
- load: {start}
- for-each: row
  in: {{rows: li, columns: {{name: a, weight: b}}}}
  pages: all
  steps: [{{output: {{name: "{{row.name}}", weight: "{{row.weight}}"}}}}]
"""
    code, _, said = desk.run(steps)
    assert code == 5
    assert "every row had weight before, and none of the 4 on this page has" in said
    assert [row["weight"] for row in desk.rows()] == [f"{n} kg" for n in range(4)]


def test_rows_that_take_the_list_elsewhere(desk: Desk, site: Site) -> None:
    """Lines that a script listens to: the program goes back to the list for the next one."""
    items = "".join(
        f"<tr onclick=\"location.href='/d{n}'\"><td class=n>Thing {n}<td>{n} kg" for n in range(4)
    )
    start = site.add("/", page(f"<table>{items}</table>"))
    for n in range(4):
        site.add(f"/d{n}", page(f"<h1>Detail {n}</h1>"))
    code, _, said = desk.run(f"""\
- load: {start}
- for-each: row
  in: {{rows: tr, columns: {{name: .n}}}}
  steps:
    - skip-block: Thing
      key: "{{row.name}}"
      steps:
        - click: "{{row.name}}"
        - scrape: {{title: h1}}
        - output: {{name: "{{row.name}}", title: "{{title}}"}}
""")
    assert code == 0, said
    found = [(row["name"], row["title"]) for row in desk.rows()]
    assert found == [(f"Thing {n}", f"Detail {n}") for n in range(4)]


def test_a_list_that_scrolls_in_a_part_of_the_page(desk: Desk, site: Site) -> None:
    start = site.add(
        "/",
        page("""<h1>All</h1><div id=box style="height:200px;overflow-y:auto"></div><script>
let n = 0; const box = document.getElementById("box");
const more = () => { for (let k = 0; k < 8 && n < 20; k++)
    box.insertAdjacentHTML("beforeend", `<p class=row style="height:60px">Thing ${n++}</p>`); };
box.onscroll = () => box.scrollTop + box.clientHeight > box.scrollHeight - 50 && setTimeout(more, 200);
more();</script>"""),
    )
    code, _, said = desk.run(f"""\
- load: {start}
- for-each: row
  in: {{rows: p.row}}
  pages: all
  steps: [{{output: {{name: "{{row.text}}"}}}}]
""")
    assert code == 0, said
    assert [row["name"] for row in desk.rows()] == [f"Thing {n}" for n in range(20)]
