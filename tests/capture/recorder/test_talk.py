"""Talks: requests one after the other, bodies in pieces, answers of our own, and every bad end."""

from __future__ import annotations

import asyncio
import socket
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from webgeist.capture.recorder.heads import RequestHead, ResponseHead
from webgeist.capture.recorder.http1 import PageSide
from webgeist.capture.recorder.talk import BadRequestError, PageLeftError, Talk
from webgeist.capture.recorder.wire import Wire

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

LATER = 60.0  # never, as far as a test goes
GET = b"GET http://h.test/%d HTTP/1.1\r\nHost: h.test\r\n\r\n"
POST = b"POST http://h.test/ HTTP/1.1\r\nHost: h.test\r\nContent-Length: %d\r\n\r\n"
EMPTY = ResponseHead(200, "OK", ((b"Content-Length", b"0"),))


@dataclass
class Ends:
    """A talk, and the browser's end of its connection."""

    talk: Talk
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def say(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def asked(self) -> RequestHead:
        request = await self.talk.request()
        assert request is not None
        return request

    async def answer(self) -> None:
        await self.talk.send(self.talk.head(EMPTY) + self.talk.page.end())

    def reset(self) -> None:
        """Leave as a process that is killed does: the other end hears of an error."""
        raw = self.writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


@pytest.fixture
async def make_ends() -> AsyncIterator[Callable[[float], Awaitable[Ends]]]:
    made: list[Ends] = []
    loop = asyncio.get_running_loop()

    async def make(seconds: float) -> Ends:
        arrived: asyncio.Future[Wire] = loop.create_future()

        class Arriving(Wire):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                super().connection_made(transport)
                arrived.set_result(self)

        server = await loop.create_server(Arriving, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        server.close()
        made.append(Ends(Talk(await arrived, PageSide(), seconds), reader, writer))
        return made[-1]

    yield make
    for ends in made:
        ends.talk.wire.abort()
        await ends.talk.wire.gone
        ends.writer.transport.abort()


@pytest.fixture
async def ends(make_ends: Callable[[float], Awaitable[Ends]]) -> Ends:
    return await make_ends(LATER)


async def test_requests_come_one_by_one(ends: Ends) -> None:
    for number in range(3):
        await ends.say(GET % number)
        assert (await ends.asked()).url == f"http://h.test/{number}"
        assert await ends.talk.body_piece() is None
        await ends.answer()
        assert ends.talk.next_request()
    ends.writer.write_eof()
    assert await ends.talk.request() is None


async def test_two_requests_in_one_piece_are_two(ends: Ends) -> None:
    await ends.say(GET % 1 + GET % 2)
    assert (await ends.asked()).url.endswith("/1")
    assert await ends.talk.body_piece() is None
    await ends.answer()
    assert ends.talk.next_request()
    assert (await ends.asked()).url.endswith("/2")


async def test_a_body_comes_in_pieces_and_then_none(ends: Ends) -> None:
    await ends.say(POST % 6 + b"one")
    await ends.asked()
    pieces = [await ends.talk.body_piece()]
    await ends.say(b"two")
    while pieces[-1] is not None:
        pieces.append(await ends.talk.body_piece())
    assert b"".join(piece for piece in pieces if piece) == b"onetwo"


async def test_a_browser_may_take_its_time_to_begin(
    make_ends: Callable[[float], Awaitable[Ends]],
) -> None:
    """The limit is of a request that has begun: 0 seconds are none to wait for the first byte."""
    ends = await make_ends(0.0)
    waiting = asyncio.create_task(ends.talk.request())
    for _ in range(3):
        await asyncio.sleep(0)
    assert not waiting.done()
    await ends.say(GET % 1)
    request = await waiting
    assert request is not None
    assert request.url.endswith("/1")


async def test_a_head_that_stops_halfway_is_given_up(
    make_ends: Callable[[float], Awaitable[Ends]],
) -> None:
    ends = await make_ends(0.01)
    await ends.say(b"GET http://h.test/ HT")
    with pytest.raises(BadRequestError, match=r"head did not come within 0\.01 s"):
        await ends.talk.request()


async def test_a_body_that_stops_halfway_is_given_up(
    make_ends: Callable[[float], Awaitable[Ends]],
) -> None:
    ends = await make_ends(0.01)
    await ends.say(POST % 6 + b"one")
    await ends.asked()
    assert await ends.talk.body_piece() == b"one"
    with pytest.raises(BadRequestError, match=r"no more of it came within 0\.01 s"):
        await ends.talk.body_piece()


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        (b"GET / HTTP/1.1\r\nHost: h\r\n\r\n", "whole http address"),
        (b"GET http://h.test/ HTTP/1.1\r\nHost: h\r\n folded\r\n\r\n", "goes on in the next line"),
        (b"\0\r\n\r\n", "NUL"),
    ],
)
async def test_what_is_no_request_is_refused(ends: Ends, said: bytes, complaint: str) -> None:
    await ends.say(said)
    with pytest.raises(BadRequestError, match=complaint):
        await ends.talk.request()


async def test_who_leaves_within_a_head_made_a_bad_request(ends: Ends) -> None:
    await ends.say(b"GET http://h.test/ HT")
    ends.writer.write_eof()
    with pytest.raises(BadRequestError, match="ends within its head"):
        await ends.talk.request()


async def test_who_leaves_within_a_body_made_a_bad_request(ends: Ends) -> None:
    await ends.say(POST % 6 + b"one")
    await ends.asked()
    assert await ends.talk.body_piece() == b"one"
    ends.writer.write_eof()
    with pytest.raises(BadRequestError):
        await ends.talk.body_piece()


async def test_a_browser_that_is_gone_is_told_apart_from_a_bad_one(ends: Ends) -> None:
    ends.reset()
    await ends.talk.wire.gone
    with pytest.raises(PageLeftError):
        await ends.talk.request()
    with pytest.raises(PageLeftError):
        await ends.talk.send(b"anybody?")


async def test_a_notice_names_its_cause(ends: Ends) -> None:
    await ends.say(GET % 1)
    await ends.asked()
    assert await ends.talk.body_piece() is None
    await ends.talk.notify("dns_error", "there is no h.test")
    head = await ends.reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 502 ")
    assert b"error=dns_error" in head
    assert b"there is no h.test" in await ends.reader.readline()
    assert ends.talk.next_request()  # the connection is as good as before


async def test_an_answer_that_has_begun_is_not_followed_by_another(ends: Ends) -> None:
    await ends.say(GET % 1)
    await ends.asked()
    half = ResponseHead(200, "OK", ((b"Content-Length", b"6"),))
    await ends.talk.send(ends.talk.head(half) + ends.talk.page.body(b"one"))
    await ends.talk.notify("connection_terminated", "it broke off")
    assert not ends.talk.next_request()
    ends.talk.wire.close()
    said = await ends.reader.read()
    assert said.endswith(b"\r\n\r\none")
    assert said.count(b"HTTP/1.1") == 1


async def test_a_request_whose_body_was_not_heard_is_the_last(ends: Ends) -> None:
    """What still comes of it must not be taken for the next request."""
    await ends.say(POST % 6 + b"GET")
    await ends.asked()
    await ends.talk.notify("http_request_denied", "too much")
    assert b"Connection: close" in await ends.reader.readuntil(b"\r\n\r\n")
    assert not ends.talk.next_request()
