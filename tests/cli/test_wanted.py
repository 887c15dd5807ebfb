"""Which capture, and which node of it, a word means."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.repository.making import make_capture, new_repository

from webgeist.cli.wanted import Wanted, find_capture, find_part
from webgeist.errors import NotFoundError, UsageError
from webgeist.repository.ids import capture_id

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webgeist.repository.repository import Repository

URLS = ["http://h.test/a", "http://h.test/a:7", "http://h.test:80/b"]
CAPTURES = [make_capture(number, url=url) for number, url in enumerate(URLS)]
IDS = [capture_id(capture.info) for capture in CAPTURES]


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    """The first capture is published, the others are not."""
    with new_repository(tmp_path / "r") as made:
        for number, capture in enumerate(CAPTURES):
            made.add(capture)
            if number == 0:
                made.publish()
        yield made


@pytest.mark.parametrize(
    ("word", "capture", "node"),
    [
        (IDS[0], 0, None),
        (IDS[0].lower(), 0, None),
        (f"{IDS[0]}:12", 0, 12),
        (f"{IDS[1][:20].lower()}:0", 1, 0),
        (URLS[0], 0, None),
        (f"{URLS[0]}:3", 0, 3),
        (URLS[1], 1, None),
        (f"{URLS[1]}:3", 1, 3),
        (URLS[2], 2, None),
        (f"{URLS[2]}:1", 2, 1),
    ],
)
def test_words(repository: Repository, word: str, capture: int, node: int | None) -> None:
    assert find_part(repository, word) == Wanted(IDS[capture], node)


@pytest.mark.parametrize(
    "word", ["http://h.test:80", "9:1", "9", "http://h.test/b:1", f"{IDS[0]}:x"]
)
def test_nothing_is_meant(repository: Repository, word: str) -> None:
    with pytest.raises(NotFoundError):
        find_part(repository, word)


def test_more_than_one(repository: Repository) -> None:
    with pytest.raises(UsageError, match="give more of the id"):
        find_part(repository, f"{IDS[0][:6]}:1")


def test_in_a_release(repository: Repository) -> None:
    release = repository.release(1)
    assert find_capture(repository, IDS[0][:6], release) == IDS[0]
    assert find_part(repository, f"{URLS[0]}:7", release) == Wanted(IDS[0], 7)
    with pytest.raises(NotFoundError):
        find_part(repository, URLS[2], release)
