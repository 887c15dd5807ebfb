"""Worker processes, each with a browser, that captures are asked from.

A worker that dies or does not answer in time is replaced when the next page needs one; its pages
are told, so that they are tried again.
"""

from __future__ import annotations

import asyncio
import os
import sys
from itertools import count
from typing import TYPE_CHECKING, Any, Self

import orjson

from webgeist.capture.metric_files import METRICS, NO_METRICS
from webgeist.capture.own_folder import OwnFolder
from webgeist.capture.parcel import unpack
from webgeist.closing import Closing
from webgeist.crawl.visitor import LostError
from webgeist.errors import BrowserError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from webgeist.capture.metric_files import Metrics
    from webgeist.capture.model import Capture
    from webgeist.settings import Settings

_GRACE_SECONDS = 30.0  # beyond what a capture may take: starting a browser, handing over
_END_SECONDS = 20.0


class Worker:
    """One worker process, and the orders it has."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._waiting: dict[int, asyncio.Future[None]] = {}
        self._given_up = False  # it was killed, and will end soon
        self._listening = asyncio.create_task(self._listen())

    @property
    def alive(self) -> bool:
        return not (self._given_up or self._listening.done())

    @property
    def orders(self) -> int:
        return len(self._waiting)

    def send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None  # noqa: S101 - started with a pipe
        self._process.stdin.write(orjson.dumps(message, option=orjson.OPT_APPEND_NEWLINE))

    async def carry_out(self, number: int, order: Mapping[str, Any], seconds: float) -> None:
        """Return when an order is carried out. LostError if it never will be."""
        done = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            self.send({"order": number, **order})
            async with asyncio.timeout(seconds):
                await done
        except TimeoutError as error:
            self._given_up = True
            self._process.kill()
            raise LostError(f"its worker did not answer within {seconds:g} s") from error
        finally:
            self._waiting.pop(number, None)

    async def _listen(self) -> None:
        assert self._process.stdout is not None  # noqa: S101 - started with a pipe
        while line := await self._process.stdout.readline():
            self._hear(orjson.loads(line))
        await self._process.wait()
        for done in self._waiting.values():
            if not done.done():
                code = self._process.returncode
                done.set_exception(LostError(f"its worker ended (code {code})"))

    def _hear(self, answer: Mapping[str, Any]) -> None:
        done = self._waiting.get(answer["order"])
        if done is None or done.done():
            return  # nobody waits for it any more
        if "lost" in answer:
            done.set_exception(LostError(answer["lost"]))
        elif "error" in answer:
            done.set_exception(BrowserError(answer["error"], remedy=answer["remedy"]))
        else:
            done.set_result(None)

    async def close(self) -> None:
        """End it, and wait until it has."""
        assert self._process.stdin is not None  # noqa: S101 - started with a pipe
        self._process.stdin.close()
        try:
            async with asyncio.timeout(_END_SECONDS):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
        await self._listening


class Crew(Closing):
    """Use it as an async context manager. Workers are started when they are first needed."""

    def __init__(
        self,
        settings: Settings,
        certificates: Path,
        signature: str,
        workers: int,
        metrics: Metrics = NO_METRICS,
    ) -> None:
        self._metrics = metrics
        self._terms = {
            "settings": settings.model_dump(mode="json"),
            "certificates": str(certificates),
            "signature": signature,
        }
        # An order may have to wait for a tab as long as a capture takes at most, and then takes so.
        self._seconds = 2 * settings.limits.capture_seconds + _GRACE_SECONDS
        self._workers: list[Worker | None] = [None] * workers
        self._silent = False  # what is to be said once was said
        self._orders = count()
        self._starting = asyncio.Lock()

    async def __aenter__(self) -> Self:
        self._folder = OwnFolder("webgeist-crew-")
        # All workers, also later ones, run the metrics that were there when the crawl began.
        file = self._folder.path / "metrics.json"
        await asyncio.to_thread(file.write_bytes, METRICS.dump_json(self._metrics))
        self._terms["metrics"] = str(file)
        return self

    async def close(self) -> None:
        await asyncio.gather(*(worker.close() for worker in self._workers if worker is not None))
        await asyncio.to_thread(self._folder.remove)

    async def capture(self, url: str, viewport: str, form: str | None) -> Capture:
        """Have a page captured by the worker that has least to do."""
        worker = await self._idlest()
        number = next(self._orders)
        path = self._folder.path / str(number)
        order = {"url": url, "viewport": viewport, "form": form, "file": str(path)}
        await worker.carry_out(number, order, self._seconds)
        return await asyncio.to_thread(unpack, path)

    async def _idlest(self) -> Worker:
        async with self._starting:
            number = min(range(len(self._workers)), key=self._orders_of)
            worker = self._workers[number]
            if worker is None or not worker.alive:
                if worker is not None:
                    await worker.close()
                worker = self._workers[number] = await self._start()
            return worker

    def _orders_of(self, number: int) -> int:
        worker = self._workers[number]
        return worker.orders if worker is not None and worker.alive else 0

    async def _start(self) -> Worker:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "webgeist.crawl.worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, "TMPDIR": str(self._folder.path)},  # what it leaves goes with ours
            start_new_session=True,  # Ctrl-C is the foreman's to hear
        )
        worker = Worker(process)
        worker.send({**self._terms, "silent": self._silent})
        self._silent = True
        return worker
