"""robots.txt is asked for once, kept, and asked for again when its time is over."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa
from tests.capture.conftest import only_here

from webgeist.capture.fetch import Fetcher
from webgeist.capture.gate import Gate
from webgeist.crawl.manners import Manners
from webgeist.repository.migrations import MIGRATIONS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from tests.conftest import SettingsMaker

FILE = "User-agent: *\nDisallow: /private\n"
DAY = 24 * 3600.0


@dataclass
class Host:
    """A server whose robots.txt can change, with a clock beside it."""

    url: str = ""
    status: str = "200 OK"
    text: str = FILE
    now: float = 1000.0
    asked: list[str] = field(default_factory=list)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        self.asked.append(head.split(b" ")[1].decode())
        length = len(self.text.encode())
        writer.write(f"HTTP/1.1 {self.status}\r\nContent-Length: {length}\r\n\r\n".encode())
        writer.write(self.text.encode())
        await writer.drain()
        writer.close()


@pytest.fixture
async def host() -> AsyncIterator[Host]:
    host = Host()
    server = await asyncio.start_server(host.answer, "127.0.0.1", 0)
    host.url = f"http://site.localhost:{server.sockets[0].getsockname()[1]}"
    yield host
    server.close()
    await server.wait_closed()


@pytest.fixture
def engine() -> Iterator[sa.Engine]:
    engine = sa.create_engine("sqlite://", poolclass=sa.StaticPool)
    with engine.begin() as connection:
        for statement in MIGRATIONS[1]:
            connection.exec_driver_sql(statement)
    yield engine
    engine.dispose()


@dataclass
class Maker:
    """Manners as one run of a crawler has them; the next run has only the database."""

    engine: sa.Engine
    fetcher: Fetcher
    host: Host

    def __call__(self) -> Manners:
        @contextmanager
        def transaction() -> Iterator[sa.Connection]:
            with self.engine.begin() as connection:
                yield connection

        return Manners(self.fetcher, transaction, lambda: self.host.now)


@pytest.fixture
def make(engine: sa.Engine, host: Host, make_settings: SettingsMaker) -> Maker:
    gate = Gate(allow_private=True, resolve=only_here)
    return Maker(engine, Fetcher(make_settings(), "webgeist", gate=gate), host)


async def test_a_host_is_asked_once_by_all_who_want_to_know(make: Maker, host: Host) -> None:
    manners = make()
    answers = await asyncio.gather(*(manners.of(host.url) for _ in range(5)))
    assert not any(robots.allows(f"{host.url}/private") for robots in answers)
    assert (await manners.of(host.url)).allows(f"{host.url}/open")
    assert host.asked == ["/robots.txt"]


async def test_the_next_run_remembers(make: Maker, host: Host) -> None:
    await make().of(host.url)
    assert not (await make().of(host.url)).allows(f"{host.url}/private")
    assert len(host.asked) == 1


async def test_after_a_day_it_is_asked_for_again(make: Maker, host: Host) -> None:
    manners = make()
    await manners.of(host.url)
    host.text = ""
    host.now += DAY - 1
    assert not (await manners.of(host.url)).allows(f"{host.url}/private")
    host.now += 2
    assert (await manners.of(host.url)).allows(f"{host.url}/private")
    assert (await make().of(host.url)).allows(f"{host.url}/private")
    assert len(host.asked) == 2


async def test_a_host_that_cannot_say_is_asked_again_soon(make: Maker, host: Host) -> None:
    manners = make()
    host.status = "503 Busy"
    assert not (await manners.of(host.url)).allows(f"{host.url}/open")
    host.status = "200 OK"
    host.now += 299
    assert not (await manners.of(host.url)).known
    host.now += 2
    assert (await manners.of(host.url)).allows(f"{host.url}/open")


async def test_a_host_that_is_not_there_allows_nothing(make: Maker) -> None:
    robots = await make().of("http://nosuch.invalid")
    assert (robots.status, robots.known) == (None, False)
