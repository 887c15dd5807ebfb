"""Loads pages or one large body through a recorder in a process of its own, and prints its memory.

`loads` asks with a plain client, as fast as it can; `pages` with Chromium; `large` takes one body
with a plain client into a spool and on into an archive. Figures are megabytes, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import psutil

from benchmarks.meter import peak_memory_mb
from benchmarks.studio import NO_PICTURE, PROXY, camera, recorder, settings
from webgeist.capture.target import Target
from webgeist.repository.archive import ArchiveWriter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgeist.capture.exchange import Exchange, Slot

_PAGE = "startbootstrap-clean-blog/package/dist/"
_PARTS = ("index.html", "css/styles.css", "js/scripts.js", "about.html", "assets/favicon.ico")
_PIECE = 1 << 20


async def loads(base: str, marks: Sequence[int]) -> dict[int, float]:
    """Memory after so many page loads: the same few requests, on a new connection each time."""
    found = {}
    with TemporaryDirectory() as folder:
        proxy = recorder(PROXY, settings(), Path(folder))
        slot = await proxy.slot()
        for number in range(1, max(marks) + 1):
            exchanges = await _ask(slot, [f"{base}/{_PAGE}{part}" for part in _PARTS])
            _close(exchanges, len(_PARTS))
            if number in marks:
                found[number] = _memory()
        await proxy.close()
    return found


async def pages(form: str, address: str, marks: Sequence[int]) -> dict[int, float]:
    """The same with Chromium, for any form of recorder."""
    found = {}
    with TemporaryDirectory() as folder:
        async with camera(form, Path(folder), None, NO_PICTURE) as taking:
            for number in range(1, max(marks) + 1):
                capture = await taking.capture(Target(address))
                if not capture.ok or not capture.exchanges:
                    raise RuntimeError(f"{address}: {capture.info.outcome} {capture.info.reason}")
                capture.close()
                if number in marks:
                    found[number] = _memory()
    return found


async def large(form: str, base: str, size: int) -> dict[str, float]:
    """One body, by a plain client through the proxy or by Chromium with the browser recorder."""
    with TemporaryDirectory() as folder:
        before = _memory()
        exchanges: Sequence[Exchange]
        if form == PROXY:
            proxy = recorder(PROXY, settings(), Path(folder))
            slot = await proxy.slot()
            exchanges = await _ask(slot, [f"{base}/{size}"])
            await proxy.close()
        else:
            exchanges = await _captured(form, f"{base}/{size}.html", Path(folder))
        recorded = peak_memory_mb()
        _archive(exchanges, Path(folder, "archive"))
        if size not in {exchange.body.size for exchange in exchanges}:
            sizes = [(each.url, each.body.size, each.truncated) for each in exchanges]
            raise RuntimeError(f"no body of {size} bytes was recorded: {sizes}")
        _close(exchanges, len(exchanges))
    return {"before": before, "recorded": recorded, "archived": peak_memory_mb()}


async def _captured(form: str, address: str, folder: Path) -> Sequence[Exchange]:
    patient = NO_PICTURE | {"limits": {"settle_seconds": 80}}
    async with camera(form, folder, None, patient) as taking:
        return (await taking.capture(Target(address))).exchanges


async def _ask(slot: Slot, urls: Sequence[str]) -> list[Exchange]:
    """What a slot recorded while these were asked for, one after the other."""
    slot.begin()
    reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(slot.proxy).port)
    for url in urls:
        writer.write(f"GET {url} HTTP/1.1\r\nHost: {urlsplit(url).netloc}\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        left = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        while left:
            left -= len(await reader.read(min(left, _PIECE)))
    writer.close()
    await writer.wait_closed()
    return await slot.end()


def _archive(exchanges: Sequence[Exchange], folder: Path) -> None:
    recorded: dict[str, int] = {}
    with ArchiveWriter(folder, lambda _: None, lambda: recorded) as writer:
        for exchange in exchanges:
            writer.append(exchange, "capture")
        recorded.update(writer.commit())


def _close(exchanges: Sequence[Exchange], expected: int) -> None:
    if [exchange.status for exchange in exchanges] != [200] * expected:
        raise RuntimeError(f"not all was answered: {[each.error for each in exchanges]}")
    for exchange in exchanges:
        exchange.close()


def _memory() -> float:
    return float(psutil.Process().memory_info().rss) / (1 << 20)


def main(what: str, *arguments: str) -> None:
    if what == "loads":
        base, *marks = arguments
        print(json.dumps(asyncio.run(loads(base, [int(mark) for mark in marks]))))
    elif what == "pages":
        form, address, *marks = arguments
        print(json.dumps(asyncio.run(pages(form, address, [int(mark) for mark in marks]))))
    else:
        form, base, size = arguments
        print(json.dumps(asyncio.run(large(form, base, int(size)))))


if __name__ == "__main__":
    main(*sys.argv[1:])
