"""What was appended can be read again; what is damaged is never handed out as sound."""

from __future__ import annotations

import gzip
import os
import zlib
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.repository.archive.exchanges import (
    KINDS,
    NOON,
    PAGE,
    TLS,
    Shelf,
    close_bodies,
    every_kind,
    make_exchange,
)

from webgeist.errors import DamagedError, LimitError
from webgeist.repository.archive import ArchiveReader, RecordPlace
from webgeist.repository.archive.records import format_head

if TYPE_CHECKING:
    from pathlib import Path

    from webgeist.capture.exchange import Exchange
    from webgeist.repository.archive import Kept


def assert_kept(shelf: Shelf, exchange: Exchange, kept: Kept) -> None:
    """Everything of an exchange comes back."""
    request = shelf.reader.request(kept.request)
    assert (request.method, request.url, request.headers) == (
        exchange.method,
        exchange.url,
        exchange.request_headers,
    )
    assert request.body.read() == exchange.request_body.read()
    assert request.body.size == exchange.request_body.size
    assert request.time == exchange.started
    notes = shelf.reader.notes(kept.notes)
    for name in ("number", "seconds", "truncated", "error", "refused", "cause", "address", "tls"):
        assert getattr(notes, name) == getattr(exchange, name)
    if exchange.status is None or exchange.refused:
        assert kept.answer is None
        return
    answer = shelf.answer(kept)
    for name in ("url", "version", "status", "reason", "truncated"):
        assert getattr(answer, name) == getattr(exchange, name)
    assert answer.headers == exchange.response_headers
    assert answer.time == exchange.started
    assert answer.body.size == exchange.body.size
    assert answer.body.read() == exchange.body.read()
    assert answer.revisit == kept.revisit


@pytest.mark.parametrize("kind", list(KINDS))
def test_every_kind_comes_back(shelf: Shelf, kind: str) -> None:
    exchange = every_kind()[kind]
    (kept,) = shelf.keep(exchange, capture="capture-é")
    assert_kept(shelf, exchange, kept)
    assert shelf.reader.notes(kept.notes).capture == "capture-é"


def test_all_kinds_in_one_file(shelf: Shelf) -> None:
    exchanges = list(every_kind().values())
    for exchange, kept in zip(exchanges, shelf.keep(*exchanges), strict=True):
        assert_kept(shelf, exchange, kept)


names = st.from_regex(rb"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,20}", fullmatch=True)
values = st.binary(max_size=40).map(lambda raw: bytes(c for c in raw if c not in b"\r\n\0").strip())
lines = st.text(st.characters(codec="latin-1", exclude_characters="\r\n\0"), max_size=20)
headers = st.lists(st.tuples(names, values), max_size=5).map(tuple)
paths = st.from_regex(r"[A-Za-z0-9/._~%!$&'()*+,;=:@?-]{0,30}", fullmatch=True)
exchanges = st.builds(
    make_exchange,
    url=paths.map(lambda path: f"http://h.test/{path}"),
    data=st.binary(max_size=300) | st.just(PAGE) | st.just(os.urandom(70_000)),
    number=st.integers(0, 10**6),
    method=st.sampled_from(["GET", "GET", "POST", "HEAD", "OPTIONS", "PUT"]),
    sent=st.binary(max_size=100),
    request_headers=headers,
    headers=headers,
    status=st.none() | st.integers(100, 599),
    reason=lines,
    truncated=st.sampled_from(["", "length", "time", "disconnect", "unspecified"]),
    error=st.text(max_size=20),
    refused=st.just("") | st.text(max_size=20),
    address=st.none() | st.ip_addresses().map(str),
    tls=st.none() | st.text(max_size=9).map(lambda text: replace(TLS, subject=text)),
    started=st.integers(0, 10**11).map(lambda number: NOON + timedelta(milliseconds=number)),
)


@settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(st.lists(exchanges, max_size=4), max_size=3))
def test_random_exchanges_in_random_batches(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[Exchange]]
) -> None:
    shelf = Shelf(tmp_path_factory.mktemp("random") / "archive")
    kept = [pair for batch in batches for pair in zip(batch, shelf.keep(*batch), strict=True)]
    for exchange, each in kept:
        assert_kept(shelf, exchange, each)
    close_bodies()


def test_line_breaks_cannot_forge_headers(shelf: Shelf) -> None:
    exchange = make_exchange(
        headers=((b"X", b"a\r\nSet-Cookie: b"),), reason="OK\r\nX-Forged: 1", error="a\r\nb: 1"
    )
    (kept,) = shelf.keep(exchange)
    assert shelf.answer(kept).headers == ((b"X", b"a Set-Cookie: b"),)
    assert shelf.answer(kept).reason == "OK X-Forged: 1"
    assert shelf.reader.notes(kept.notes).error == "a\r\nb: 1"


def every_record(kept: Kept) -> list[RecordPlace]:
    return [place for place in (kept.answer, kept.request, kept.notes) if place]


def test_verify_is_quiet_on_sound_records(shelf: Shelf) -> None:
    for kept in shelf.keep(*every_kind().values()):
        for place in every_record(kept):
            shelf.reader.verify(place)


def test_every_changed_byte_is_noticed(shelf: Shelf) -> None:
    """Flip one bit in each byte of a small file: a record is refused, or still says the same.

    (Gzip's head has bytes on which nothing depends, and one text can be packed in several ways.)
    """
    (kept,) = shelf.keep(make_exchange(data=b"<p>hi"))
    (path,) = shelf.warcs
    sound = path.read_bytes()
    places = every_record(kept)
    refused = 0
    for at in range(places[0].offset, len(sound)):
        changed = sound[:at] + bytes([sound[at] ^ 4]) + sound[at + 1 :]
        path.write_bytes(changed)
        place = next(place for place in places if at < place.offset + place.length)
        if plain(changed, place) == plain(sound, place):
            shelf.reader.verify(place)
            continue
        refused += 1
        with pytest.raises(DamagedError, match=f"{path.name} is damaged at byte {place.offset:,}"):
            shelf.reader.verify(place)
    assert refused > 0.95 * (len(sound) - places[0].offset)


def plain(file: bytes, place: RecordPlace) -> bytes | None:
    """What another reader of gzip makes of a record; None where it is refused."""
    try:
        return gzip.decompress(file[place.offset : place.offset + place.length])
    except (OSError, EOFError, zlib.error):
        return None


@pytest.mark.parametrize("cut", [1, 100, 600])
def test_a_truncated_file(shelf: Shelf, cut: int) -> None:
    (kept,) = shelf.keep(make_exchange(data=os.urandom(2000)))
    (path,) = shelf.warcs
    assert kept.answer
    os.truncate(path, kept.answer.offset + kept.answer.length - cut)
    with pytest.raises(DamagedError, match=f"at byte {kept.answer.offset}: the file ends"):
        shelf.answer(kept).body.read()


def test_a_missing_file(shelf: Shelf) -> None:
    (kept,) = shelf.keep(make_exchange())
    shelf.warcs[0].unlink()
    with pytest.raises(DamagedError, match="is missing"):
        shelf.answer(kept)


def test_a_folder_in_its_place(shelf: Shelf) -> None:
    (kept,) = shelf.keep(make_exchange())
    shelf.warcs[0].unlink()
    (shelf.folder / kept.notes.file).mkdir()
    with pytest.raises(DamagedError, match="cannot be read"):
        shelf.answer(kept)


def test_a_wrong_place(shelf: Shelf) -> None:
    (kept,) = shelf.keep(make_exchange())
    assert kept.answer
    with pytest.raises(DamagedError, match="no gzip"):
        shelf.reader.answer(replace(kept.answer, offset=kept.answer.offset + 1))
    with pytest.raises(DamagedError, match="a request record, not response or revisit"):
        shelf.reader.answer(kept.request)
    with pytest.raises(DamagedError, match="bytes, not"):
        shelf.reader.verify(replace(kept.answer, length=kept.answer.length - 1))


def test_bytes_beyond_a_record_do_no_harm(shelf: Shelf) -> None:
    (kept,) = shelf.keep(make_exchange())
    with shelf.warcs[0].open("ab") as file:
        file.write(b"rubbish")
    assert shelf.answer(kept).body.read() == PAGE
    shelf.reader.verify(kept.notes)


def test_a_revisit_without_its_original(shelf: Shelf) -> None:
    shelf.keep(make_exchange("http://h.test/a"))
    (original,) = shelf.warcs
    (kept,) = shelf.keep(make_exchange("http://h.test/b"))
    original.rename(original.with_suffix(".away"))
    with pytest.raises(DamagedError, match=f"{original.name} is missing"):
        shelf.answer(kept)
    with pytest.raises(DamagedError, match="is missing"):
        shelf.reader.verify(kept.answer)  # type: ignore[arg-type]


def hand_made(path: Path, block: bytes, **fields: str) -> RecordPlace:
    """A WARC file with one record, as somebody else might write it."""
    head = {"WARC-Type": "response", "Content-Length": str(len(block))}
    head |= {name.replace("_", "-"): value for name, value in fields.items()}
    member = gzip.compress(format_head(head.items()) + block + b"\r\n\r\n")
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(member)
    return RecordPlace(path.name, 0, len(member))


MESSAGE = b"HTTP/1.1 200 OK\r\n\r\nbody"


@pytest.mark.parametrize(
    ("block", "fields", "why"),
    [
        (MESSAGE, {"WARC_Block_Digest": f"sha256:{'0' * 64}"}, "its block is not"),
        (MESSAGE, {"WARC_Payload_Digest": f"sha256:{'0' * 64}"}, "its payload is not"),
        (MESSAGE, {"Content_Length": "3"}, "the head is longer"),
        (MESSAGE, {"Content_Length": "900"}, "ends within a block"),
        (MESSAGE, {"Content_Length": "20"}, "more or less follows"),
        (MESSAGE, {"Content_Length": "many"}, "no Content-Length"),
        (MESSAGE, {"WARC_Date": "yesterday"}, "no date"),
        (b"no HTTP at all", {}, "the head is longer"),
        (b"rubbish\r\n\r\n", {}, "no status line"),
        (b"HTTP/1.1 200 OK\r\nno header\r\n\r\n", {}, "no header"),
        (b"HTTP/1.1 200 OK\r\n\r\n", {"WARC_Type": "revisit"}, "where its original is"),
        (
            b"HTTP/1.1 200 OK\r\n\r\n",
            {
                "WARC_Type": "revisit",
                "WARC_Refers_To_Filename": "../x.warc.gz",
                "WARC_Refers_To_File_Offset": "0",
            },
            "cannot be in the archive",
        ),
    ],
)
def test_wrong_records(shelf: Shelf, block: bytes, fields: dict[str, str], why: str) -> None:
    given_date = {"WARC_Date": "2024-02-29T12:00:00Z"}
    place = hand_made(shelf.folder / "x.warc.gz", block, **given_date | fields)
    with pytest.raises(DamagedError, match=why):
        shelf.reader.answer(place).body.read()


@pytest.mark.parametrize(
    "text", [b"no WARC", b"WARC/1.1\r\nno field\r\n\r\n", b"WARC/1.1\r\n\xff\r\n\r\n"]
)
def test_wrong_heads(shelf: Shelf, text: bytes) -> None:
    shelf.folder.mkdir()
    (shelf.folder / "x.warc.gz").write_bytes(gzip.compress(text + b"\r\n\r\n"))
    with pytest.raises(DamagedError, match=r"x\.warc\.gz is damaged at byte 0"):
        shelf.reader.verify(RecordPlace("x.warc.gz", 0, 10))


def test_records_of_others_are_read_too(shelf: Shelf) -> None:
    """Without our digests, which cannot be checked then."""
    place = hand_made(shelf.folder / "x.warc.gz", MESSAGE, WARC_Date="2024-02-29T12:00:00Z")
    answer = shelf.reader.answer(place)
    assert answer.body.read() == b"body"
    assert answer.time == NOON.replace(microsecond=0)


def bomb(path: Path, head: bytes) -> RecordPlace:
    """A member that expands to 64 MB."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    member = packer.compress(head)
    member += b"".join(packer.compress(b"\0" * (1 << 20)) for _ in range(64)) + packer.flush()
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(member)
    return RecordPlace(path.name, 0, len(member))


def test_a_record_that_says_it_is_too_large_is_not_expanded(shelf: Shelf) -> None:
    fields = [("WARC-Type", "response"), ("Content-Length", str(1 << 26))]
    place = bomb(shelf.folder / "x.warc.gz", format_head(fields))
    with pytest.raises(LimitError, match="67,108,864 bytes, more than 1,000,000"):
        ArchiveReader(shelf.folder, most_bytes=1_000_000).verify(place)


@pytest.mark.parametrize(
    ("head", "why"),
    [
        (format_head([("WARC-Type", "response"), ("Content-Length", "10")]), "more or less"),
        (b"WARC/1.1\r\nX: ", "a head of more than"),
        (format_head([("WARC-Type", "response"), ("Content-Length", "1")]), "more or less"),
    ],
)
def test_bombs_are_not_expanded(shelf: Shelf, head: bytes, why: str) -> None:
    """Reading stops where the record must end, not after the 64 MB."""
    import tracemalloc

    place = bomb(shelf.folder / "x.warc.gz", head)
    tracemalloc.start()
    with pytest.raises(DamagedError, match=why):
        shelf.reader.verify(place)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20 << 20
