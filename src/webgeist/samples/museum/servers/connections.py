"""Nasty servers that break off, fall silent or forget the client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.samples.museum.servers.connection import NastyServer

if TYPE_CHECKING:
    from webgeist.samples.museum.servers.connection import Connection

_BROKEN = "a client reports a broken connection, and may try again a limited number of times"
_PARTIAL = "a client keeps what came, marks it incomplete and reports a broken connection"


async def _reset(connection: Connection) -> None:
    connection.reset()


async def _reset_after_request(connection: Connection) -> None:
    await connection.request()
    connection.reset()


async def _reset_in_body(connection: Connection) -> None:
    await connection.request()
    await connection.say(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n"
        b"<!doctype html><title>Half</title><p>The first half"
    )
    connection.reset()


async def _closed_at_once(connection: Connection) -> None:
    await connection.request()


async def _half_closed(connection: Connection) -> None:
    await connection.request()
    connection.end_of_speech()
    await connection.until_gone()


async def _silent(connection: Connection) -> None:
    await connection.until_gone()


async def _silent_in_body(connection: Connection) -> None:
    await connection.request()
    await connection.say(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n<p>And th"
    )
    await connection.until_gone()


async def _closed_on_reuse(connection: Connection) -> None:
    """The first request of a connection is answered, the second finds it closed."""
    await connection.request()
    await connection.say(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 12\r\nConnection: keep-alive\r\n\r\n<p>Hello</p>"
    )
    await connection.request()


async def _no_reading(connection: Connection) -> None:
    """Answers without looking at the request, and closes with the request unread."""
    await connection.say(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")


SERVERS = {
    "reset": NastyServer("accepts the connection and resets it", _BROKEN, _reset),
    "reset-after-request": NastyServer("resets the connection after the request", _BROKEN, _reset_after_request),
    "reset-in-body": NastyServer("resets the connection in the middle of the body", _PARTIAL, _reset_in_body),
    "closed": NastyServer("takes the request and closes without an answer", _BROKEN, _closed_at_once),
    "half-closed": NastyServer("closes its direction without an answer and goes on listening", _BROKEN, _half_closed),
    "silent": NastyServer("accepts the connection and never answers", "a client reports a timeout", _silent),
    "silent-in-body": NastyServer("falls silent in the middle of the body", "a client keeps what came and reports a timeout", _silent_in_body),
    "closed-on-reuse": NastyServer("answers the first request of a connection, and closes it at the second", "a client repeats the second request on a new connection", _closed_on_reuse),
    "unread-request": NastyServer("answers before the request came and closes with it unread", "a client takes the answer, or reports a broken connection", _no_reading),
}  # fmt: skip
