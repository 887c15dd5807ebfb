"""Connections made ahead: no more than are wanted, none lost, and only to whom was just reached."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from tests.capture.conftest import only_here

from webgeist.capture.gate import Gate
from webgeist.capture.recorder.ahead import Ahead
from webgeist.capture.recorder.origin import Origin
from webgeist.capture.recorder.upstream import Lines, OriginError, verifying_context

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.capture.conftest import Rig

    from webgeist.capture.recorder.upstream import Line


@dataclass
class Bench:
    """Dials a real server, but not before `go`; `failure` in its place."""

    origin: Origin
    lines: Lines
    go: asyncio.Event = field(default_factory=asyncio.Event)
    dialled_out: asyncio.Event = field(default_factory=asyncio.Event)
    has_kept: asyncio.Event = field(default_factory=asyncio.Event)
    failure: OriginError | None = None
    dialled: int = 0
    made: list[Line] = field(default_factory=list)
    kept: list[Line] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ahead = Ahead(self.dial, self.keep)

    async def dial(self, origin: Origin) -> Line:
        self.dialled += 1
        await self.go.wait()
        if self.failure:
            raise self.failure
        self.made.append(await self.lines.dial(origin))
        self.dialled_out.set()
        return self.made[-1]

    def keep(self, line: Line) -> None:
        self.kept.append(line)
        self.has_kept.set()

    def expect(self, ready: int = 0, now: float = 1.0) -> bool:
        return self.ahead.expect(self.origin, ready, now)


@pytest.fixture
async def bench(rig: Rig) -> AsyncIterator[Bench]:
    async def quiet(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.read()

    origin = Origin("http", "site.localhost", await rig.serve(quiet))
    lines = Lines(Gate(allow_private=True, resolve=only_here), verifying_context(), ())
    made = Bench(origin, lines)
    yield made
    await made.ahead.close()
    for line in made.made:
        line.wire.abort()
        await line.wire.gone
    await lines.close()


async def test_nobody_is_dialled_who_was_not_reached_lately(bench: Bench) -> None:
    assert not bench.expect()
    bench.ahead.reached(bench.origin, 0.0)
    assert not bench.expect(now=31.0)
    await asyncio.sleep(0)
    assert bench.dialled == 0
    assert await bench.ahead.take(bench.origin) is None


async def test_who_asks_gets_the_connection_that_is_being_made(bench: Bench) -> None:
    bench.ahead.reached(bench.origin, 0.0)
    assert bench.expect()
    bench.go.set()
    assert await bench.ahead.take(bench.origin) is bench.made[0]
    assert await bench.ahead.take(bench.origin) is None
    assert (bench.dialled, bench.kept) == (1, [])


async def test_what_is_ready_is_not_dialled(bench: Bench) -> None:
    bench.ahead.reached(bench.origin, 0.0)
    for ready, dialled in ((1, 0), (1, 1), (1, 2), (9, 2)):
        assert bench.expect(ready)
        await asyncio.sleep(0)
        assert bench.dialled == dialled
    bench.ahead.asked(bench.origin)
    bench.expect(2)  # four are expected, as before
    await asyncio.sleep(0)
    assert bench.dialled == 2


async def test_there_are_never_more_than_a_browser_opens(bench: Bench) -> None:
    bench.ahead.reached(bench.origin, 0.0)
    for _ in range(20):
        assert bench.expect()
    await asyncio.sleep(0)
    assert bench.dialled == 6


async def test_what_nobody_waits_for_is_kept(bench: Bench) -> None:
    bench.ahead.reached(bench.origin, 0.0)
    bench.expect()
    bench.go.set()
    await bench.has_kept.wait()
    assert bench.kept == bench.made
    assert await bench.ahead.take(bench.origin) is None


async def test_a_failure_is_that_of_who_waits_or_nobodys(bench: Bench) -> None:
    bench.ahead.reached(bench.origin, 0.0)
    bench.failure = OriginError("connection_refused", "gone")
    bench.expect()
    bench.expect()
    asking = asyncio.create_task(bench.ahead.take(bench.origin))
    await asyncio.sleep(0)
    bench.go.set()
    with pytest.raises(OriginError, match="gone"):
        await asking
    assert await bench.ahead.take(bench.origin) is None
    assert bench.kept == []


@pytest.mark.parametrize("done", [False, True])
async def test_who_leaves_while_waiting_leaves_no_connection(bench: Bench, done: bool) -> None:
    bench.ahead.reached(bench.origin, 0.0)
    bench.expect()
    asking = asyncio.create_task(bench.ahead.take(bench.origin))
    await asyncio.sleep(0)
    if done:
        bench.go.set()
        await bench.dialled_out.wait()  # the dial has ended, who waits for it has not heard
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    assert asking.cancelled()
    for line in bench.made:
        await line.wire.gone
    assert len(bench.made) == done


async def test_closing_ends_what_is_under_way(bench: Bench) -> None:
    bench.ahead.reached(bench.origin, 0.0)
    bench.expect()
    await asyncio.sleep(0)
    await bench.ahead.close()
    bench.go.set()
    assert (bench.dialled, bench.made, bench.kept) == (1, [], [])
    assert not bench.expect()


async def test_only_so_many_origins_are_known(bench: Bench) -> None:
    bench.ahead.reached(bench.origin, 0.0)
    for number in range(256):
        bench.ahead.reached(Origin("http", f"h{number}.localhost", 80), 0.0)
    assert not bench.expect()
