"""Answers are found by URL and time, and by the beginning of a URL, over several files."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.repository.archive.exchanges import NOON, Shelf, every_kind, make_exchange

from webgeist.errors import DamagedError
from webgeist.repository.archive import Index, IndexEntry, RecordPlace
from webgeist.repository.archive.cdxj import format_index
from webgeist.repository.archive.surt import surt_key

if TYPE_CHECKING:
    from pathlib import Path


def seconds(number: float) -> timedelta:
    return timedelta(seconds=number)


def test_closest_in_time_over_several_files(shelf: Shelf) -> None:
    for number in (0, 100, 200):
        shelf.keep(make_exchange("http://h.test/a", f"{number}".encode(), number=number))
    index = Index(shelf.folder)
    for wanted, found in ((-5, 0), (49, 0), (51, 100), (149, 100), (160, 200), (9999, 200)):
        entry = index.closest("http://h.test/a", NOON + seconds(wanted))
        assert entry
        assert shelf.reader.answer(entry.place).body.read() == f"{found}".encode()


def test_times_within_one_second_are_told_apart(shelf: Shelf) -> None:
    shelf.keep(
        *(
            make_exchange(data=text, started=NOON + seconds(after))
            for after, text in ((0.0, b"a"), (0.2, b"b"), (0.4, b"c"))
        )
    )
    entry = Index(shelf.folder).closest("http://h.test/", NOON + seconds(0.21))
    assert entry
    assert shelf.reader.answer(entry.place).body.read() == b"b"


def test_the_exact_url_goes_before_one_of_the_same_key(shelf: Shelf) -> None:
    shelf.keep(
        make_exchange("http://h.test/Page", b"upper", number=9),
        make_exchange("http://h.test/page", b"lower", number=0),
    )
    index = Index(shelf.folder)
    for url, number in (("http://h.test/Page", 0), ("http://h.test/page", 9)):
        found = index.closest(url, NOON + seconds(number))
        assert found
        assert found.url == url
    other = index.closest("http://h.test/PAGE", NOON)
    assert other
    assert other.url == "http://h.test/page"


def test_nothing_is_found_where_nothing_is(shelf: Shelf) -> None:
    shelf.keep(*every_kind().values())
    index = Index(shelf.folder)
    for url in (
        "http://h.test/never",
        "http://h.test/refused",
        "http://h.test/pag",
        "ws://h.test/socket",
    ):
        assert index.closest(url, NOON) is None
    assert Index(shelf.folder / "none").closest("http://h.test/page", NOON) is None


def test_methods_and_bodies_are_told_apart(shelf: Shelf) -> None:
    form = ((b"Content-Type", b"application/x-www-form-urlencoded"),)
    shelf.keep(
        make_exchange(data=b"got"),
        make_exchange(data=b"one", method="POST", sent=b"a=1", request_headers=form),
        make_exchange(data=b"two", method="POST", sent=b"a=2", request_headers=form),
        make_exchange(data=b"", method="HEAD"),
    )
    index = Index(shelf.folder)

    def body(method: str, sent: bytes = b"") -> bytes | None:
        found = index.closest("http://h.test/", NOON, method=method, headers=form, body=sent)
        return shelf.reader.answer(found.place).body.read() if found else None

    assert body("GET") == b"got"
    assert body("POST", b"a=1") == b"one"
    assert body("POST", b"a=2") == b"two"
    assert body("POST", b"a=3") is None
    assert body("HEAD") == b""
    assert body("PUT") is None


def test_a_revisit_is_an_entry_of_its_own(shelf: Shelf) -> None:
    shelf.keep(make_exchange("http://h.test/a"), make_exchange("http://h.test/b"))
    entry = Index(shelf.folder).closest("http://h.test/b", NOON)
    assert entry
    assert (entry.mime, entry.status) == ("warc/revisit", 200)


def test_all_answers_of_a_url_by_time(shelf: Shelf) -> None:
    for number in (5, 1, 3):
        shelf.keep(make_exchange("http://h.test/a", number=number))
    shelf.keep(make_exchange("http://h.test/A"), make_exchange("http://h.test/ab"))
    found = Index(shelf.folder).all("http://h.test/a")
    assert [entry.time - NOON for entry in found] == [seconds(1), seconds(3), seconds(5)]


@pytest.mark.parametrize(
    ("prefix", "paths"),
    [
        ("http://h.test/", ["", "a", "a/", "a/x", "a?q=1", "ab"]),
        ("http://h.test/a", ["a", "a/", "a/x", "a?q=1", "ab"]),
        ("http://h.test/a/", ["a", "a/", "a/x", "a?q=1"]),
        ("http://h.test/b", []),
        ("http://other.test/", ["http://other.test/a"]),
    ],
)
def test_below(shelf: Shelf, prefix: str, paths: list[str]) -> None:
    for path in ("", "a", "a/", "a/x", "a?q=1", "ab"):
        shelf.keep(make_exchange(f"http://h.test/{path}"))
    shelf.keep(make_exchange("http://other.test/a"))
    found = [
        entry.url.removeprefix("http://h.test/") for entry in Index(shelf.folder).below(prefix)
    ]
    assert sorted(found) == sorted(paths)


@pytest.mark.parametrize(
    "damage", [b"rubbish\n", b"test,h)/ 2024 {}\n", b"test,h)/ 2024 {", b"\xff\n"]
)
def test_damage_is_named(shelf: Shelf, damage: bytes) -> None:
    shelf.folder.mkdir()
    (shelf.folder / "x.cdxj").write_bytes(damage)
    with pytest.raises(DamagedError, match=r"x\.cdxj is damaged at byte 0"):
        list(Index(shelf.folder)._lines(""))


def test_an_index_that_cannot_be_read(shelf: Shelf) -> None:
    shelf.folder.mkdir()
    (shelf.folder / "x.cdxj").mkdir()
    with pytest.raises(DamagedError, match="cannot be read"):
        Index(shelf.folder)


urls = st.from_regex(r"http://[ab]\.(c|d)/[abAB/?]{0,4}", fullmatch=True)


@settings(deadline=None)
@given(st.lists(st.tuples(urls, st.integers(0, 50))), urls, st.integers(0, 50), st.integers(1, 3))
def test_against_looking_at_every_entry(
    tmp_path_factory: pytest.TempPathFactory,
    stored: list[tuple[str, int]],
    url: str,
    at: int,
    files: int,
) -> None:
    folder: Path = tmp_path_factory.mktemp("index")
    entries = [
        IndexEntry(
            surt_key(each), each, NOON + seconds(number), 200, "x/y", "0", RecordPlace("f", n, 1)
        )
        for n, (each, number) in enumerate(stored)
    ]
    for file in range(files):
        (folder / f"{file}.cdxj").write_bytes(format_index(entries[file::files]))
    index = Index(folder)
    found = index.closest(url, NOON + seconds(at))
    exact = [abs(number - at) for each, number in stored if each == url]
    alike = [abs(number - at) for each, number in stored if surt_key(each) == surt_key(url)]
    distance = min(exact or alike, default=None)
    assert (found and abs(found.time - NOON - seconds(at)).total_seconds()) == distance
    below = sorted(each for each, _ in stored if surt_key(each).startswith(surt_key("http://a.c/")))
    assert sorted(entry.url for entry in index.below("http://a.c/")) == below
