"""Connections that hold something for nothing are cut off."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from webgeist.server.sweeping import Sweeper
from webgeist.settings.models import ApiSettings

SETTINGS = ApiSettings(stall_seconds=10, stream_seconds=100, body_seconds=20)


@dataclass
class Transport:
    unsent: int = 0
    aborted: bool = False

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def get_extra_info(self, _name: str) -> None:
        """No socket."""

    def abort(self) -> None:
        self.aborted = True


@dataclass(frozen=True)
class Cycle:
    response_complete: bool = False


@dataclass(eq=False)
class Connection:
    transport: Transport = field(default_factory=Transport)
    cycle: Cycle | None = field(default_factory=Cycle)


def _swept(sweeper: Sweeper, connection: Any, *times: float) -> bool:
    for time in times:
        sweeper.sweep([connection], time)
    return bool(connection.transport.aborted)


def test_a_reader_that_stopped_is_cut_off() -> None:
    sweeper, reader = Sweeper(SETTINGS), Connection(Transport(unsent=5000))
    assert not _swept(sweeper, reader, 0, 5, 10)
    assert _swept(sweeper, reader, 10.1)


def test_a_reader_that_goes_on_is_not() -> None:
    sweeper, reader = Sweeper(SETTINGS), Connection(Transport(unsent=5000))
    for time in range(0, 90, 9):
        reader.transport.unsent -= 1
        assert not _swept(sweeper, reader, time)


def test_nobody_reads_for_ever() -> None:
    sweeper, reader = Sweeper(SETTINGS), Connection(Transport(unsent=5000))
    for time in range(0, 109, 9):
        reader.transport.unsent -= 1
        cut = _swept(sweeper, reader, time)
    assert cut


def test_who_took_everything_in_between_begins_anew() -> None:
    sweeper, reader = Sweeper(SETTINGS), Connection(Transport(unsent=5000))
    for time in range(0, 300, 9):
        reader.transport.unsent = 0 if time % 2 else 5000
        assert not _swept(sweeper, reader, time)


def test_work_that_takes_long_is_no_reason() -> None:
    assert not _swept(Sweeper(SETTINGS), Connection(), 0, 1000, 100_000)


@pytest.mark.parametrize("cycle", [None, Cycle(response_complete=True)])
def test_a_request_that_never_comes_is_not_waited_for(cycle: Cycle | None) -> None:
    sweeper, silent = Sweeper(SETTINGS), Connection(cycle=cycle)
    assert not _swept(sweeper, silent, 0, 20)
    assert _swept(sweeper, silent, 20.1)


def test_connections_that_are_gone_are_forgotten() -> None:
    sweeper, reader = Sweeper(SETTINGS), Connection(Transport(unsent=1))
    sweeper.sweep([reader], 0)
    assert sweeper.sweep([], 1) == 0
    assert not _swept(sweeper, reader, 10.5)  # seen for the first time
