"""docs/archive.md: its example runs, and what it lists is what is written."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from tests.repository.archive.exchanges import Shelf, close_bodies, every_kind, make_exchange

from webgeist.repository.archive import Notes, scan

if TYPE_CHECKING:
    import pytest

PAGE = (Path(__file__).parents[3] / "docs" / "archive.md").read_text("utf-8")


def test_the_example_reads_every_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    shelf = Shelf(tmp_path / "my-repository" / "archive")
    kinds = {name: each for name, each in every_kind().items() if name != "socket"}
    copy = make_exchange("http://later.test/copy")
    shelf.keep(*kinds.values())
    shelf.keep(copy)
    expected = sorted(
        f"{each.url} {each.status} {each.body.size}"
        for each in (*kinds.values(), copy)
        if each.status
    )
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "docs/archive.md", "exec"), {})
    assert sorted(capsys.readouterr().out.splitlines()) == expected
    close_bodies()


def test_every_field_of_the_notes_is_told() -> None:
    told = re.findall(r"^\| `(\w+)` \|", PAGE.partition("### Metadata")[2], re.MULTILINE)
    assert set(told) == set(Notes.__dataclass_fields__)


def test_every_field_of_the_records_is_told_or_standard(shelf: Shelf) -> None:
    """A stranger finds a word about every field whose meaning WARC leaves to us."""
    shelf.keep(*every_kind().values())
    written = {
        name
        for path in shelf.warcs
        for record in scan(path, path.stat().st_size)
        for name, _ in record.head.fields
    }
    standard = {
        "WARC-Type",
        "WARC-Record-ID",
        "WARC-Target-URI",
        "WARC-Warcinfo-ID",
        "WARC-Filename",
        "WARC-Profile",
        "Content-Type",
        "Content-Length",
    }
    assert {name for name in written - standard if f"`{name}`" not in PAGE} == set()
