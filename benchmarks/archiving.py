"""How fast bodies go into the archive, against warcio's writer and the least there is to do.

The same bodies for all three, in turns: files of themes and documentation (pages, scripts, styles,
pictures, fonts), noise in the place of pictures that no compressor makes smaller, and one body of
100 MB. The least is to hash each body and to write it to a file. All end with an fsync.
"""

from __future__ import annotations

import hashlib
import mimetypes
import os
import sys
import time
from collections import defaultdict
from contextlib import ExitStack
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from benchmarks import pages
from benchmarks.lab import noise
from benchmarks.spread import load, spread
from webgeist.capture.exchange import Body, Exchange
from webgeist.repository.archive import ArchiveWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

BAR = 60  # MB/s
MB = 1_000_000
_SUFFIXES = (".html", ".css", ".js", ".svg", ".png", ".jpg", ".woff2", ".json", ".gif", ".ico")
_REQUEST = ((b"Host", b"localhost"), (b"Accept", b"*/*"), (b"User-Agent", b"Mozilla/5.0"))
_PICTURE = 200_000


def run(*, short: bool) -> dict[str, Any]:
    rounds, files, large = (2, 20 * MB, 10 * MB) if short else (3, 100 * MB, 100 * MB)
    writers = {"webgeist": _webgeist, "warcio": _warcio, "hash and write": _least}
    before = load()
    times: dict[str, list[tuple[float, float]]] = defaultdict(list)
    sizes: dict[str, int] = {}
    with ExitStack() as stack:
        exchanges = list(_exchanges(stack, files, large))
        total = sum(exchange.body.size for exchange in exchanges)
        for number in range(rounds):
            names = list(writers)
            for name in names[number % 3 :] + names[: number % 3]:
                with TemporaryDirectory() as folder:
                    times[name].append(_timed(writers[name], exchanges, Path(folder)))
                    sizes[name] = sum(path.stat().st_size for path in Path(folder).iterdir())
    return {
        "load": [before, load()],
        "bodies": len(exchanges),
        "mb": total / MB,
        "rows": {name: _row(spent, total, sizes[name]) for name, spent in times.items()},
    }


def _timed(
    write: Callable[[Sequence[Exchange], Path], None], exchanges: Sequence[Exchange], folder: Path
) -> tuple[float, float]:
    cpu, start = time.process_time(), time.perf_counter()
    write(exchanges, folder)
    spent = time.perf_counter() - start, time.process_time() - cpu
    print(f"  {write.__name__[1:]}: {spent[0]:.2f} s, {spent[1]:.2f} s CPU", file=sys.stderr)
    return spent


def _row(spent: Sequence[tuple[float, float]], total: int, size: int) -> dict[str, Any]:
    columns = zip(*spent, strict=True)
    wall, cpu = (spread(total / MB / seconds for seconds in column) for column in columns)
    return {"mb_s": vars(wall), "mb_per_cpu_s": vars(cpu), "size": size / total}


def _exchanges(stack: ExitStack, files: int, large: int) -> Iterator[Exchange]:
    bodies = [*_package_files(files), *_pictures(files // 5), ("film.mp4", noise(large, "film"))]
    for number, (name, data) in enumerate(bodies):
        exchange = _exchange(number, name, data)
        stack.callback(exchange.close)
        yield exchange


def _package_files(most: int) -> Iterator[tuple[str, bytes]]:
    """Files of all packages in turns, none twice."""
    lists = [_wanted(folder) for folder in pages.folders() if pages.fetch()]
    seen: set[bytes] = set()
    left = most
    while left > 0 and any(lists):
        for paths in filter(None, lists):
            path = paths.pop()
            data = path.read_bytes()
            if not data or (digest := hashlib.sha256(data).digest()) in seen:
                continue
            seen.add(digest)
            left -= len(data)
            yield path.name, data


def _wanted(folder: Path) -> list[Path]:
    found = sorted(path for path in folder.rglob("*") if path.suffix in _SUFFIXES)
    return [path for path in found if path.is_file()]


def _pictures(total: int) -> Iterator[tuple[str, bytes]]:
    for number in range(total // _PICTURE):
        yield f"picture-{number}.jpg", noise(_PICTURE, str(number))


def _exchange(number: int, name: str, data: bytes) -> Exchange:
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    body = Body()
    body.write(data)
    return Exchange(
        number=number,
        method="GET",
        url=f"http://localhost/{number}/{name}",
        version="HTTP/1.1",
        request_headers=_REQUEST,
        request_body=Body(),
        started=datetime.now(UTC),
        seconds=0.1,
        status=200,
        reason="OK",
        response_headers=(
            (b"Content-Type", kind.encode()),
            (b"Content-Length", b"%d" % len(data)),
        ),
        body=body,
    )


def _webgeist(exchanges: Sequence[Exchange], folder: Path) -> None:
    recorded: dict[str, int] = {}  # what a repository's database would know
    with ArchiveWriter(folder, lambda _: None, lambda: recorded) as writer:
        for exchange in exchanges:
            writer.append(exchange, "capture")
        recorded.update(writer.commit())


def _warcio(exchanges: Sequence[Exchange], folder: Path) -> None:
    """Request and answer, as warcio writes them unless told otherwise: gzip, SHA-1 digests."""
    with (folder / "peer.warc.gz").open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for exchange in exchanges:
            answer = writer.create_warc_record(
                exchange.url,
                "response",
                payload=BytesIO(exchange.body.read()),
                http_headers=StatusAndHeaders(
                    "200 OK", _plain(exchange.response_headers), protocol="HTTP/1.1"
                ),
            )
            request = writer.create_warc_record(
                exchange.url,
                "request",
                payload=BytesIO(),
                http_headers=StatusAndHeaders(
                    "GET / HTTP/1.1", _plain(exchange.request_headers), is_http_request=True
                ),
            )
            writer.write_request_response_pair(request, answer)
        file.flush()
        os.fsync(file.fileno())


def _plain(headers: Sequence[tuple[bytes, bytes]]) -> list[tuple[str, str]]:
    return [(name.decode(), text.decode()) for name, text in headers]


def _least(exchanges: Sequence[Exchange], folder: Path) -> None:
    with (folder / "bodies").open("wb") as file:
        for exchange in exchanges:
            digest = hashlib.sha256()
            for chunk in exchange.body.chunks():
                digest.update(chunk)
                file.write(chunk)
        file.flush()
        os.fsync(file.fileno())


def report(figures: dict[str, Any]) -> list[str]:
    lines = [
        f"{figures['bodies']} bodies, {figures['mb']:.0f} MB, {', '.join(figures['load'])}",
        "",
        "| writer | MB/s (quartiles) | MB per CPU second | size | over warcio |",
        "|---|--:|--:|--:|--:|",
    ]
    peer = figures["rows"]["warcio"]["mb_s"]["median"]
    for name, row in figures["rows"].items():
        wall, cpu = row["mb_s"], row["mb_per_cpu_s"]
        lines.append(
            f"| {name} | {wall['median']:.0f} ({wall['low']:.0f} to {wall['high']:.0f}) "
            f"| {cpu['median']:.0f} | {row['size']:.2f} | {wall['median'] / peer:.1f}x |"
        )
    return [*lines, f"bar: webgeist at {BAR} MB/s"]
