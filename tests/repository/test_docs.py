"""docs/repository.md: its tables are those of the code, and its examples run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.repository.archive.exchanges import close_bodies, make_exchange
from tests.repository.making import make_capture, new_repository

from webgeist.repository.manifest import Manifest
from webgeist.repository.packed import PACKED_PAGES
from webgeist.repository.schema import CAPTURES, KINDS, RESOURCES
from webgeist.repository.state_tables import METADATA
from webgeist.repository.typed import TYPED

TEXT = (Path(__file__).parents[2] / "docs" / "repository.md").read_text("utf-8")


def _rows(heading: str) -> list[list[str]]:
    section = re.split(rf"^##+ {heading}$", TEXT, flags=re.MULTILINE)[1]
    section = re.split(r"^##+ ", section, flags=re.MULTILINE)[0]
    return [line.split("|")[1:-1] for line in section.splitlines() if line.startswith("| `")]


def _names(heading: str) -> set[str]:
    return {name for row in _rows(heading) for name in re.findall(r"`([^`]+)`", row[0])}


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("captures", set(CAPTURES.names)),
        ("styles_inherited and styles_own", set(TYPED)),
        ("resources", set(RESOURCES.names)),
        ("packed_pages", set(PACKED_PAGES.names)),
        ("The manifest", set(Manifest.__dataclass_fields__)),
        ("state.db", set(METADATA.tables)),
    ],
)
def test_every_name_is_told_and_no_other(heading: str, names: set[str]) -> None:
    assert _names(heading) == names


def test_every_table_and_its_version() -> None:
    told = {row[0].strip(" `"): int(row[1]) for row in _rows("Tables")}
    assert told == {name: kind.version for name, kind in KINDS.items()}


EXAMPLES = re.findall(r"^```python\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)


def test_examples_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One after the other, as a reader would: the last goes on where the first ended."""
    with new_repository(tmp_path / "my-pages") as repository:
        for number in (1, 2, 3):
            repository.add(make_capture(number), [make_exchange("http://h.test/style.css")])
            repository.publish()
    close_bodies()
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    said = []
    for code in EXAMPLES:
        exec(compile(code, "docs/repository.md", "exec"), names)
        said.append(capsys.readouterr().out)
    duckdb, ours, graph = said
    assert "http://example.org/page" in duckdb
    assert "text 3" in duckdb
    assert "5\n5\n5\n" in ours
    size = make_exchange().body.size
    close_bodies()
    assert graph == (f"http://h.test/style.css {size} bytes, used by ['http://example.org/page']\n")


def test_duckdb_sees_what_webgeist_sees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with new_repository(tmp_path / "my-pages", *range(20)) as repository:
        repository.publish()
        expected = repository.release().table("nodes").num_rows
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(compile(EXAMPLES[0].partition("headings =")[0], "docs/repository.md", "exec"), names)
    database = names["database"]
    answers = database.sql("SELECT count(*), max(width_px) FROM styles_own")  # type: ignore[attr-defined]
    assert answers.fetchall() == [(40, 20.0)]
    counted = database.sql("SELECT count(*), count(DISTINCT capture) FROM nodes")  # type: ignore[attr-defined]
    assert counted.fetchall() == [(expected, 20)]
