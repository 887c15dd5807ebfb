"""Messages through a pipe, whole or not at all."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pytest

from webgeist.engines.frames import EndedError, Receiver, send

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    read, write = os.pipe()
    yield read, write
    for end in (read, write):
        try:
            os.close(end)
        except OSError:  # a test has closed it
            continue


def test_messages_come_as_they_went(pipe: tuple[int, int]) -> None:
    read, write = pipe
    receiver = Receiver(read)
    large = os.urandom(300_000)

    def send_all() -> None:
        for n in range(3):
            send(write, {"n": n}, large)

    sender = threading.Thread(target=send_all)
    sender.start()
    assert [receiver.receive(60) for _ in range(3)] == [({"n": n}, large) for n in range(3)]
    sender.join()
    send(write, {"ä": "ü"})
    assert receiver.receive() == ({"ä": "ü"}, b"")


def test_waiting_ends(pipe: tuple[int, int]) -> None:
    read, write = pipe
    with pytest.raises(TimeoutError):
        Receiver(read).receive(0.01)
    os.write(write, b"\x05\x00")  # half a message
    with pytest.raises(TimeoutError):
        Receiver(read).receive(0.01)


def test_the_end_is_told_on_both_sides(pipe: tuple[int, int]) -> None:
    read, write = pipe
    os.write(write, b"\x05\x00")
    os.close(write)
    with pytest.raises(EndedError):
        Receiver(read).receive(60)
    read, write = os.pipe()
    os.close(read)
    with pytest.raises(EndedError):
        send(write, {})
    os.close(write)
