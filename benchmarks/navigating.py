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
from benchmarks.spread import Spread, load, spread
from benchmarks.studio import BROWSER, NONE, PROXY, RECORDERS, camera
from benchmarks.trust import make_trust
from webgeist.capture.target import parse_target
from webgeist.samples.app import SampleWeb

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchmarks.trust import Trust
    from webgeist.capture.camera import Camera

BARS = {PROXY: 1.15, BROWSER: 1.4}
_SAMPLES_PER_SITE = 2
_THEMES = 18  # one of each package
_SECURE = 8


class Shot(NamedTuple):
    """Milliseconds until the load event, and of everything; how many requests got no answer."""

    navigate: float
    capture: float
    unanswered: float


def run(*, short: bool) -> dict[str, Any]:
    rounds = 2 if short else 5
    folder = pages.fetch()
    themes = pages.theme_pages()[: 4 if short else _THEMES]
    with TemporaryDirectory() as work:
        trust = make_trust("localhost", Path(work))
        with pages.sample_port() as port, pages.serve(folder) as base:
            plain = [*_sample_addresses(port, short=short), *(f"{base}/{path}" for path in themes)]
            http = asyncio.run(_compare(plain, rounds, Path(work), None))
        with pages.serve(folder, trust.certificate) as base:
            secure = [f"{base}/{path}" for path in themes[:_SECURE]]
            https = asyncio.run(_compare(secure, rounds, Path(work), trust))
    return {"http": http, "https": https}


def _sample_addresses(port: int, *, short: bool) -> list[str]:
    sites = [site for site in SampleWeb().sites if site.name != "museum"]
    return [
        f"http://{site.name}.localhost:{port}{path}"
        for site in sites[: 2 if short else None]
        for path in site.pages[:_SAMPLES_PER_SITE]
    ]


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
    unanswered = sum(exchange.status is None for exchange in capture.exchanges)
    return Shot(capture.info.stages_ms["navigate"], spent, unanswered)


def _row(address: str, shots: Mapping[str, Sequence[Shot]]) -> dict[str, Any]:
    medians = {
        form: Shot(*(spread(column).median for column in zip(*taken, strict=True)))
        for form, taken in shots.items()
    }
    bare = medians.pop(NONE)
    return {
        "page": address,
        "unanswered": medians[PROXY].unanswered,
        "navigate_ms": bare.navigate,
        "capture_ms": bare.capture,
        "navigate_ratio": {form: each.navigate / bare.navigate for form, each in medians.items()},
        "capture_ratio": {form: each.capture / bare.capture for form, each in medians.items()},
    }


def report(figures: dict[str, Any]) -> list[str]:
    lines = [
        "Recording over not recording: ratio of a page's medians; median and quartiles of pages",
        "",
        "| recorder | pages | navigation | bar | whole capture |",
        "|---|--:|--:|--:|--:|",
    ]
    for scheme, found in figures.items():
        rows = found["pages"]
        lines += _lines(scheme, rows)
        lines += _lines(f"{scheme}, all answered", [row for row in rows if not row["unanswered"]])
    lines.append("")
    lines.append(
        "all answered: pages that ask no host that is not there. One that is not costs the"
    )
    lines.append("proxy a TLS handshake before it can say so, and costs nothing without it.")
    for scheme, found in figures.items():
        lines.append(f"{scheme}: {found['rounds']} rounds, {', '.join(found['load'])}")
    return lines


def _lines(name: str, rows: list[dict[str, Any]]) -> list[str]:
    if not rows:
        return []
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
