"""Bodies that were decoded when they were recorded, and messages of HTTP/2: others read them."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

from tests.repository.archive.exchanges import HTML, PAGE, Shelf, close_bodies, make_exchange
from warcio.archiveiterator import ArchiveIterator

if TYPE_CHECKING:
    from pathlib import Path

    from webgeist.capture.exchange import Exchange

CODED = gzip.compress(PAGE)
SENT = (*HTML, (b"content-encoding", b"gzip"), (b"Content-Length", str(len(CODED)).encode()))


def decoded(url: str = "http://h.test/decoded", version: str = "HTTP/1.1") -> Exchange:
    exchange = make_exchange(url, PAGE, headers=SENT, decoded=True)
    object.__setattr__(exchange, "version", version)
    return exchange


def test_warcio_reads_the_body_as_it_is(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.keep(decoded(), make_exchange("http://h.test/coded", CODED, headers=SENT))
    bodies = {}
    with shelf.warcs[0].open("rb") as stream:
        for record in ArchiveIterator(stream, check_digests="raise"):
            if record.rec_type == "response":
                headers = record.http_headers
                url = record.rec_headers["WARC-Target-URI"]
                bodies[url] = record.content_stream().read()
                if url.endswith("/decoded"):
                    assert headers.get_header("Content-Encoding") is None
                    assert headers.get_header("Content-Length") == str(len(PAGE))
                    assert headers.get_header("X-Crawler-content-encoding") == "gzip"
                    assert headers.get_header("X-Crawler-Content-Length") == str(len(CODED))
    close_bodies()
    assert bodies == {"http://h.test/decoded": PAGE, "http://h.test/coded": PAGE}


def test_what_is_read_fits_the_body(tmp_path: Path) -> None:
    """A replay that said gzip of it would show nothing."""
    shelf = Shelf(tmp_path)
    (kept,) = shelf.keep(decoded())
    answer = shelf.answer(kept)
    close_bodies()
    named = {name.lower(): value for name, value in answer.headers}
    assert b"content-encoding" not in named
    assert named[b"content-length"] == str(answer.body.size).encode()
    assert answer.body.read() == PAGE


def test_messages_of_http_2_stand_as_http_1_and_say_what_they_were(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.keep(decoded(version="HTTP/2"), decoded("http://h.test/3", version="HTTP/3"))
    protocols = []
    with shelf.warcs[0].open("rb") as stream:
        for record in ArchiveIterator(stream):
            if record.rec_type == "request":
                assert record.http_headers.protocol == "GET"
                assert record.http_headers.statusline.endswith(" HTTP/1.1")
            elif record.rec_type in {"response", "revisit"}:
                assert record.http_headers.protocol == "HTTP/1.1"
                protocols.append(record.rec_headers["WARC-Protocol"])
    close_bodies()
    assert protocols == ["h2", "h3"]
