"""Clients that stop reading, leave, or come in numbers: nothing is held for good."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from typing import TYPE_CHECKING, Any

import pytest
from tests.repository.making import make_capture, new_repository
from tests.server.asking import IDS, Asked, serving

from webgeist.server.problems import ProblemError
from webgeist.server.serving import Streams
from webgeist.server.streaming import StreamReply
from webgeist.server.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

PATH = "/v1/tables/nodes.ndjson"


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose nodes are more than what fits into the buffers of a connection."""
    path = tmp_path_factory.mktemp("large") / "r"
    with new_repository(path) as repository:
        for number in range(3):
            repository.add(make_capture(number, nodes=20_000))
        repository.publish()
    return path


def _open(asked: Asked, path: str = PATH) -> socket.socket:
    """A client that asks and reads no more than the first bytes."""
    client = socket.create_connection(("127.0.0.1", asked.running.address.port), timeout=60)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    assert client.recv(12) == b"HTTP/1.1 200"
    return client


def _until(asked: Asked, true: Callable[[dict[str, Any]], bool]) -> None:
    """Ask the server itself, until it says so; it answers others meanwhile."""
    while not true(asked.json("/v1/limits.json")["now"]):
        pass


def test_who_stops_reading_is_cut_off_and_holds_nothing(large: Path) -> None:
    with serving(large, stall_seconds=1, streams=2) as asked:
        with _open(asked) as one, _open(asked):
            assert asked.get(PATH).status_code == 503  # both are held, and the server answers
            assert asked.get(f"/v1/pages/{IDS[0]}/nodes/0.json").status_code in (200, 404)
            _until(asked, lambda now: now["streams"] == 0)
            assert asked.running.serving.quick.inside <= 1
            received = _all(one)
        assert b"$end" not in received  # what is cut off does not look complete
        assert asked.get(PATH, params={"limit": 1}).status_code == 200


def _all(client: socket.socket) -> bytes:
    found = b""
    try:
        while piece := client.recv(1 << 16):
            found += piece
    except ConnectionResetError:
        pass
    return found


def test_who_leaves_is_not_written_to_any_more(large: Path) -> None:
    with serving(large) as asked:
        for _ in range(5):
            _open(asked).close()
        _until(asked, lambda now: now["streams"] == 0)
        assert asked.get(PATH, params={"limit": 1}).status_code == 200


def _ask(asked: Asked, query: dict[str, Any]) -> socket.socket:
    """A client that asks a query and reads nothing."""
    client = socket.create_connection(("127.0.0.1", asked.running.address.port), timeout=60)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    body = json.dumps(query).encode()
    head = f"POST /v1/query.json HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
    client.sendall(head.encode() + b"Content-Type: application/json\r\n\r\n" + body)
    return client


def test_who_does_not_read_an_answer_keeps_nobody_from_asking(large: Path) -> None:
    """There is one thread for queries, and it is free as soon as the answer is there."""
    everything = {"$from": "@dom", "$select": ["capture", "node", "name", "x", "y", "width"]}
    with (
        serving(large, stall_seconds=1, queries=1) as asked,
        _ask(asked, everything) as one,
        _ask(asked, everything) as two,
    ):
        assert one.recv(12) == two.recv(12) == b"HTTP/1.1 200"
        answer = asked.client.post("/v1/query.json", json={"$from": "@dom", "$count": 1})
        assert answer.json()["items"] == [{"count": 60_000}]
        _until(asked, lambda now: now["queries"] == 0)
        _until(asked, lambda _: not _connected(asked, one, two))
        assert not _all(one).endswith(b"}")  # cut off, and does not look complete


def _connected(asked: Asked, *clients: socket.socket) -> set[int]:
    """The clients that the server still holds, by their ports."""
    ports = {client.getsockname()[1] for client in clients}
    state = asked.running._servers[0].server_state
    held = [each.transport.get_extra_info("peername") for each in list(state.connections)]
    return ports & {name[1] for name in held if name}


def test_an_endless_query_ends_with_its_client(large: Path) -> None:
    """A real one: half a billion pairs of nodes. Its thread is free for the next."""
    endless = {"$from": "@dom", "$where": {"@descendants": {"$cnt": {"$gt": 1}}}, "$count": 1}
    with serving(large, queries=1, query_seconds=600) as asked:
        client = _ask(asked, endless)
        _until(asked, lambda now: now["queries"] == 1)
        client.close()
        _until(asked, lambda now: now["queries"] == 0)
        count = asked.client.post("/v1/query.json", json={"$from": "@dom", "$count": 1})
        assert count.json()["items"] == [{"count": 60_000}]


def test_a_stream_keeps_its_release_whatever_is_published(tmp_path: Path) -> None:
    with new_repository(tmp_path / "r") as repository:
        repository.add(make_capture(0, nodes=30_000))
        repository.publish()
        with serving(tmp_path / "r") as asked:
            with asked.client.stream("GET", PATH) as answer:
                lines = answer.iter_lines()
                next(lines)
                repository.add(make_capture(1, nodes=30_000))
                repository.publish()
                assert asked.json("/v1/")["release"] == 2
                *_, end = lines
            assert '"release":1,"rows":30000,"cut":false' in end
            assert asked.json("/v1/pages.json")["release"] == 2
            repository.remove_release(1)
            assert asked.problem("/v1/pages.json?release=1", 404)["detail"].endswith("removed")


def test_a_server_that_is_told_to_stop_does_not_wait_for_readers(large: Path) -> None:
    with serving(large) as asked:
        client = _open(asked)
    client.close()  # the block has ended, though nothing was read


def test_what_fails_on_its_way_does_not_look_complete(large: Path, tmp_path: Path) -> None:
    """A damaged file in the middle: the client sees that it has not got everything."""
    import shutil

    shutil.copytree(large, tmp_path / "r")
    file = next((tmp_path / "r" / "tables" / "nodes").glob("*.parquet"))
    file.write_bytes(b"PAR1" + b"\0" * 100 + b"PAR1")
    with serving(tmp_path / "r") as asked:
        found = asked.problem(PATH, 409)
        assert "damaged" in found["detail"]
        assert asked.get("/v1/pages.json").status_code == 200


async def _sent(reply: StreamReply, *, leaves_after: int | None = None) -> list[bytes]:
    bodies: list[bytes] = []
    left = asyncio.Event()

    async def receive() -> dict[str, Any]:
        await left.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.body":
            bodies.append(message["body"])
            if len(bodies) == leaves_after:
                left.set()
                await asyncio.sleep(0)

    await reply({"type": "http"}, receive, send)
    return bodies


def _reply(chunks: Iterator[bytes], streams: Streams) -> StreamReply:
    workers = Workers("t", threads=1, waiting=9, seconds=30)
    return StreamReply(chunks, {"content-type": "text/plain"}, workers, streams)


async def test_no_more_is_made_for_who_is_gone() -> None:
    made: list[int] = []

    def chunks() -> Iterator[bytes]:
        for number in range(100):
            made.append(number)
            yield b"x"

    streams = Streams(1)
    await _sent(_reply(chunks(), streams), leaves_after=3)
    assert len(made) <= 5
    assert streams.open == 0


async def test_chunks_are_made_outside_of_the_loops_thread() -> None:
    threads = []

    def chunks() -> Iterator[bytes]:
        threads.append(threading.current_thread())
        yield b"a"
        yield b""
        yield b"b"

    assert await _sent(_reply(chunks(), Streams(1))) == [b"a", b"b", b""]
    assert threads != [threading.main_thread()]


async def test_an_error_before_the_first_piece_comes_before_any_answer() -> None:
    def chunks() -> Iterator[bytes]:
        if streams.open:
            raise ProblemError(404, "nothing there")
        yield b""

    streams = Streams(1)
    with pytest.raises(ProblemError):
        await _sent(_reply(chunks(), streams))
    assert streams.open == 0
    with streams.one(), pytest.raises(ProblemError, match="1 streams are open"):
        await _sent(_reply(iter([b"x"]), streams))
