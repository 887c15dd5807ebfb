"""Connections to origins: only where the gate lets them, verified, and kept while they are good."""

from __future__ import annotations

import asyncio
import socket
import ssl
from typing import TYPE_CHECKING

import pytest
from tests.capture.conftest import only_here

from webgeist.capture.gate import Gate, RefusedError
from webgeist.capture.recorder.origin import Origin
from webgeist.capture.recorder.upstream import Lines, OriginError, explained, verifying_context
from webgeist.samples.museum.servers import NASTY_SERVERS, nasty

if TYPE_CHECKING:
    from tests.capture.conftest import Rig, TlsSite

ORIGIN = Origin("https", "h", 443)
OPEN = Gate(allow_private=True, resolve=only_here, seconds=0.5)


async def quiet(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    await reader.read()


async def refusal(lines: Lines, origin: Origin) -> OriginError:
    with pytest.raises(OriginError) as caught:
        await lines.take(origin)
    return caught.value


async def test_a_connection_says_where_it_went_and_what_it_was_shown(
    rig: Rig, tls_site: TlsSite
) -> None:
    port = await rig.serve(quiet, tls_site.server)
    lines = Lines(OPEN, tls_site.trust, ())
    line = await lines.take(Origin("https", "site.localhost", port))
    assert line.address == "127.0.0.1"
    assert line.tls is not None
    assert line.tls.problem == ""
    assert line.tls.protocol == "TLSv1.3"
    assert line.tls.subject == "commonName=site.localhost"
    assert line.tls.issuer == "commonName=authority of the test"
    assert line.tls.expires.endswith("GMT")
    lines.give_back(line)
    await lines.close()
    assert line.wire.ended


async def test_connections_are_kept_for_their_origin_only(rig: Rig) -> None:
    port = await rig.serve(quiet)
    one, two = Origin("http", "a.localhost", port), Origin("http", "b.localhost", port)
    lines = Lines(OPEN, verifying_context(), ())
    first = await lines.take(one)
    assert first.fresh
    lines.give_back(first)
    other = await lines.take(two)
    assert other is not first
    again = await lines.take(one)
    assert again is first
    assert not again.fresh
    for line in (first, other):
        lines.give_back(line)
    await lines.close()


async def test_a_kept_connection_that_has_ended_is_not_used(rig: Rig) -> None:
    leave = asyncio.Event()

    async def handler(_: asyncio.StreamReader, __: asyncio.StreamWriter) -> None:
        await leave.wait()

    port = await rig.serve(handler)
    lines = Lines(OPEN, verifying_context(), ())
    origin = Origin("http", "localhost", port)
    first = await lines.take(origin)
    ended = asyncio.Event()
    lines.give_back(first)
    first.wire.on_end = ended.set
    leave.set()
    await ended.wait()
    second = await lines.take(origin)
    assert second is not first
    lines.give_back(second)
    await lines.close()


async def test_a_kept_connection_that_its_server_ends_is_closed(rig: Rig) -> None:
    leave = asyncio.Event()

    async def handler(_: asyncio.StreamReader, __: asyncio.StreamWriter) -> None:
        await leave.wait()

    lines = Lines(OPEN, verifying_context(), ())
    origin = Origin("http", "localhost", await rig.serve(handler))
    made = [await lines.dial(origin) for _ in range(2)]
    lines.give_back(made[0])
    ended = asyncio.Event()
    made[1].wire.on_end = ended.set
    leave.set()
    await made[0].wire.gone  # nobody has asked for it
    await ended.wait()
    lines.give_back(made[1])
    await made[1].wire.gone
    assert lines._idle == {origin: []}
    await lines.close()


async def test_old_connections_go_when_another_comes(rig: Rig) -> None:
    port = await rig.serve(quiet)
    lines = Lines(OPEN, verifying_context(), ())
    first, second = [await lines.dial(Origin("http", f"{n}.localhost", port)) for n in "ab"]
    lines.give_back(first)
    first.kept_at -= 31
    lines.give_back(second)
    await first.wire.gone
    assert not second.wire.ended
    await lines.close()


async def test_a_kept_connection_that_has_spoken_is_not_used(rig: Rig) -> None:
    """Nobody asked: whatever it says would be taken for the answer to the next request."""
    port = await rig.serve(quiet)
    lines = Lines(OPEN, verifying_context(), ())
    origin = Origin("http", "localhost", port)
    first = await lines.take(origin)
    lines.give_back(first)
    first.wire.data_received(b"HTTP/1.1 200 OK\r\n\r\n")
    second = await lines.take(origin)
    assert second is not first
    lines.give_back(second)
    await lines.close()


async def test_only_so_many_are_kept(rig: Rig) -> None:
    port = await rig.serve(quiet)
    lines = Lines(OPEN, verifying_context(), ())
    made = [await lines.dial(Origin("http", f"h{n}.localhost", port)) for n in range(34)]
    for line in made:
        lines.give_back(line)
    await made[1].wire.gone
    assert [line.wire.ended for line in made] == [True, True] + [False] * 32
    await lines.close()


async def test_the_gate_decides_at_connect_time(rig: Rig) -> None:
    port = await rig.serve(quiet)
    lines = Lines(Gate(resolve=only_here), verifying_context(), ())
    error = await refusal(lines, Origin("http", "shop.localhost", port))
    assert (error.cause, error.refused) == ("destination_ip_prohibited", True)
    assert "shop.localhost is 127.0.0.1, which is no public address" in str(error)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "a.localhost", "0.0.0.0", "::1", "::ffff:127.0.0.1", "127.9.9.9"],
)
async def test_a_proxy_does_not_call_itself(rig: Rig, host: str) -> None:
    lines = Lines(OPEN, verifying_context(), {rig.slot.port})
    error = await refusal(lines, Origin("http", host, rig.slot.port))
    assert (error.cause, error.refused) == ("proxy_loop_detected", True)


CERTIFICATES = {
    "tls-self-signed": "self-signed certificate",
    "tls-expired": "certificate has expired",
    "tls-wrong-host": "IP address mismatch, certificate is not valid for '127.0.0.1'.",
    "tls-unknown-authority": "self-signed certificate in certificate chain",
}
HANDSHAKES = {"tls-garbage", "tls-plain", "tls-closes", "tls-stalls"}


def test_every_nasty_tls_server_is_tried() -> None:
    assert {*CERTIFICATES, *HANDSHAKES, "tls-wants-certificate"} == {
        name for name, server in NASTY_SERVERS.items() if server.tls
    }


@pytest.mark.parametrize("name", CERTIFICATES)
async def test_a_certificate_that_is_not_to_be_trusted(name: str) -> None:
    with nasty(name) as address:
        trust = verifying_context()
        if address.authority:
            trust.load_verify_locations(cadata=address.authority)
        error = await refusal(Lines(OPEN, trust, ()), Origin("https", "127.0.0.1", address.port))
    assert error.cause == "tls_certificate_error"
    assert error.tls is not None
    assert CERTIFICATES[name] == error.tls.problem
    assert error.tls.problem in str(error)
    assert not error.refused


@pytest.mark.parametrize("name", sorted(HANDSHAKES))
async def test_a_handshake_that_fails(name: str) -> None:
    with nasty(name) as address:
        lines = Lines(OPEN, verifying_context(), ())
        error = await refusal(lines, Origin("https", "127.0.0.1", address.port))
    expected = {"tls-stalls": "connection_timeout", "tls-closes": "connection_terminated"}
    assert error.cause == expected.get(name, "tls_protocol_error")
    assert error.tls is None


@pytest.mark.parametrize(
    ("error", "cause", "words"),
    [
        (RefusedError("h is private"), "destination_ip_prohibited", "h is private"),
        (socket.gaierror(-2, "Name or service not known"), "dns_error", "not known"),
        (TimeoutError("no answer within 5 s"), "connection_timeout", "within 5 s"),
        (ConnectionRefusedError(111, "Connection refused"), "connection_refused", "h: it refused"),
        (ConnectionResetError(104, "reset by peer"), "connection_terminated", "reset by peer"),
        (OSError(101, "Network is unreachable"), "destination_ip_unroutable", "h: there is no way"),
        (OSError(113, "No route to host"), "destination_ip_unroutable", "No route to host"),
        (OSError(), "connection_terminated", "h: the connection failed"),
        (ssl.SSLError(1, "[SSL] alert"), "tls_protocol_error", "h: TLS failed"),
    ],
)
def test_every_failure_has_its_cause(error: OSError, cause: str, words: str) -> None:
    told = explained(error, ORIGIN)
    assert told.cause == cause
    assert words in str(told)
