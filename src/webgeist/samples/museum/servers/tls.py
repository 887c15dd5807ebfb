"""Nasty servers that fail at TLS: certificates nobody should accept, and broken handshakes."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from webgeist.capture.recorder.certificates import ca, leaf, self_signed, server_context
from webgeist.samples.museum.servers.connection import Credentials, NastyServer

if TYPE_CHECKING:
    from webgeist.samples.museum.servers.connection import Connection

_HOST = "127.0.0.1"
_MONTH = timedelta(days=31)  # certificates are valid for thirty days
_AUTHORITY = "webgeist museum authority"
_REFUSED = "a client reports which check of the certificate failed, and sends no request"
_HANDSHAKE = "a client reports a failed TLS handshake"


async def _page(connection: Connection) -> None:
    """What a client gets that accepts anything."""
    await connection.request()
    await connection.say(
        b"HTTP/1.1 200 OK\r\nContent-Length: 12\r\nConnection: close\r\n\r\n<p>Hello</p>"
    )


async def _garbage(connection: Connection) -> None:
    await connection.some()
    await connection.say(b"\x16\x03\x03\xff\xff" + bytes(range(256)) * 64)


async def _plain(connection: Connection) -> None:
    await connection.some()
    await connection.say(
        b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    )


async def _closes(connection: Connection) -> None:
    """Reads the client's hello, starts a record and is gone."""
    await connection.some()
    await connection.say(b"\x16\x03\x03\x00\x7a\x02")


async def _stalls(connection: Connection) -> None:
    await connection.some()
    await connection.say(b"\x16\x03\x03\x00\x7a\x02")
    await connection.until_gone()


def _self_signed() -> Credentials:
    return Credentials(server_context(self_signed(_HOST, datetime.now(UTC))))


def _expired() -> Credentials:
    now = datetime.now(UTC)
    authority = ca(_AUTHORITY, now)
    return Credentials(server_context(leaf(authority, _HOST, now - _MONTH)), authority.pem)


def _wrong_host() -> Credentials:
    now = datetime.now(UTC)
    authority = ca(_AUTHORITY, now)
    return Credentials(server_context(leaf(authority, "elsewhere.localhost", now)), authority.pem)


def _unknown_authority() -> Credentials:
    now = datetime.now(UTC)
    return Credentials(server_context(leaf(ca(_AUTHORITY, now), _HOST, now)))


def _wants_certificate() -> Credentials:
    now = datetime.now(UTC)
    authority = ca(_AUTHORITY, now)
    context = server_context(leaf(authority, _HOST, now))
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(cadata=authority.pem)
    return Credentials(context, authority.pem)


SERVERS = {
    "tls-self-signed": NastyServer("a certificate that nobody but itself vouches for", _REFUSED, _page, _self_signed, tls=True),
    "tls-expired": NastyServer("a certificate that ended yesterday, of a known authority", _REFUSED, _page, _expired, tls=True),
    "tls-wrong-host": NastyServer("a certificate for another host, of a known authority", _REFUSED, _page, _wrong_host, tls=True),
    "tls-unknown-authority": NastyServer("a certificate of an authority nobody knows", _REFUSED, _page, _unknown_authority, tls=True),
    "tls-wants-certificate": NastyServer("asks the client for a certificate and breaks off without one", "a client reports that the server wants a certificate", _page, _wants_certificate, tls=True),
    "tls-garbage": NastyServer("answers the handshake with garbage", _HANDSHAKE, _garbage, tls=True),
    "tls-plain": NastyServer("speaks plain HTTP where TLS is expected", _HANDSHAKE, _plain, tls=True),
    "tls-closes": NastyServer("closes in the middle of the handshake", _HANDSHAKE, _closes, tls=True),
    "tls-stalls": NastyServer("falls silent in the middle of the handshake", "a client reports a timeout of the handshake", _stalls, tls=True),
}  # fmt: skip
