"""Whether a stored page can be shown again from the archive alone, node by node the same.

Pages of the sample web (found by following its links) and of themes and documentation are recorded
into a repository. Then the servers are stopped, a listener in the place of each counts who comes,
and every page is replayed.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections import deque
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import urldefrag, urlsplit

from benchmarks import pages
from benchmarks.spread import load
from benchmarks.studio import NO_PICTURE, PROXY, camera, settings
from webgeist.capture.target import Target
from webgeist.repository.init import init_repository
from webgeist.repository.replaying import Replays
from webgeist.repository.repository import open_repository
from webgeist.samples.app import SampleWeb

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator, Sequence

    from webgeist.capture.camera import Camera
    from webgeist.capture.model import Capture
    from webgeist.page.model import Page
    from webgeist.repository.repository import Repository

BAR = 0.98
_TABS = 2
_BATCH = 20
_TRIES = 4  # more, where the first replay differs
_TABLES = ("nodes", "styles_inherited", "styles_own")
_NOT_FOLLOWED = ("museum", "logout", "basket")  # nasty, or changed by being looked at


def run(*, short: bool) -> dict[str, Any]:
    most_samples, most_themes = (12, 8) if short else (200, 100)
    folder = pages.fetch()
    before = load()
    with TemporaryDirectory() as work:
        init_repository(Path(work, "repository"))
        with open_repository(Path(work, "repository")) as repository:
            with pages.sample_port() as port, pages.serve(folder) as base:
                samples = asyncio.run(_record(repository, _samples(port), most_samples, port))
                addresses = [
                    f"{base}/{path}" for path in pages.theme_pages(per_package=16)[:most_themes]
                ]
                themes = asyncio.run(_record(repository, addresses, most_themes, None))
            with _listening(port, urlsplit(base).port or 0) as callers:
                rows = {
                    "samples": asyncio.run(_replay(repository, samples)),
                    "themes": asyncio.run(_replay(repository, themes)),
                }
                dialled = callers()
    return {"load": [before, load()], "pages": rows, "dialled": dialled}


def _samples(port: int) -> list[str]:
    sites = [site for site in SampleWeb().sites if site.name != "museum"]
    return [f"http://{site.name}.localhost:{port}{page}" for site in sites for page in site.pages]


async def _record(
    repository: Repository, addresses: Sequence[str], most: int, port: int | None
) -> dict[str, str]:
    """Capture these and, on hosts at `port`, what they link to. Addresses by capture id."""
    found: dict[str, str] = {}
    with TemporaryDirectory() as folder:
        async with camera(PROXY, Path(folder), None, NO_PICTURE) as taking:
            async for captures in _batches(_crawl(taking, addresses, most, port)):
                with repository.batch() as batch:
                    for capture in captures:
                        found[batch.add(capture)] = capture.info.requested_url
                        capture.close()
    return found


async def _crawl(
    taking: Camera, addresses: Iterable[str], most: int, port: int | None
) -> AsyncIterator[Capture]:
    """Breadth first. What has no page is captured, but not counted and not given."""
    waiting = deque(addresses)
    known = set(waiting)
    given = 0
    while waiting and given < most:
        turn = [waiting.popleft() for _ in range(min(_TABS, len(waiting)))]
        for capture in await asyncio.gather(*(taking.capture(Target(each)) for each in turn)):
            if not capture.has_page:
                print(f"  left out: {capture!r} {capture.info.reason}", file=sys.stderr)
                capture.close()
                continue
            new = [url for url in _links(capture, port) if url not in known]
            known.update(new)
            waiting.extend(new)
            given += 1
            yield capture


def _links(capture: Capture, port: int | None) -> Iterator[str]:
    for url in capture.links.column("url").to_pylist():
        plain = urldefrag(url or "").url
        named = any(word in plain for word in _NOT_FOLLOWED)
        if plain and not named and port is not None and _is_at(plain, port):
            yield plain


def _is_at(url: str, port: int) -> bool:
    parts = urlsplit(url)
    return parts.port == port and (parts.hostname or "").endswith(".localhost")


async def _batches(captures: AsyncIterator[Capture]) -> AsyncIterator[list[Capture]]:
    batch: list[Capture] = []
    async for capture in captures:
        batch.append(capture)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


@contextmanager
def _listening(*ports: int) -> Iterator[Any]:
    """Who calls these ports? Gives a function that counts them so far."""
    with ExitStack() as stack:
        listeners = [
            stack.enter_context(socket.create_server(("127.0.0.1", port))) for port in ports
        ]
        for listener in listeners:
            listener.setblocking(False)
        yield lambda: sum(map(_callers, listeners))


def _callers(listener: socket.socket) -> int:
    count = 0
    while True:
        try:
            listener.accept()[0].close()
        except BlockingIOError:
            return count
        count += 1


async def _replay(repository: Repository, captures: dict[str, str]) -> list[dict[str, Any]]:
    rows = []
    async with Replays(repository, settings(NO_PICTURE)) as replays:
        for id_, url in captures.items():
            difference = await _difference(replays, id_)
            wavers = bool(difference) and await _wavers(replays, id_)
            rows.append({"page": url, "difference": difference, "wavers": wavers})
            if difference:
                print(f"  {_told(rows[-1])}", file=sys.stderr)
    return rows


async def _difference(replays: Replays, id_: str) -> str:
    replayed = await replays.replay(id_)
    replayed.capture.close()
    return first_difference(replayed.original, replayed.capture)


async def _wavers(replays: Replays, id_: str) -> bool:
    """Whether it is sometimes the same: then it is capturing that differs, not what is replayed."""
    for _ in range(_TRIES):
        if not await _difference(replays, id_):
            return True
    return False


def _told(row: dict[str, Any]) -> str:
    return f"{row['page']}: {'wavers, ' if row['wavers'] else ''}{row['difference']}"


def first_difference(original: Capture, replayed: Capture) -> str:
    """Where the node tables part, in words; empty where they don't."""
    if original.page is None or replayed.page is None:
        return f"outcome {original.info.outcome}, then {replayed.info.outcome}"
    for table in _TABLES:
        if found := _first(original.page, replayed.page, table):
            return found
    return ""


def _first(one: Page, other: Page, table: str) -> str:
    rows, others = getattr(one, table), getattr(other, table)
    if rows.num_rows != others.num_rows:
        return f"{table}: {rows.num_rows} rows, then {others.num_rows}"
    for name in rows.column_names:
        if rows[name].equals(others[name]):
            continue
        values = zip(rows[name].to_pylist(), others[name].to_pylist(), strict=True)
        for row, (before, after) in enumerate(values):
            if before != after:  # a dictionary and its plain form are no difference
                return f"{table}.{name} row {row}: {before!r}, then {after!r}"[:300]
    return ""


def report(figures: dict[str, Any]) -> list[str]:
    lines = [
        "Pages shown again from the archive alone, servers stopped",
        "",
        "| pages | count | same node table | bar | same, or the same when tried again |",
        "|---|--:|--:|--:|--:|",
    ]
    different = []
    for name, rows in figures["pages"].items():
        others = [row for row in rows if row["difference"]]
        same, nearly = (
            1 - len(some) / len(rows)
            for some in (others, [row for row in others if not row["wavers"]])
        )
        lines.append(f"| {name} | {len(rows)} | {same:.1%} | {BAR:.0%} | {nearly:.1%} |")
        different += others
    lines.append(f"connections to where the servers had been: {figures['dialled']}")
    lines.append(", ".join(figures["load"]))
    return lines + [f"differs: {_told(row)}" for row in different]
