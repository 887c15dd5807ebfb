"""Files asked for without a browser."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from tests.capture.conftest import only_here

from webgeist.capture.fetch import Fetcher
from webgeist.capture.gate import Gate

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncIterator

    from tests.capture.conftest import Rig, TlsSite
    from tests.conftest import SettingsMaker

    from webgeist.capture.exchange import Exchange

HERE = Gate(allow_private=True, resolve=only_here)
AGENT = "webgeist/1 (+https://example.org/bot)"
HELLO = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"


@pytest.fixture
def fetcher(make_settings: SettingsMaker) -> Fetcher:
    settings = make_settings(limits={"navigation_seconds": 1})
    return Fetcher(settings, AGENT, gate=HERE)


@asynccontextmanager
async def fetched(fetcher: Fetcher, url: str) -> AsyncIterator[list[Exchange]]:
    exchanges = await fetcher.get(url, most_bytes=1000, redirects=2)
    try:
        yield exchanges
    finally:
        for exchange in exchanges:
            exchange.close()


def moved(place: str) -> bytes:
    return f"HTTP/1.1 301 Moved\r\nLocation: {place}\r\nContent-Length: 0\r\n\r\n".encode()


async def test_a_file_and_who_asks_for_it(fetcher: Fetcher, rig: Rig) -> None:
    url, server = await rig.canned(b"HTTP/1.1 103 Early Hints\r\n\r\n" + HELLO)
    async with fetched(fetcher, f"{url}/robots.txt?a#b") as (found,):
        assert (found.status, found.body.read(), found.error) == (200, b"hello", "")
        assert found.url == f"{url}/robots.txt?a"
        assert found.address == "127.0.0.1"
    asked = server.requests[0].decode()
    assert asked.startswith("GET /robots.txt?a HTTP/1.1\r\nHost: site.localhost:")
    assert f"User-Agent: {AGENT}\r\n" in asked


async def test_redirects_are_followed_and_kept(fetcher: Fetcher, rig: Rig) -> None:
    url, _ = await rig.canned(moved("/second"), moved("third"), HELLO)
    async with fetched(fetcher, f"{url}/a/first") as found:
        assert [each.url.removeprefix(url) for each in found] == ["/a/first", "/second", "/third"]
        assert [each.status for each in found] == [301, 301, 200]


@pytest.mark.parametrize("place", ["", "http://[", "mailto:x", "ftp://h/"])
async def test_a_redirect_to_nowhere_is_the_end(fetcher: Fetcher, rig: Rig, place: str) -> None:
    url, _ = await rig.canned(moved(place))
    async with fetched(fetcher, url) as found:
        assert len(found) <= 2
        assert found[-1].status in {None, 301}


async def test_a_redirect_without_end_has_one(fetcher: Fetcher, rig: Rig) -> None:
    url, server = await rig.canned(moved("/again"))
    async with fetched(fetcher, url) as found:
        assert [each.status for each in found] == [301, 301, 301]
    assert server.connections == 3


async def test_certificates_are_verified(
    rig: Rig, tls_site: TlsSite, make_settings: SettingsMaker, fetcher: Fetcher
) -> None:
    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(HELLO)
        await writer.drain()

    url = f"https://site.localhost:{await rig.serve(greet, tls_site.server)}/"
    trusting = Fetcher(make_settings(), AGENT, gate=HERE, tls=tls_site.trust)
    async with fetched(trusting, url) as (found,):
        assert (found.status, found.body.read()) == (200, b"hello")
        assert found.tls is not None
        assert found.tls.problem == ""
    async with fetched(fetcher, url) as (refused,):
        assert (refused.status, refused.cause) == (None, "tls_certificate_error")


@pytest.mark.parametrize(
    ("answer", "cause", "kept"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\nhel", "http_response_incomplete", b"hel"),
        (b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + b"a" * 1001, "http_response_body_size", b"a" * 1000),
        (b"rubbish\r\n\r\n\r\nConnection: close\r\n", "http_protocol_error", b""),
    ],
)  # fmt: skip
async def test_what_is_wrong_with_an_answer_is_said(
    fetcher: Fetcher, rig: Rig, answer: bytes, cause: str, kept: bytes
) -> None:
    url, _ = await rig.canned(answer)
    async with fetched(fetcher, url) as (found,):
        assert (found.cause, found.body.read()) == (cause, kept)
        assert bool(found.truncated) == (found.status is not None)


async def test_a_silent_server_is_not_waited_for(fetcher: Fetcher, rig: Rig) -> None:
    async def silent(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.read()

    url = f"http://site.localhost:{await rig.serve(silent)}/"
    async with fetched(fetcher, url) as (found,):
        assert (found.status, found.cause) == (None, "connection_read_timeout")


async def test_the_gate_stands_before_every_step(make_settings: SettingsMaker, rig: Rig) -> None:
    inner, server = await rig.canned(HELLO)
    outer, _ = await rig.canned(moved(f"{inner.replace('site', 'inner')}/"))

    async def resolve(host: str, port: int) -> list[str]:
        return ["127.0.0.2" if host == "inner.localhost" else "127.0.0.1"]

    gate = Gate(allow=("127.0.0.1/32",), resolve=resolve)
    async with fetched(Fetcher(make_settings(), AGENT, gate=gate), outer) as found:
        assert [each.status for each in found] == [301, None]
        assert found[-1].refused
    assert server.requests == []


@pytest.mark.parametrize("url", ["ftp://h/", "http://", "http://site.localhost:0/", "http://ü/"])
async def test_an_address_that_is_none_is_said_to_be_none(fetcher: Fetcher, url: str) -> None:
    async with fetched(fetcher, url) as (found,):
        assert found.status is None
        assert found.error
