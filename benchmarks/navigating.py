"""What recording costs a page: the same pages without a recorder and with each form of it.

All forms take turns on every page, each round beginning with another one. Each has a Chromium of
its own, because a recorder needs its own arguments; a capture has a context of its own anyway.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections import defaultdict
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks import pages
from benchmarks.secure_server import HOST
from benchmarks.spread import Spread, load, spread
from benchmarks.studio import BROWSER, NO_PICTURE, NONE, PROXY, RECORDERS, camera
from benchmarks.trust import trust_in
from webgeist.capture.recorder.authority import Authority
from webgeist.capture.target import parse_target
from webgeist.samples.app import SampleWeb

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchmarks.trust import Trust
    from webgeist.capture.camera import Camera

BARS = {PROXY: 1.15, BROWSER: 1.4}
_SAMPLES_PER_SITE = 2
_THEMES = 24
_SLOW_MS = 5_000  # one page of 96,000 nodes would take longer than all others


class Shot(NamedTuple):
    """Milliseconds until the load event, and of everything; whether every request was answered,
    and the page came to rest.
    """

    navigate: float
    capture: float
    whole: bool
    rested: bool


class Place(NamedTuple):
    """A page, wherever it is served: by which host, under which path."""

    host: str
    path: str


def run(*, short: bool) -> dict[str, Any]:
    rounds = 2 if short else 3
    folder = pages.fetch()
    figures = {}
    with TemporaryDirectory() as work:
        origins = Path(work, "origins")
        trust = trust_in(Authority.of_folder(origins))
        with pages.sample_port() as samples, pages.serve(folder) as files:
            ports = {HOST: int(files.rpartition(":")[2])}
            themes = asyncio.run(_complete_themes(files, 4 if short else _THEMES, Path(work)))
            places = [*_samples(short=short), *themes]
            plain = [f"http://{host}:{ports.get(host, samples)}{path}" for host, path in places]
            figures["http"] = asyncio.run(_compare(plain, rounds, Path(work), None))
        with pages.secure_port(origins, folder) as port:
            secure = [f"https://{host}:{port}{path}" for host, path in places]
            figures["https"] = asyncio.run(_compare(secure, rounds, Path(work), trust))
    return figures


def _samples(*, short: bool) -> list[Place]:
    sites = [site for site in SampleWeb().sites if site.name != "museum"]
    return [
        Place(f"{site.name}.localhost", path)
        for site in sites[: 2 if short else None]
        for path in site.pages[:_SAMPLES_PER_SITE]
    ]


async def _complete_themes(base: str, most: int, folder: Path) -> list[Place]:
    """Pages that ask for nothing that is not here, which costs each form differently, and that come
    to rest: of others all forms wait for the end of the same time.
    """
    found: list[Place] = []
    async with camera(PROXY, folder, None, NO_PICTURE) as taking:
        for path in pages.theme_pages(per_package=8):
            if len(found) == most:
                break
            shot = await _shoot(taking, f"{base}/{path}")
            if shot.whole and shot.rested and shot.capture < _SLOW_MS:
                found.append(Place(HOST, f"/{path}"))
    return found


async def _compare(
    addresses: Sequence[str], rounds: int, folder: Path, trust: Trust | None
) -> dict[str, Any]:
    before = load()
    rows = []
    async with AsyncExitStack() as stack:
        cameras = {
            form: await stack.enter_async_context(camera(form, folder, trust))
            for form in (NONE, *RECORDERS)
        }
        for address in addresses:
            rows.append(_row(address, await _shots(cameras, address, rounds)))
            print(f"  {_line(rows[-1])}", file=sys.stderr)
    return {"load": [before, load()], "rounds": rounds, "pages": rows}


async def _shots(cameras: Mapping[str, Camera], address: str, rounds: int) -> dict[str, list[Shot]]:
    shots: dict[str, list[Shot]] = defaultdict(list)
    forms = list(cameras)
    for number in range(rounds + 1):  # the first round warms up all of them
        turn = number % len(forms)
        for form in forms[turn:] + forms[:turn]:
            shot = await _shoot(cameras[form], address)
            if number:
                shots[form].append(shot)
    return shots


async def _shoot(taking: Camera, address: str) -> Shot:
    start = time.perf_counter()
    capture = await taking.capture(parse_target(address))
    spent = (time.perf_counter() - start) * 1000
    capture.close()
    if not capture.has_page:
        raise RuntimeError(f"{address}: {capture.info.outcome} {capture.info.reason}")
    whole = all(exchange.status is not None for exchange in capture.exchanges)
    settled = capture.info.settled
    rested = settled is not None and settled.at_rest
    return Shot(capture.info.stages_ms["navigate"], spent, whole, rested)


def _row(address: str, shots: Mapping[str, Sequence[Shot]]) -> dict[str, Any]:
    navigate = {form: spread(each.navigate for each in taken) for form, taken in shots.items()}
    capture = {form: spread(each.capture for each in taken) for form, taken in shots.items()}
    return {
        "page": address,
        "navigate_ms": navigate[NONE].median,
        "capture_ms": capture[NONE].median,
        "navigate_ratio": _ratios(navigate),
        "capture_ratio": _ratios(capture),
    }


def _ratios(times: Mapping[str, Spread]) -> dict[str, float]:
    return {form: times[form].median / times[NONE].median for form in RECORDERS}


def report(figures: dict[str, Any]) -> list[str]:
    lines = [
        "Recording over not recording: ratio of a page's medians; median and quartiles of pages",
        "",
        "| recorder | pages | navigation | bar | whole capture |",
        "|---|--:|--:|--:|--:|",
    ]
    for scheme, found in figures.items():
        lines += _lines(scheme, found["pages"])
    lines += ["", "Pages that ask hosts which don't exist are left out."]
    for scheme, found in figures.items():
        lines.append(f"{scheme}: {found['rounds']} rounds, {', '.join(found['load'])}")
    return lines


def _lines(name: str, rows: list[dict[str, Any]]) -> list[str]:
    return [
        f"| {form}, {name} | {len(rows)} | {_over(rows, 'navigate', form).as_ratio} "
        f"| {bar}x | {_over(rows, 'capture', form).as_ratio} |"
        for form, bar in BARS.items()
    ]


def _over(rows: list[dict[str, Any]], what: str, form: str) -> Spread:
    return spread(row[f"{what}_ratio"][form] for row in rows)


def _line(row: dict[str, Any]) -> str:
    ratios = ", ".join(
        f"{form} {ratio:.2f}x navigation {row['capture_ratio'][form]:.2f}x capture"
        for form, ratio in row["navigate_ratio"].items()
    )
    return f"{row['page']}: {row['navigate_ms']:.0f} of {row['capture_ms']:.0f} ms, {ratios}"
