"""A repository becomes one WACZ file: every capture a page, every archive file in it."""

from __future__ import annotations

import json
import zipfile
from typing import TYPE_CHECKING

import pytest
from tests.repository.archive.exchanges import close_bodies, make_exchange
from tests.repository.making import make_capture, new_repository

from webgeist.errors import NotFoundError, UsageError
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webgeist.repository.repository import Repository


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    with new_repository(tmp_path / "r") as opened:
        yield opened
    close_bodies()


def pages(path: Path) -> dict[str, str]:
    """Titles by capture."""
    with zipfile.ZipFile(path) as package:
        _, *lines = map(json.loads, package.read("pages/pages.jsonl").splitlines())
    return {line["id"]: line["title"] for line in lines}


def test_pages_have_their_titles_staged_or_published(
    repository: Repository, tmp_path: Path
) -> None:
    ids = []
    for number in (1, 2, 3):
        ids.append(repository.add(make_capture(number), [make_exchange(number=number)]))
        if number == 2:
            repository.publish()
    heard: list[str] = []
    repository.export_wacz(tmp_path / "x.wacz", on_file=heard.append)
    titles = [repository.capture(id_).info.metadata for id_ in ids]
    assert pages(tmp_path / "x.wacz") == {
        id_: each.title for id_, each in zip(ids, titles, strict=True) if each
    }
    assert heard == sorted(path.name for path in (tmp_path / "r" / "archive").glob("*.warc.gz"))
    assert len(heard) == 2


def test_a_reader_can_export_while_somebody_writes(repository: Repository, tmp_path: Path) -> None:
    first = repository.add(make_capture(1), [make_exchange()])
    with open_repository(tmp_path / "r", readonly=True) as reader, repository.batch() as batch:
        batch.add(make_capture(2), [make_exchange("http://h.test/2", b"not committed yet")])
        reader.export_wacz(str(tmp_path / "x.wacz"))
    assert list(pages(tmp_path / "x.wacz")) == [first]


def test_what_cannot_be(repository: Repository, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="nothing was recorded"):
        repository.export_wacz(tmp_path / "x.wacz")
    (tmp_path / "x.wacz").touch()
    with pytest.raises(UsageError, match="exists already"):
        repository.export_wacz(tmp_path / "x.wacz")
