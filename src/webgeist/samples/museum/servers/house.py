"""Opens the door, gives each client a task of its own, and clears the house when told to stop."""

from __future__ import annotations

import asyncio
import ssl
from typing import TYPE_CHECKING

from webgeist.samples.museum.servers.connection import Connection

if TYPE_CHECKING:
    import socket

    from webgeist.samples.museum.servers.connection import Handler

Guests = dict["socket.socket", "asyncio.Task[None]"]


async def serve(
    handle: Handler, listener: socket.socket, context: ssl.SSLContext | None, stop: asyncio.Event
) -> None:
    """Accepts clients until `stop`, then cancels all handlers; raises the handlers' own mistakes."""
    loop = asyncio.get_running_loop()
    guests: Guests = {}
    listener.setblocking(False)
    loop.add_reader(listener, _welcome, handle, listener, context, guests)
    await stop.wait()
    loop.remove_reader(listener)
    await _clear(guests)


def _welcome(
    handle: Handler, listener: socket.socket, context: ssl.SSLContext | None, guests: Guests
) -> None:
    """Not a coroutine: one that is cancelled between accepting and returning would lose the socket."""
    try:
        client, _ = listener.accept()
    except (BlockingIOError, ConnectionAbortedError):  # it left before it came in
        return
    client.setblocking(False)
    guests[client] = asyncio.create_task(_receive(handle, client, context))


async def _clear(guests: Guests) -> None:
    for task in guests.values():
        task.cancel()
    outcomes = await asyncio.gather(*guests.values(), return_exceptions=True)
    for client in guests:
        client.close()
    mistakes = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    if mistakes:
        raise ExceptionGroup("a nasty server failed in a way it should not", mistakes)


async def _receive(handle: Handler, client: socket.socket, context: ssl.SSLContext | None) -> None:
    """One client from handshake to close. That a client leaves, or refuses our certificate, is normal."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    try:
        transport, _ = await loop.connect_accepted_socket(lambda: protocol, client, ssl=context)
    except (ConnectionError, ssl.SSLError):
        return
    writer = asyncio.StreamWriter(transport, protocol, reader, loop)
    try:
        await handle(Connection(reader, writer))
        writer.close()
        await writer.wait_closed()
    except (ConnectionError, ssl.SSLError):
        return
    finally:
        transport.abort()
