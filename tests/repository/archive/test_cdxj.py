"""Index lines are what other tools expect, and come back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.repository.archive.exchanges import NOON, Shelf, make_exchange

from webgeist.repository.archive import IndexEntry, RecordPlace
from webgeist.repository.archive.cdxj import format_entry, format_index, mime_type

ENTRY = IndexEntry(
    key="org,example)/",
    url="http://example.org/",
    time=NOON,
    status=200,
    mime="text/html",
    sha256="ab" * 32,
    place=RecordPlace("x.warc.gz", 300, 700),
)


def test_a_line_as_pywb_reads_it() -> None:
    key, timestamp, fields = format_entry(ENTRY).split(" ", 2)
    assert (key, timestamp) == ("org,example)/", "20240229120000")
    assert json.loads(fields) == {
        "url": "http://example.org/",
        "mime": "text/html",
        "status": "200",
        "digest": f"sha256:{'ab' * 32}",
        "length": "700",
        "offset": "300",
        "filename": "x.warc.gz",
        "date": "2024-02-29T12:00:00.123456Z",
    }


@given(
    st.builds(
        IndexEntry,
        key=st.from_regex(r"[a-z,)/]+", fullmatch=True),
        url=st.text(),
        time=st.just(NOON),
        status=st.integers(100, 999),
        mime=st.text(),
        sha256=st.just("00"),
        place=st.builds(RecordPlace, st.text(), st.integers(0), st.integers(0)),
        method=st.sampled_from(["GET", "POST"]),
        request_body=st.just(""),
    )
)
def test_lines_come_back(entry: IndexEntry) -> None:
    line = format_entry(entry).encode()
    assert b"\n" not in line
    key, time, fields = line.decode().split(" ", 2)
    found = json.loads(fields)
    assert (key, time) == (entry.key, f"{NOON:%Y%m%d%H%M%S}")
    assert (found["url"], found["mime"], found["status"]) == (
        entry.url,
        entry.mime,
        str(entry.status),
    )
    assert RecordPlace(found["filename"], int(found["offset"]), int(found["length"])) == entry.place
    assert found.get("method", "GET") == entry.method


def test_lines_are_sorted_by_bytes() -> None:
    keys = ["org,example)/b", "org,example)/a b", "org,example)/B", "org,a)/"]
    made = [IndexEntry(key, *list(vars(ENTRY).values())[1:]) for key in keys]
    lines = format_index(made).splitlines()
    assert lines == sorted(lines)


@pytest.mark.parametrize(
    ("value", "mime"),
    [(b"Text/HTML; charset=x", "text/html"), (b"", "unk"), (b"image/png", "image/png")],
)
def test_mime_types(value: bytes, mime: str) -> None:
    assert mime_type(((b"Content-type", value),)) == mime


def test_the_index_beside_a_file_is_sorted(shelf: Shelf) -> None:
    shelf.keep(*(make_exchange(f"http://{c}.test/") for c in "zax"))
    (path,) = shelf.folder.glob("*.cdxj")
    lines = path.read_bytes().splitlines()
    assert lines == sorted(lines)
    assert len(lines) == 3
