"""Captures from one process to another."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from tests.repository.making import make_capture, same

from webgeist.capture.exchange import Body, Exchange, Spool, Tls
from webgeist.capture.folder import open_capture
from webgeist.capture.parcel import pack, unpack

if TYPE_CHECKING:
    from pathlib import Path

    from webgeist.capture.model import Capture


def exchange(number: int, sent: bytes, received: bytes, spool: Spool) -> Exchange:
    request_body, body = Body(spool), Body(spool)
    request_body.write(sent)
    body.write(received)
    return Exchange(
        number=number,
        method="POST",
        url="http://h/\udcff",
        version="HTTP/1.1",
        request_headers=((b"a", b"\xff"),),
        request_body=request_body,
        started=datetime(2024, 1, 2, tzinfo=UTC),
        seconds=0.5,
        status=200,
        reason="OK",
        response_headers=(),
        body=body,
        tls=Tls("", "TLSv1.3", "s", "i", "e"),
    )


def test_everything_arrives_and_nothing_is_left(tmp_path: Path, small_capture: Capture) -> None:
    spool = Spool()
    bodies = [(b"", b"large" * 2_000_000), (b"asked", b"")]
    sent = tuple(exchange(n, *each, spool) for n, each in enumerate(bodies))
    assert small_capture.page is not None
    assert len(small_capture.page.names)  # something that the page has cached
    original = replace(small_capture, exchanges=sent)
    pack(original, tmp_path / "parcel")
    arrived = unpack(tmp_path / "parcel")
    assert list(tmp_path.iterdir()) == []
    assert same(arrived, original)
    for one, other in zip(arrived.exchanges, sent, strict=True):
        for field in fields(Exchange):
            if field.type != "Body":
                assert getattr(one, field.name) == getattr(other, field.name)
        assert (one.body.read(), one.body.sha256) == (other.body.read(), other.body.sha256)
        assert one.request_body.read() == other.request_body.read()
        assert one.request_body.size == other.request_body.size
    arrived.close()
    original.close()


def test_a_capture_without_exchanges_holds_no_file(tmp_path: Path) -> None:
    pack(make_capture(1), tmp_path / "parcel")
    assert same(unpack(tmp_path / "parcel"), make_capture(1))


def test_only_what_was_just_made_is_sent(tmp_path: Path, small_capture: Capture) -> None:
    stored = small_capture.save(tmp_path / "stored")
    with pytest.raises(TypeError, match="stored already"):
        pack(open_capture(stored), tmp_path / "parcel")
