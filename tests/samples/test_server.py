"""The sample web's server: there when its block begins, gone without a word when it ends."""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections import deque
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from webgeist.errors import UsageError
from webgeist.samples.app import SampleWeb
from webgeist.samples.server import SampleServer, serve

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GREETING = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def call(server: SampleServer) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=30)


def rest(client: socket.socket) -> bytes:
    """Everything until the server hangs up, however it does."""
    parts = []
    try:
        while part := client.recv(65_536):
            parts.append(part)
    except ConnectionResetError:
        parts.append(b"")
    return b"".join(parts)


def test_addresses_have_the_port() -> None:
    server = SampleServer(81, SampleWeb())
    assert server.url() == "http://localhost:81/"
    assert server.url("shop", "/cart?x=1") == "http://shop.localhost:81/cart?x=1"


def test_nobody_is_refused_from_the_first_moment_on() -> None:
    with serve() as server, call(server) as client:
        client.sendall(GREETING)
        assert rest(client).startswith(b"HTTP/1.1 200 OK\r\n")


def test_a_taken_port_is_the_callers_mistake_with_a_remedy() -> None:
    before = set(threading.enumerate())
    with serve() as server, pytest.raises(UsageError) as caught, serve(server.port):
        pass
    assert f"port {server.port} is taken" in caught.value.message
    assert caught.value.remedy == "choose another with --port, or 0 for any"
    assert set(threading.enumerate()) == before


def test_nothing_is_left_after_the_block() -> None:
    before = set(threading.enumerate())
    with serve() as server:
        assert {thread.name for thread in set(threading.enumerate()) - before} >= {
            "webgeist-samples"
        }
    assert set(threading.enumerate()) == before
    with pytest.raises(ConnectionRefusedError):
        call(server)


def test_an_error_in_the_block_passes_through_and_ends_the_server() -> None:
    before = set(threading.enumerate())
    with pytest.raises(ZeroDivisionError), serve() as server:
        raise ZeroDivisionError
    assert set(threading.enumerate()) == before
    with pytest.raises(ConnectionRefusedError):
        call(server)


def test_a_port_can_be_taken_again_at_once() -> None:
    with serve() as first, call(first) as client:
        client.sendall(GREETING)
        assert rest(client)
    with serve(first.port) as second:
        assert second.port == first.port


def test_two_webs_have_their_own_time_and_log() -> None:
    with serve() as one, serve() as other, call(one) as client:
        client.sendall(GREETING)
        assert rest(client)
        assert one.port != other.port
        assert one.clock is not other.clock
        assert (len(one.log), other.log) == (1, [])


@pytest.fixture
def silence(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Nobody says a word: uvicorn would, when a visitor stays until its patience ends."""
    yield
    assert [record.getMessage() for record in caplog.get_records("call")] == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.usefixtures("silence")
@pytest.mark.parametrize(
    "path",
    [
        "/load/trickle",
        "/load/stalled",
        "/load/endless.js",
        "/load/events.stream",
        "/load/bomb",
        "/sitemaps/bomb.xml.gz",
        "/load/never",
        "/answers/silence",
    ],
)
def test_the_block_ends_with_a_visitor_inside(path: str) -> None:
    before = set(threading.enumerate())
    deadline = time.monotonic() + 30
    with serve() as server:
        client = call(server)
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: museum.localhost\r\n\r\n".encode())
        while not server.log:
            assert time.monotonic() < deadline, "the request never came"
        if server.log[0].status:
            assert client.recv(1)
    with client:
        rest(client)
    assert set(threading.enumerate()) == before


@pytest.mark.usefixtures("silence")
@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: loc", GREETING])
def test_the_block_ends_with_a_caller_who_has_hardly_spoken(said: bytes) -> None:
    with serve() as server:
        client = call(server)
        client.sendall(said)
    with client:
        rest(client)


@pytest.mark.usefixtures("silence")
def test_the_block_ends_in_the_middle_of_a_flood() -> None:
    with ExitStack() as later:
        with serve() as server:
            address = f"ws://museum.localhost:{server.port}/load/flood"
            flood = later.enter_context(connect(address, sock=call(server), proxy=None))
            assert len(flood.recv(timeout=30)) == 1024
        with pytest.raises(ConnectionClosed):
            deque(flood, maxlen=0)


def test_handlers_of_this_process_are_left_open(tmp_path: Path) -> None:
    with closing(logging.FileHandler(tmp_path / "log")) as handler, serve():
        assert handler.stream  # None when it was closed
