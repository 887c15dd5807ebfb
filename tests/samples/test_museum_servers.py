"""Each nasty server does what its name says, to a raw socket; after its block nothing is left."""

from __future__ import annotations

import gzip
import resource
import socket
import ssl
import threading
import zlib
from contextlib import suppress

import pytest

from webgeist.samples.museum.servers import NASTY_SERVERS, Address, bodies, closed_port, nasty
from webgeist.samples.museum.servers.connection import Connection, NastyServer

REQUEST = b"GET / HTTP/1.1\r\nHost: museum.localhost\r\n\r\n"
CERTIFICATES = [name for name, server in NASTY_SERVERS.items() if server.credentials]
HANDSHAKES = [name for name, server in NASTY_SERVERS.items() if server.tls and not server.credentials]  # fmt: skip
PLAIN = [name for name, server in NASTY_SERVERS.items() if not server.tls and name != "reset"]
ENDLESS = ["slow-headers", "endless-headers", "endless-informational", "endless-body", "endless-chunks", "endless-trailers"]  # fmt: skip


def connect(address: Address) -> socket.socket:
    return socket.create_connection((address.host, address.port), timeout=30)


def ask(client: socket.socket) -> None:
    client.sendall(REQUEST)


def rest(client: socket.socket) -> bytes:
    """Everything until the server closes its direction."""
    parts = []
    while part := client.recv(65_536):
        parts.append(part)
    return b"".join(parts)


def at_least(client: socket.socket, size: int) -> bytes:
    got = b""
    while len(got) < size:
        part = client.recv(65_536)
        assert part, f"the server closed after {len(got)} bytes"
        got += part
    return got


def until(client: socket.socket, end: bytes) -> bytes:
    """What comes up to and with `end`, and not a byte more."""
    got = b""
    while not got.endswith(end):
        byte = client.recv(1)
        assert byte, f"the server closed after {got!r}"
        got += byte
    return got


def answer(name: str) -> tuple[bytes, bytes]:
    """Head and body of a server that closes by itself."""
    with nasty(name) as address, connect(address) as client:
        ask(client)
        head, _, body = rest(client).partition(b"\r\n\r\n")
    return head, body


def silent(client: socket.socket) -> bool:
    """Nothing has come, and the connection is open."""
    client.setblocking(False)
    try:
        client.recv(1)
    except BlockingIOError:
        return True
    finally:
        client.settimeout(30)
    return False


@pytest.mark.parametrize("name", NASTY_SERVERS)
def test_nothing_is_left_after_the_block(name: str) -> None:
    before = set(threading.enumerate())
    with nasty(name) as address:
        with suppress(ConnectionError), connect(address) as client:
            ask(client)
        assert any(name in thread.name for thread in threading.enumerate())
    assert set(threading.enumerate()) == before
    with pytest.raises(ConnectionRefusedError):
        connect(address)


@pytest.mark.parametrize("name", [name for name in NASTY_SERVERS if name != "reset"])
def test_a_client_that_stays_is_put_out_at_the_end(name: str) -> None:
    with nasty(name) as address:
        client = connect(address)
    with client:
        try:
            rest(client)
        except ConnectionError:
            return


@pytest.mark.parametrize("name", PLAIN)
def test_a_server_serves_many_clients(name: str) -> None:
    with nasty(name) as address:
        for _ in range(3):
            with connect(address) as client:
                assert client.getpeername()[1] == address.port
        assert address.url == f"http://127.0.0.1:{address.port}/"


def test_every_server_says_what_to_expect() -> None:
    assert all(server.nastiness and server.expected for server in NASTY_SERVERS.values())


def test_an_unknown_name_is_a_mistake() -> None:
    with pytest.raises(KeyError), nasty("nice"):
        pass


def test_a_handlers_own_mistake_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(connection: Connection) -> None:
        raise ZeroDivisionError

    servers = {"broken": NastyServer("fails", "nothing", broken)}
    monkeypatch.setattr("webgeist.samples.museum.servers.NASTY_SERVERS", servers)
    with (
        pytest.raises(ExceptionGroup) as caught,
        nasty("broken") as address,
        connect(address) as client,
    ):
        assert rest(client) == b""
    assert isinstance(caught.value.exceptions[0], ZeroDivisionError)


def test_an_error_in_the_block_passes_through_and_ends_the_server() -> None:
    before = set(threading.enumerate())
    with pytest.raises(ZeroDivisionError), nasty("silent"):
        raise ZeroDivisionError
    assert set(threading.enumerate()) == before


def test_closed_port_refuses() -> None:
    with closed_port() as port, pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=30)


def test_reset_is_a_reset() -> None:
    """The reset may strike while the client still connects."""
    with (
        nasty("reset") as address,
        pytest.raises(ConnectionResetError),
        connect(address) as client,
    ):
        rest(client)


def test_reset_after_request() -> None:
    with nasty("reset-after-request") as address, connect(address) as client:
        assert silent(client)
        ask(client)
        with pytest.raises(ConnectionResetError):
            rest(client)


def test_reset_in_body_comes_after_part_of_it() -> None:
    with nasty("reset-in-body") as address, connect(address) as client:
        ask(client)
        assert until(client, b"The first half")
        with pytest.raises(ConnectionResetError):
            rest(client)


def test_closed_sends_nothing() -> None:
    assert answer("closed") == (b"", b"")


def test_half_closed_goes_on_listening() -> None:
    with nasty("half-closed") as address, connect(address) as client:
        ask(client)
        assert rest(client) == b""
        client.sendall(b"still there?" * 1000)


def test_silent_never_answers() -> None:
    with nasty("silent") as address, connect(address) as client:
        ask(client)
        assert silent(client)


def test_silent_in_body_stops_in_the_middle() -> None:
    with nasty("silent-in-body") as address, connect(address) as client:
        ask(client)
        assert until(client, b"<p>And th")
        assert silent(client)


def test_closed_on_reuse_answers_once_per_connection() -> None:
    with nasty("closed-on-reuse") as address:
        for _ in range(2):
            with connect(address) as client:
                ask(client)
                assert until(client, b"<p>Hello</p>")
                ask(client)
                assert rest(client) == b""


def test_unread_request_is_answered_before_it_comes() -> None:
    with nasty("unread-request") as address, connect(address) as client:
        assert rest(client).endswith(b"ok")


@pytest.mark.parametrize("name", ENDLESS)
def test_endless_ones_go_on(name: str) -> None:
    size = 20 if name == "slow-headers" else 5_000_000 if name != "endless-informational" else 500
    with nasty(name) as address, connect(address) as client:
        ask(client)
        assert at_least(client, size).startswith(b"HTTP/1.1 ")


class Listener(Connection):
    """Hears what a handler says, word for word, and leaves after twenty."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []

    async def request(self) -> bytes:
        return REQUEST

    async def say(self, data: bytes) -> None:
        self.heard.append(data)
        if len(self.heard) == 20:
            raise ConnectionResetError


async def test_slow_headers_come_byte_by_byte() -> None:
    listener = Listener()
    with pytest.raises(ConnectionResetError):
        await NASTY_SERVERS["slow-headers"].handle(listener)
    first, *others = listener.heard
    assert first == b"HTTP/1.1 200 OK\r\n"
    assert {len(byte) for byte in others} == {1}
    assert b"".join(others).startswith(b"X-Slow: loris\r\nX-S")


def test_endless_headers_have_no_end() -> None:
    with nasty("endless-headers") as address, connect(address) as client:
        ask(client)
        assert b"\r\n\r\n" not in at_least(client, 1_000_000)


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("garbage", bytes(range(256))),
        ("other-protocol", b"220 museum"),
        ("http-0.9", b"<!doctype html>"),
        ("http-9", b"HTTP/9.9 200"),
        ("bad-status", b"HTTP/1.1 OK"),
        ("unasked-upgrade", b"HTTP/1.1 101 "),
        ("bare-newlines", b"HTTP/1.1 200 OK\nContent-Type"),
        ("early-hints", b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n"),
        ("two-answers", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirstHTTP/1.1 200 OK"),
    ],
)
def test_strange_starts(name: str, start: bytes) -> None:
    with nasty(name) as address, connect(address) as client:
        ask(client)
        assert rest(client).startswith(start)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("null-header", b"X-Null: a\0b\r\n"),
        ("folded-header", b"X-Folded: first\r\n second\r\n"),
        ("nameless-header", b"\r\nthis line is no header\r\n"),
        ("latin-header", b"caf\xe9 \xff\xfe\r\n"),
        ("length-negative", b"Content-Length: -1\r\n"),
        ("length-words", b"Content-Length: seventy\r\n"),
        ("length-huge", b"Content-Length: 1000000000000000000\r\n"),
        ("unknown-encoding", b"Content-Encoding: museum\r\n"),
    ],
)
def test_strange_headers(name: str, line: bytes) -> None:
    head, body = answer(name)
    assert line in head + b"\r\n"
    assert body.startswith(b"<!doctype html>")


@pytest.mark.parametrize("name", ["huge-header", "huge-status-line"])
def test_huge_heads(name: str) -> None:
    head, body = answer(name)
    assert max(map(len, head.split(b"\r\n"))) > 1_000_000
    assert body.startswith(b"<!doctype html>")


def lengths(head: bytes) -> list[int]:
    return [int(line.split(b":")[1]) for line in head.split(b"\r\n") if b"Length:" in line]


def test_wrong_lengths() -> None:
    head, body = answer("length-too-long")
    assert lengths(head) == [len(body) + 1000]
    head, body = answer("length-too-short")
    assert lengths(head) == [len(body) - 30]
    head, body = answer("length-twice")
    assert lengths(head) == [len(body), 10]


def test_length_and_chunked_come_together() -> None:
    head, body = answer("length-and-chunked")
    assert lengths(head) == [5]
    assert b"Transfer-Encoding: chunked" in head
    assert body.endswith(b"\r\n0\r\n\r\n")


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("bad-chunk-size", b"\r\nzz\r\nhello\r\n0\r\n\r\n"),
        ("bad-chunk-end", b"5\r\nhello world\r\n0\r\n\r\n"),
        ("huge-chunk-size", b"fff\r\nhello"),
        ("unfinished-chunks", b"</h1>\n\r\n"),
    ],
)
def test_bad_chunks(name: str, end: bytes) -> None:
    head, body = answer(name)
    assert b"Transfer-Encoding: chunked" in head
    assert body.endswith(end)


def test_truncated_gzip_is_whole_on_the_wire_and_cut_inside() -> None:
    head, body = answer("truncated-gzip")
    assert b"Content-Encoding: gzip" in head
    assert lengths(head) == [len(body)]
    assert zlib.decompressobj(31).decompress(body).startswith(b"<!doctype html>")
    with pytest.raises(EOFError):
        gzip.decompress(body)


def test_truncated_brotli_is_cut_inside() -> None:
    brotli = pytest.importorskip("brotli")
    head, body = answer("truncated-brotli")
    assert b"Content-Encoding: br" in head
    assert lengths(head) == [len(body)]
    assert brotli.decompress(bodies.BROTLI).startswith(b"<!doctype html>")
    with pytest.raises(brotli.error):
        brotli.decompress(body)


def test_wrong_encoding_is_plain() -> None:
    head, body = answer("wrong-encoding")
    assert b"Content-Encoding: gzip" in head
    assert body.startswith(b"<!doctype html>")


def test_onion_has_twenty_layers() -> None:
    head, body = answer("gzip-onion")
    assert head.count(b"gzip") == 20
    for _ in range(20):
        body = gzip.decompress(body)
    assert body.startswith(b"<!doctype html>")


def test_gzip_bomb_is_ten_gigabytes_of_zeros_made_piece_by_piece() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    head, body = answer("gzip-bomb")
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert b"Content-Encoding: gzip" in head
    assert len(body) < 20_000_000
    assert int.from_bytes(body[-4:], "little") == (10 << 30) % (1 << 32)
    assert zlib.decompressobj(31).decompress(body, 3 << 20) == bytes(3 << 20)
    assert after - before < 200_000  # kilobytes


def handshake(address: Address, trusted: str | None) -> ssl.SSLSocket:
    context = ssl.create_default_context(cadata=trusted)
    with connect(address) as client:
        return context.wrap_socket(client, server_hostname=address.host)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("tls-self-signed", "self-signed certificate"),
        ("tls-expired", "certificate has expired"),
        ("tls-wrong-host", "IP address mismatch"),
        ("tls-unknown-authority", "self-signed certificate in certificate chain"),
    ],
)
def test_certificates_are_refused_for_the_reason_in_their_name(name: str, reason: str) -> None:
    with nasty(name) as address, pytest.raises(ssl.SSLCertVerificationError) as caught:
        handshake(address, address.authority)
    assert reason in caught.value.verify_message
    assert address.url.startswith("https://")


@pytest.mark.parametrize("name", [name for name in CERTIFICATES if name != "tls-wants-certificate"])
def test_a_client_that_accepts_anything_gets_a_page(name: str) -> None:
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    with (
        nasty(name) as address,
        connect(address) as client,
        context.wrap_socket(client) as secure,
    ):
        ask(secure)
        assert rest(secure).endswith(b"<p>Hello</p>")


def test_wants_certificate_refuses_a_client_without_one() -> None:
    """TLS 1.3 clients learn of it only when they read: as an alert, a reset or a plain end."""
    got = b""
    with (
        nasty("tls-wants-certificate") as address,
        suppress(OSError),
        handshake(address, address.authority) as client,
    ):
        ask(client)
        got = rest(client)
    assert got == b""


@pytest.mark.parametrize("name", [name for name in HANDSHAKES if name != "tls-stalls"])
def test_broken_handshakes_fail(name: str) -> None:
    with nasty(name) as address, pytest.raises((ssl.SSLError, ConnectionError)):
        handshake(address, None)


def test_stalled_handshake_says_a_few_bytes_and_no_more() -> None:
    with nasty("tls-stalls") as address, connect(address) as client:
        client.sendall(b"\x16\x03\x01 a client's hello")
        assert at_least(client, 6) == b"\x16\x03\x03\x00\x7a\x02"
        assert silent(client)
