"""Many clients at once, for `benchmarks.serve`: an order on stdin, figures on stdout."""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from typing import Any
from urllib.parse import urlsplit

QUERIES = (
    {"$from": "@dom", "$where": {"name": "canvas"}, "$count": 1},
    {"$from": "@page", "$where": {"status": 200}, "$select": ["url"], "$limit": 20},
)
_QUERY_EACH, _LIST_EACH = 50, 20  # requests


async def _ask(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: str, body: bytes
) -> int:
    """The status of the answer, which is read to its end."""
    writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    said = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    length = int(said.partition("content-length: ")[2].partition("\r\n")[0])
    await reader.readexactly(length)
    return int(said.split(" ", 2)[1])


async def _client(number: int, order: dict[str, Any], until: float, found: list[Any]) -> None:
    url = urlsplit(order["url"])
    chance = random.Random(number)
    reader, writer = await asyncio.open_connection(url.hostname, url.port)
    count = number  # so that not all ask the same at once
    while time.perf_counter() < until:
        head, body = _request(chance, order, count, url.netloc)
        started = time.perf_counter()
        try:
            status = await _ask(reader, writer, head, body)
        except (OSError, asyncio.IncompleteReadError) as error:
            found.append((0.0, str(error) or type(error).__name__))
            reader, writer = await asyncio.open_connection(url.hostname, url.port)
            continue
        found.append((time.perf_counter() - started, status))
        count += 1
    writer.close()


def _request(
    chance: random.Random, order: dict[str, Any], count: int, host: str
) -> tuple[str, bytes]:
    method, path, body = "GET", chance.choice(order["paths"]), b""
    if count % _QUERY_EACH == 0:
        method, path, body = "POST", "/v1/query.json", json.dumps(chance.choice(QUERIES)).encode()
    elif count % _LIST_EACH == 0:
        path = "/v1/pages.json?limit=20"
    kind = "Content-Type: application/json\r\n" if body else ""
    return f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n{kind}", body


async def main() -> None:
    order = json.load(sys.stdin)
    found: list[Any] = []
    started = time.perf_counter()
    until = started + order["seconds"]
    await asyncio.gather(*(_client(n, order, until, found) for n in range(order["clients"])))
    seconds = time.perf_counter() - started
    times = sorted(spent for spent, status in found if status == 200)
    wrong = [status for _, status in found if status != 200]
    figures = {
        "requests": len(found),
        "requests_per_s": len(found) / seconds,
        "errors": len(wrong),
        "error_kinds": sorted({str(each) for each in wrong}),
        "median_ms": times[len(times) // 2] * 1000,
        "p99_ms": times[int(len(times) * 0.99)] * 1000,
    }
    json.dump(figures, sys.stdout)


if __name__ == "__main__":
    asyncio.run(main())
