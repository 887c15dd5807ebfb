"""What a complete capture costs over bare navigation, whether it repeats itself, how much memory.

The baseline is what everybody does to see a page: Playwright, `goto` and `content`, in the same
Chromium, with a fresh context for each page as a capture has. Both take turns on every page.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import statistics
import subprocess
import sys
import time
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

import psutil
from playwright.async_api import async_playwright

from benchmarks import pages
from benchmarks.meter import Meter, peak_memory_mb
from benchmarks.studio import settings
from webgeist.capture.camera import Camera
from webgeist.capture.find import find_browser
from webgeist.capture.target import parse_target
from webgeist.samples.server import serve

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from playwright.async_api import Browser

    from webgeist.capture.model import Capture
    from webgeist.samples.server import SampleServer

T = TypeVar("T")
DEBIAN = "usr/share/doc"
CLASSES = {
    250: (
        "startbootstrap-clean-blog/package/dist/index.html",
        "soft-ui-dashboard/package/pages/sign-in.html",
        f"cmake-doc/{DEBIAN}/cmake-data/html/variable/CMAKE_BUILD_TYPE.html",
        f"apache2-doc/{DEBIAN}/apache2-doc/manual/fr/socache.html",
    ),
    1500: (
        "startbootstrap-agency/package/dist/index.html",
        "gentelella/package/production/tables_dynamic.html",
        f"twisted-doc/{DEBIAN}/twisted-doc/html/api/twisted.application.internet.TimerService.html",
        f"apache2-doc/{DEBIAN}/apache2-doc/manual/da/mod/mod_proxy_hcheck.html",
    ),
    3000: (
        "tabler-preview/package/dist/dropdowns.html",
        "now-ui-kit/package/index.html",
        "tabler-preview/package/dist/tags.html",
    ),
    10000: (
        f"python3.11-doc/{DEBIAN}/python3.11/html/library/pickle.html",
        f"python3.11-doc/{DEBIAN}/python3.11/html/library/functions.html",
    ),
}
PARTS = ("cost", "sameness", "memory")
STAGES = ("open", "navigate", "settle", "snapshot", "screenshot", "decode")


def run(*, short: bool, only: str | None = None) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    with pages.serve(pages.fetch()) as base:
        if only in {None, "cost"}:
            figures["cost"] = asyncio.run(_cost(base, rounds=3 if short else 7))
        if only in {None, "sameness"}:
            with serve() as samples:
                figures["sameness"] = asyncio.run(_sameness(base, samples, 12 if short else 60))
        if only in {None, "memory"}:
            figures["memory"] = _memory(f"{base}/{CLASSES[10000][1]}")
    return figures


async def _cost(base: str, rounds: int) -> list[dict[str, Any]]:
    meter = Meter({child.pid for child in psutil.Process().children(recursive=True)})
    rows = []
    async with async_playwright() as playwright, Camera(settings()) as camera:
        browser = await playwright.chromium.launch(
            executable_path=find_browser(environ=os.environ).path,
            args=["--disable-quic", *shlex.split(pages.LOOPBACK_ONLY)],
            chromium_sandbox=os.geteuid() != 0,
        )
        for size, paths in CLASSES.items():
            for path in paths:
                row = await _page_cost(meter, browser, camera, f"{base}/{path}", rounds)
                rows.append(row | {"class": size, "page": path})
                ratios = f"{row['cpu_ratio']:.2f}x CPU, {row['time_ratio']:.2f}x time"
                print(f"  {path}: {ratios}", file=sys.stderr)
        await browser.close()
    return rows


async def _page_cost(
    meter: Meter, browser: Browser, camera: Camera, url: str, rounds: int
) -> dict[str, Any]:
    bare, full, stages = [], [], []
    nodes = 0
    for number in range(rounds + 1):  # the first round warms up both
        _, *bare_cost = await _measured(meter, _bare(browser, url))
        marks = [("open", meter.cpu())]
        work = camera.capture(parse_target(url), on_stage=_marker(meter, marks))
        capture, *full_cost = await _measured(meter, work)
        if not capture.has_page:
            raise RuntimeError(f"{url}: {capture.info.outcome} {capture.info.reason}")
        nodes = capture.info.nodes
        if number:
            bare.append(bare_cost)
            full.append(full_cost)
            stages.append(_per_stage([*marks, ("end", meter.cpu())]))
    return {
        "nodes": nodes,
        "bare_ms": _median(seconds for seconds, _ in bare) * 1000,
        "bare_cpu_ms": _median(cpu for _, cpu in bare) * 1000,
        "capture_ms": _median(seconds for seconds, _ in full) * 1000,
        "capture_cpu_ms": _median(cpu for _, cpu in full) * 1000,
        "time_ratio": _median(f[0] / b[0] for f, b in zip(full, bare, strict=True)),
        "cpu_ratio": _median(f[1] / b[1] for f, b in zip(full, bare, strict=True)),
        "stage_cpu_ms": {name: _median(stage[name] for stage in stages) * 1000 for name in STAGES},
    }


def _marker(meter: Meter, marks: list[tuple[str, float]]) -> Callable[[str], None]:
    return lambda name: marks.append((name, meter.cpu()))


async def _measured(meter: Meter, work: Awaitable[T]) -> tuple[T, float, float]:
    cpu, start = meter.cpu(), time.perf_counter()
    result = await work
    return result, time.perf_counter() - start, meter.cpu() - cpu


async def _bare(browser: Browser, url: str) -> None:
    context = await browser.new_context(viewport={"width": 1280, "height": 960})
    page = await context.new_page()
    await page.goto(url)
    await page.content()
    await context.close()


def _per_stage(marks: list[tuple[str, float]]) -> dict[str, float]:
    return {name: after - before for (name, before), (_, after) in pairwise(marks)}


def _median(values: Iterable[float]) -> float:
    return float(statistics.median(values))


async def _sameness(base: str, samples: SampleServer, most: int) -> dict[str, Any]:
    """Every sample page and theme pages in two browsers: are tables and pixels the same?"""
    sites = [site for site in samples.web.sites if site.name != "museum"]
    addresses = [samples.url(site.name, page) for site in sites for page in site.pages]
    addresses += [f"{base}/{path}" for path in pages.theme_pages()[:most]]
    different = []
    async with Camera(settings()) as first, Camera(settings()) as second:
        for address in addresses:
            one = await first.capture(parse_target(address))
            other = await second.capture(parse_target(address))
            if found := differences(one, other):
                different.append({"page": address.removeprefix(base), "what": found})
                print(f"  {address}: {found}", file=sys.stderr)
    tables = sum(any(what != "pixels" for what in row["what"]) for row in different)
    pixels = sum("pixels" in row["what"] for row in different)
    return {
        "pages": len(addresses),
        "same_tables": 1 - tables / len(addresses),
        "same_pixels": 1 - pixels / len(addresses),
        "different": different,
    }


def differences(one: Capture, other: Capture) -> list[str]:
    """What two captures of one page do not have in common."""
    if one.page is None or other.page is None:
        return [f"outcome {one.info.outcome}, {other.info.outcome}"]
    tables = ("nodes", "styles_inherited", "styles_own")
    found = [
        f"{table}.{name}"
        for table in tables
        for name in getattr(one.page, table).column_names
        if not getattr(one.page, table)[name].equals(getattr(other.page, table)[name])
    ]
    if one.screenshot != other.screenshot:
        found.append("pixels")
    return found


def _memory(url: str) -> float:
    """The peak of a Python process that captures one large page."""
    command = [sys.executable, "-m", "benchmarks.capture", url]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout)


def report(figures: dict[str, Any]) -> str:
    reports: dict[str, Callable[[Any], list[str]]] = {
        "cost": _cost_report,
        "sameness": _sameness_report,
        "memory": _memory_report,
    }
    return "\n\n".join("\n".join(reports[name](found)) for name, found in figures.items())


def _cost_report(rows: list[dict[str, Any]]) -> list[str]:
    heads = ["page", "nodes", "bare ms", "capture ms", "time", "bare CPU", "capture CPU", "CPU"]
    lines = [
        "A complete capture over Playwright's goto + content, fresh context each, same Chromium",
        "",
        "| " + " | ".join([*heads, *(f"{stage} CPU" for stage in STAGES)]) + " |",
        "|---|" + "--:|" * (len(heads) + len(STAGES) - 1),
    ]
    for row in rows:
        stages = " | ".join(f"{row['stage_cpu_ms'][stage]:.0f}" for stage in STAGES)
        name = row["page"].partition("/")[0] + " " + row["page"].rpartition("/")[2][:40]
        lines.append(
            f"| {name} | {row['nodes']} | {row['bare_ms']:.0f} | {row['capture_ms']:.0f} "
            f"| {row['time_ratio']:.2f}x | {row['bare_cpu_ms']:.0f} | {row['capture_cpu_ms']:.0f} "
            f"| {row['cpu_ratio']:.2f}x | {stages} |"
        )
    small = [row for row in rows if row["class"] <= 1500]
    cpu, time_ = (_median(row[name] for row in small) for name in ("cpu_ratio", "time_ratio"))
    verdict = (
        f"pages up to 1,500 nodes, median: {cpu:.2f}x CPU (bar 2.5), {time_:.2f}x time (bar 3)"
    )
    return [*lines, "", verdict]


def _sameness_report(same: dict[str, Any]) -> list[str]:
    tables, pixels = same["same_tables"], same["same_pixels"]
    return [
        f"{same['pages']} pages twice: same tables {tables:.1%} (bar 99), pixels {pixels:.1%} (97)",
        *(f"differs: {row['page']}: {', '.join(row['what'])}" for row in same["different"]),
    ]


def _memory_report(memory: float) -> list[str]:
    return [f"memory of Python for the largest page: {memory:.0f} MB (bar 400)"]


async def _peak(url: str) -> None:
    async with Camera(settings()) as camera:
        capture = await camera.capture(parse_target(url))
    if not capture.has_page:
        raise RuntimeError(f"{url}: {capture.info.outcome} {capture.info.reason}")
    print(peak_memory_mb())


if __name__ == "__main__":
    asyncio.run(_peak(sys.argv[1]))
