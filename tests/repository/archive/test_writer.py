"""What is written can be read by warcio, the standard's own reader, and is what was given."""

from __future__ import annotations

import errno
import gzip
import os
import subprocess
import sys
import tracemalloc
from typing import TYPE_CHECKING

import pytest
from tests.repository.archive.exchanges import KINDS, PAGE, Shelf, every_kind, make_exchange
from tests.repository.faulty import Failing, ShortWrites
from warcio.archiveiterator import ArchiveIterator

from webgeist.errors import StorageError
from webgeist.repository.archive import scan

if TYPE_CHECKING:
    from pathlib import Path

    from warcio.recordloader import ArcWarcRecord


def records(path: Path) -> list[tuple[ArcWarcRecord, bytes]]:
    with path.open("rb") as file:
        return [
            (record, record.raw_stream.read())
            for record in ArchiveIterator(file, check_digests="raise")
        ]


def field(record: ArcWarcRecord, name: str) -> str | None:
    value: str | None = record.rec_headers.get_header(name)
    return value


def warcio_check(*paths: Path) -> subprocess.CompletedProcess[str]:
    """`warcio check`. It cannot use the brotli package that we have; bodies need no decoding."""
    code = "import sys; sys.modules['brotli'] = None; from warcio.cli import main; main()"
    command = [sys.executable, "-c", code, "check", "-v", *map(str, paths)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_warcio_finds_no_problem(shelf: Shelf) -> None:
    shelf.keep(*every_kind().values())
    checked = warcio_check(*shelf.warcs)
    assert checked.returncode == 0, checked.stdout
    assert checked.stdout.count("digest pass") >= 3 * len(KINDS) - 3
    assert "failed" not in checked.stdout
    assert checked.stdout.count("not checked (revisit)") == 1


def test_warcio_finds_damage(shelf: Shelf) -> None:
    """The check above can fail: one changed byte in a body, gzipped anew, is noticed."""
    shelf.keep(make_exchange())
    plain = gzip.decompress(shelf.warcs[0].read_bytes())
    shelf.warcs[0].write_bytes(plain.replace(b"Some words", b"Some lords", 1))
    assert "digest failed" in warcio_check(shelf.warcs[0]).stdout


@pytest.mark.parametrize(
    "kind", [name for name, each in KINDS.items() if each.get("status", 200) and name != "socket"]
)
def test_warcio_reads_the_answer(shelf: Shelf, kind: str) -> None:
    exchange = every_kind()[kind]
    shelf.keep(exchange)
    (answer, body), *_ = [
        pair for pair in records(shelf.warcs[0]) if pair[0].rec_type == "response"
    ]
    assert body == exchange.body.read()
    assert answer.http_headers.get_statuscode() == str(exchange.status)
    assert field(answer, "WARC-Target-URI") == exchange.url
    assert field(answer, "WARC-Payload-Digest") == f"sha256:{exchange.body.sha256}"
    assert field(answer, "WARC-Truncated") == (exchange.truncated or None)
    assert field(answer, "WARC-IP-Address") == exchange.address


@pytest.mark.parametrize("kind", ["refused", "silent", "unreadable"])
def test_no_answer_no_response_record(shelf: Shelf, kind: str) -> None:
    (kept,) = shelf.keep(every_kind()[kind])
    assert kept.answer is None
    assert [record.rec_type for record, _ in records(shelf.warcs[0])] == [
        "warcinfo",
        "request",
        "metadata",
    ]


def test_a_refused_request_with_an_answer_of_the_gate_has_no_response_record(shelf: Shelf) -> None:
    (kept,) = shelf.keep(make_exchange(status=403, refused="the rule"))
    assert kept.answer is None
    assert shelf.reader.notes(kept.notes).refused == "the rule"


def test_records_name_each_other(shelf: Shelf) -> None:
    shelf.keep(every_kind()["post"])
    (info, _), (answer, _), (request, sent), (notes, _) = records(shelf.warcs[0])
    ids = [field(record, "WARC-Record-ID") for record in (info, answer, request, notes)]
    assert len(set(ids)) == 4
    assert field(request, "WARC-Concurrent-To") == ids[1]
    assert field(notes, "WARC-Concurrent-To") == ids[1]
    assert {field(record, "WARC-Warcinfo-ID") for record in (answer, request, notes)} == {ids[0]}
    assert field(info, "WARC-Filename") == shelf.warcs[0].name
    assert sent == b"name=value&other=1"
    assert request.http_headers.protocol == "POST"


def test_protocols_of_a_secure_exchange(shelf: Shelf) -> None:
    shelf.keep(every_kind()["secure"])
    answer = records(shelf.warcs[0])[1][0]
    protocols = [value for name, value in answer.rec_headers.headers if name == "WARC-Protocol"]
    assert protocols == ["http/1.1", "tls/1.3"]


def test_a_payload_is_stored_once_in_the_whole_archive(shelf: Shelf) -> None:
    (first,) = shelf.keep(make_exchange("http://h.test/a"))
    second, third = shelf.keep(
        make_exchange("http://other.test/b", number=1),
        make_exchange("http://h.test/a", number=2, headers=((b"X-New", b"1"),)),
    )
    assert first.original
    assert not first.revisit
    assert second.revisit
    assert third.revisit
    assert second.original is None
    original, revisit = (records(shelf.folder / kept.notes.file)[1][0] for kept in (first, second))
    assert revisit.rec_type == "revisit"
    assert field(revisit, "WARC-Refers-To") == field(original, "WARC-Record-ID")
    assert field(revisit, "WARC-Refers-To-Target-URI") == "http://h.test/a"
    assert field(revisit, "WARC-Refers-To-Date") == "2024-02-29T12:00:00.123456Z"
    assert not any(body for record, body in records(shelf.folder / second.notes.file)[1:2])


def test_the_same_payload_twice_in_one_batch(shelf: Shelf) -> None:
    first, second = shelf.keep(make_exchange("http://h.test/a"), make_exchange("http://h.test/b"))
    assert (first.revisit, second.revisit) == (False, True)


def test_only_answers_to_get_are_referred_to(shelf: Shelf) -> None:
    first, second = shelf.keep(make_exchange(method="POST"), make_exchange())
    assert first.original is None
    assert not second.revisit
    assert second.original


def test_what_was_undone_is_not_referred_to(shelf: Shelf) -> None:
    with shelf.writer() as writer:
        writer.append(make_exchange("http://h.test/a"), "c")
        writer.rollback()
        kept = writer.append(make_exchange("http://h.test/b"), "c")
        assert not kept.revisit
        shelf.commit(writer, [kept])
    assert shelf.answer(kept).body.read() == PAGE


def test_a_full_file_is_followed_by_another(shelf: Shelf) -> None:
    with shelf.writer(most_bytes=3000) as writer:
        kept = []
        for number in range(10):
            data = os.urandom(1000)
            kept.append(writer.append(make_exchange(data=data, number=number), "c"))
        shelf.commit(writer, kept)
    assert 3 <= len(shelf.warcs) <= 10
    assert shelf.lengths == {path.name: path.stat().st_size for path in shelf.warcs}
    assert len({path.name.rpartition("-")[0] for path in shelf.warcs}) == 1
    assert [each.notes.file for each in kept] == sorted(each.notes.file for each in kept)


def test_commit_names_only_what_grew(shelf: Shelf) -> None:
    with shelf.writer() as writer:
        assert writer.commit() == {}
        kept = writer.append(make_exchange(), "c")
        assert writer.commit() == {
            kept.notes.file: kept.notes.offset + kept.notes.length,
        }
        assert writer.commit() == {}


def test_a_session_that_writes_nothing_leaves_nothing(shelf: Shelf) -> None:
    with shelf.writer() as writer:
        writer.append(make_exchange(), "c")
    assert list(shelf.folder.iterdir()) == []


def test_finish_writes_the_index_and_begins_a_new_file(shelf: Shelf) -> None:
    with shelf.writer() as writer:
        shelf.commit(writer, [writer.append(make_exchange("http://h.test/a"), "c")])
        writer.finish()
        assert "http://h.test/a" in shelf.indexed
        shelf.commit(writer, [writer.append(make_exchange("http://h.test/b"), "c")])
    assert len(shelf.warcs) == 2
    assert "http://h.test/b" in shelf.indexed


def test_finish_before_commit_is_a_mistake(shelf: Shelf) -> None:
    with shelf.writer() as writer:
        writer.append(make_exchange(), "c")
        with pytest.raises(ValueError, match="commit or roll back"):
            writer.finish()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize("point", range(0, 60, 1))
def test_a_refusing_disk_undoes_to_the_last_commit(shelf: Shelf, number: int, point: int) -> None:
    """At any point of append and commit: what was committed stays, the writer goes on afterwards."""
    first = make_exchange("http://h.test/a", os.urandom(5000))
    second = make_exchange("http://h.test/b", os.urandom(3_000_000), number=1)
    disk = Failing(1 << 30, number)
    with shelf.writer(disk) as writer:
        shelf.commit(writer, [before := writer.append(first, "c")])
        disk._n = len(disk.points) + point
        with pytest.raises(StorageError) as caught:  # noqa: PT012 - either may be refused
            kept = writer.append(second, "c")
            shelf.commit(writer, [kept])
            raise StorageError("all points passed")
        if caught.value.message != "all points passed":
            (path,) = shelf.warcs
            assert path.stat().st_size == shelf.lengths[path.name]
            shelf.commit(writer, [kept := writer.append(second, "c")])
        assert shelf.answer(kept).body.read() == second.body.read()
    assert shelf.answer(before).body.read() == first.body.read()
    for path in shelf.warcs:
        assert path.stat().st_size == shelf.lengths[path.name]
        list(scan(path, shelf.lengths[path.name]))


def test_a_disk_that_stays_full_keeps_what_was_committed(shelf: Shelf) -> None:
    disk = Failing(1 << 30, errno.ENOSPC, stays=True)
    writer = shelf.writer(disk)
    shelf.commit(writer, [before := writer.append(make_exchange(), "c")])
    disk._n = len(disk.points)
    for _ in range(3):
        with pytest.raises(StorageError, match="No space left"):  # noqa: PT012 - either may be refused
            writer.append(make_exchange(data=os.urandom(100_000)), "c")
            writer.commit()
    with pytest.raises(StorageError):
        writer.close()
    assert shelf.answer(before).body.read() == PAGE
    shelf.writer().close()
    assert "http://h.test/" in shelf.indexed


def test_short_writes_are_continued(shelf: Shelf) -> None:
    data = os.urandom(3_000_000)
    with shelf.writer(ShortWrites()) as writer:
        kept = writer.append(make_exchange(data=data), "c")
        shelf.commit(writer, [kept])
    assert shelf.answer(kept).body.read() == data


def test_an_error_that_is_not_the_disk_s_undoes_too(shelf: Shelf) -> None:
    exchange = make_exchange("http://h.test/b", b"x")
    exchange.body.close()
    with shelf.writer() as writer:
        writer.append(make_exchange("http://h.test/a"), "c")
        with pytest.raises(ValueError, match="closed"):
            writer.append(exchange, "c")
        assert shelf.warcs == []


def test_a_large_body_is_never_whole_in_memory(shelf: Shelf) -> None:
    """50 MB are written and read again within a few."""
    exchange = make_exchange(data=b"")
    block = os.urandom(1 << 20)
    for _ in range(50):
        exchange.body.write(block)
    tracemalloc.start()
    (kept,) = shelf.keep(exchange)
    answer = shelf.answer(kept)
    read = sum(len(chunk) for chunk in answer.body.chunks())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert read == 50 << 20
    assert peak < 8 << 20


def test_what_was_committed_but_never_recorded_is_undone(shelf: Shelf) -> None:
    """The database has the last word: neither file nor index may know more."""
    with shelf.writer() as writer:
        shelf.commit(writer, [before := writer.append(make_exchange("http://h.test/a"), "c")])
        writer.append(make_exchange("http://h.test/b", b"other"), "c")
        writer.commit()
        writer.rollback()
        (path,) = shelf.warcs
        assert path.stat().st_size == shelf.lengths[path.name]
        shelf.commit(writer, [after := writer.append(make_exchange("http://h.test/c"), "c")])
    assert after.revisit
    assert shelf.answer(before).body.read() == shelf.answer(after).body.read() == PAGE
    assert set(shelf.indexed) == {"http://h.test/a", "http://h.test/c"}


def test_an_index_that_could_not_be_written_is_tried_again(shelf: Shelf) -> None:
    disk = Failing(1 << 30, errno.ENOSPC)
    with shelf.writer(disk) as writer:
        shelf.commit(writer, [writer.append(make_exchange("http://h.test/a"), "c")])
        disk._n = len(disk.points)
        with pytest.raises(StorageError, match="No space left"):
            writer.finish()
        shelf.commit(writer, [writer.append(make_exchange("http://h.test/b"), "c")])
    assert set(shelf.indexed) == {"http://h.test/a", "http://h.test/b"}


@pytest.mark.parametrize(
    "url", ["", "rubbish", "http://[::1/", "http://h.test/a b", "http://h.test/\0\ud800", "é:é"]
)
def test_a_url_that_is_none(shelf: Shelf, url: str) -> None:
    """Whatever a client asked for is kept, and the file is sound."""
    one, other = shelf.keep(make_exchange(url), make_exchange(url, number=1))
    assert shelf.answer(one).body.read() == shelf.answer(other).body.read() == PAGE
    (path,) = shelf.warcs
    assert len(list(scan(path, path.stat().st_size))) == 7
    assert len(shelf.indexed) == (2 if url.startswith("http") else 0)


def test_the_longest_urls(shelf: Shelf) -> None:
    """Two megabytes, which Chromium allows, and a revisit names two of them."""
    urls = [f"http://h.test/{letter * 2_000_000}" for letter in "ab"]
    one, other = shelf.keep(*(make_exchange(url) for url in urls))
    assert other.revisit
    assert [shelf.answer(each).url for each in (one, other)] == urls
    assert urls[1] in shelf.indexed
