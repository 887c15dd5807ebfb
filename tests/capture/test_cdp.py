"""The protocol connection over real pipes, with a peer that the test plays."""

from __future__ import annotations

import asyncio
import json
import os
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.capture.cdp import CommandError, CommandTimeoutError, Connection, Frames
from webgeist.errors import BrowserError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine


@given(st.lists(st.binary(max_size=5).map(lambda part: part.replace(b"\1", b"\0"))))
def test_frames_cut_a_stream_as_a_split_of_the_whole_would(chunks: list[bytes]) -> None:
    frames = Frames()
    found = [message for chunk in chunks for message in frames.feed(chunk)]
    assert found == b"".join(chunks).split(b"\0")[:-1]


@dataclass
class Peer:
    """The browser's side: reads commands, writes whatever it is told to."""

    commands: asyncio.StreamReader
    answers: int

    async def read(self) -> dict[str, Any]:
        message = await self.commands.readuntil(b"\0")
        command: dict[str, Any] = json.loads(message[:-1])
        return command

    def write(self, message: dict[str, Any] | bytes) -> None:
        raw = message if isinstance(message, bytes) else compact(message)
        os.write(self.answers, raw + b"\0")

    def close(self) -> None:
        if self.answers >= 0:
            os.close(self.answers)
            self.answers = -1


def compact(message: dict[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode()


@asynccontextmanager
async def connected(seconds: float = 10) -> AsyncIterator[tuple[Connection, Peer]]:
    loop = asyncio.get_running_loop()
    commands_out, commands_in = os.pipe()
    answers_out, answers_in = os.pipe()
    writer, _ = await loop.connect_write_pipe(asyncio.Protocol, os.fdopen(commands_in, "wb", 0))
    reader, connection = await loop.connect_read_pipe(
        lambda: Connection(writer, seconds), os.fdopen(answers_out, "rb", 0)
    )
    stream = asyncio.StreamReader()
    heard, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(stream), os.fdopen(commands_out, "rb", 0)
    )
    peer = Peer(stream, answers_in)
    try:
        yield connection, peer
    finally:
        peer.close()
        for transport in (writer, reader, heard):
            transport.close()
        await asyncio.sleep(0)  # the transports close their files in the loop's next turn


def started(work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
    return asyncio.ensure_future(work)


async def test_answers_out_of_order_reach_those_who_asked() -> None:
    async with connected() as (connection, peer):
        first = started(connection.send("A.first", {"x": 1}))
        second = started(connection.send("A.second", session="S"))
        one, two = await peer.read(), await peer.read()
        assert one == {"id": one["id"], "method": "A.first", "params": {"x": 1}}
        assert two == {"id": two["id"], "method": "A.second", "params": {}, "sessionId": "S"}
        peer.write({"id": two["id"], "result": {"n": 2}, "sessionId": "S"})
        peer.write({"id": one["id"], "result": {"n": 1}})
        assert (await first, await second) == ({"n": 1}, {"n": 2})


async def test_a_raw_answer_is_handed_on_as_it_came() -> None:
    async with connected() as (connection, peer):
        asked = started(connection.send_raw("A.b"))
        number = (await peer.read())["id"]
        raw = b'{"id":%d,"result":{"data":"\\ud800  "}}' % number
        peer.write(raw)
        assert await asked == raw


async def test_an_answer_in_pieces_is_put_together() -> None:
    async with connected() as (connection, peer):
        asked = started(connection.send("A.b"))
        number = (await peer.read())["id"]
        raw = compact({"id": number, "result": {"data": "x" * 300_000}}) + b"\0"
        await asyncio.to_thread(write_all, peer.answers, raw)
        assert len((await asked)["data"]) == 300_000


def write_all(descriptor: int, raw: bytes) -> None:
    while raw:
        raw = raw[os.write(descriptor, raw[:70_001]) :]


async def test_lone_surrogates_in_answers_are_replaced() -> None:
    async with connected() as (connection, peer):
        asked = started(connection.send("A.b"))
        peer.write({"id": (await peer.read())["id"], "result": {"text": "a\ud83d"}})
        assert await asked == {"text": "a�"}


async def test_a_refusal_is_an_error_with_the_browsers_words() -> None:
    async with connected() as (connection, peer):
        asked = started(connection.send("A.b"))
        number = (await peer.read())["id"]
        peer.write({"id": number, "error": {"code": -1, "message": "No such frame"}})
        with pytest.raises(CommandError, match=r"A\.b: No such frame"):
            await asked


async def test_a_result_that_speaks_of_errors_is_no_refusal() -> None:
    async with connected() as (connection, peer):
        asked = started(connection.send("A.b"))
        peer.write({"id": (await peer.read())["id"], "result": {"error": "net::ERR"}})
        assert await asked == {"error": "net::ERR"}


async def test_no_answer_in_time_is_an_error_and_a_late_one_is_ignored() -> None:
    async with connected() as (connection, peer):
        with pytest.raises(CommandTimeoutError, match=r"A\.slow"):
            await connection.send("A.slow", seconds=0.01)
        late = (await peer.read())["id"]
        asked = started(connection.send("A.next"))
        number = (await peer.read())["id"]
        peer.write({"id": late, "result": {"late": True}})
        peer.write({"id": number, "result": {"late": False}})
        assert await asked == {"late": False}


async def test_the_default_patience_counts_where_none_is_given() -> None:
    async with connected(seconds=0.01) as (connection, _):
        with pytest.raises(CommandTimeoutError):
            await connection.send("A.slow")


async def test_events_reach_the_listener_of_their_session_only() -> None:
    async with connected() as (connection, peer):
        heard: list[tuple[str, str, dict[str, Any]]] = []
        connection.listen("", lambda method, params: heard.append(("", method, params)))
        connection.listen("S", lambda method, params: heard.append(("S", method, params)))
        connection.listen("T", lambda method, params: heard.append(("T", method, params)))
        connection.forget("T")
        peer.write({"method": "E.browser", "params": {"n": 1}})
        peer.write({"method": "E.tab", "params": {"n": 2}, "sessionId": "S"})
        peer.write({"method": "E.forgotten", "params": {}, "sessionId": "T"})
        peer.write({"method": "E.unknown", "params": {}, "sessionId": "U"})
        asked = started(connection.send("A.b"))
        peer.write({"id": (await peer.read())["id"], "result": {}})
        await asked  # all that was written before has been read
        assert heard == [("", "E.browser", {"n": 1}), ("S", "E.tab", {"n": 2})]


async def test_a_peer_that_goes_fails_all_who_wait_and_all_who_come() -> None:
    async with connected() as (connection, peer):
        waiting = [started(connection.send("A.b")) for _ in range(3)]
        connection.post("A.unwatched")
        await peer.read()
        peer.close()
        for asked in waiting:
            with pytest.raises(BrowserError, match="died") as caught:
                await asked
            assert caught.value.remedy
        assert connection.closed.done()
        with pytest.raises(BrowserError):
            await connection.send("A.b")
        connection.post("A.too-late")  # nobody waits for it: nothing to fail


async def test_posted_commands_are_sent_and_their_answers_dropped() -> None:
    async with connected() as (connection, peer):
        connection.post("A.posted", {"x": 1}, session="S")
        command = await peer.read()
        assert (command["method"], command["sessionId"]) == ("A.posted", "S")
        peer.write({"id": command["id"], "error": {"code": 1, "message": "nobody cares"}})
        asked = started(connection.send("A.b"))
        peer.write({"id": (await peer.read())["id"], "result": {}})
        await asked
        assert not connection._pending


async def test_a_cancelled_command_leaves_nothing_behind() -> None:
    async with connected() as (connection, peer):
        asked = started(connection.send("A.b"))
        await peer.read()
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        assert not connection._pending
