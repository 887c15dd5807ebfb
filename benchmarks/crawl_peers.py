"""A complete crawl beside the peers' bare rendering: the same pages, Chromium and number of tabs.

webgeist stores everything (styles of all nodes, pictures, bodies, tables); the peers wait for the
load event, take the HTML and drop it. They take turns, and starting up counts.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from benchmarks.crawl_commands import CRAWLEE, CRAWLERS, WEBGEIST, crawl, peers_python
from benchmarks.crawl_pages import served
from benchmarks.spread import Spread, load, spread
from webgeist.capture.find import find_browser

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchmarks.crawl_tree import Ran

SPEED_BAR, CPU_BAR = 0.7, 1.4
_OTHER = Path("/usr/bin/chromium")
PAGES = 60


def run(*, short: bool) -> dict[str, Any]:
    peers_python()
    found = str(find_browser(environ=os.environ).path)
    rounds = {found: 1 if short else 3}
    if not short and _OTHER.exists() and Path(found) != _OTHER:
        rounds[str(_OTHER)] = 1
    before = load()
    with served(12 if short else PAGES) as addresses:
        browsers = {
            Path(browser).name: _figures(_rounds(addresses, browser, count), len(addresses))
            for browser, count in rounds.items()
        }
    return {"pages": len(addresses), "browsers": browsers, "load": [before, load()]}


def _rounds(addresses: Sequence[str], browser: str, count: int) -> dict[str, list[Ran]]:
    """Each round begins with another one."""
    ran: defaultdict[str, list[Ran]] = defaultdict(list)
    for number in range(count):
        first = number % len(CRAWLERS)
        for who in (*CRAWLERS[first:], *CRAWLERS[:first]):
            with TemporaryDirectory() as folder:
                done = crawl(who, addresses, browser, Path(folder, "work"))
            ran[who].append(done)
            cpu = done.cpu_seconds
            said = f"{done.said['done']} pages in {done.seconds:.1f} s, {cpu:.1f} s CPU"
            print(f"  {Path(browser).name} {who}: {said}, {load()}", file=sys.stderr)
            if done.said["done"] != len(addresses):
                raise RuntimeError(f"{who} had not all of {len(addresses)} pages: {done.said}")
    return ran


def _figures(ran: dict[str, list[Ran]], pages: int) -> dict[str, Any]:
    """Ratios are those of one round each."""
    figures: dict[str, Any] = {
        who: {
            "done": min(each.said["done"] for each in rounds),
            "pages_per_second": vars(spread(pages / each.seconds for each in rounds)),
            "cpu_ms": vars(spread(each.cpu_seconds * 1000 / pages for each in rounds)),
            "cpu_ms_by_role": _by_role(rounds, pages),
        }
        for who, rounds in ran.items()
    }
    for peer in CRAWLERS[1:]:
        both = list(zip(ran[WEBGEIST], ran[peer], strict=True))
        figures[peer]["speed_ratio"] = vars(spread(b.seconds / a.seconds for a, b in both))
        figures[peer]["cpu_ratio"] = vars(spread(a.cpu_seconds / b.cpu_seconds for a, b in both))
    return figures


def _by_role(rounds: Sequence[Ran], pages: int) -> dict[str, float]:
    roles = {role for each in rounds for role in each.cpu}
    found = {
        role: _median(each.cpu.get(role, 0.0) for each in rounds) * 1000 / pages for role in roles
    }
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def _median(values: Iterable[float]) -> float:
    return spread(values).median


def report(figures: dict[str, Any]) -> list[str]:
    lines = [
        f"A crawl, everything stored, beside bare rendering ({', '.join(figures['load'])})",
        "",
        f"The same {figures['pages']} pages, two tabs; ratios are webgeist over the peer",
        "",
        "| Chromium | crawler | pages | pages/s | CPU ms a page | pages/s | CPU |",
        "|---|---|--:|--:|--:|--:|--:|",
    ]
    for browser, found in figures["browsers"].items():
        lines += [_row(browser, who, found[who]) for who in CRAWLERS]
    bars = f"bars over {CRAWLEE}: at least {SPEED_BAR}x pages/s, at most {CPU_BAR}x CPU"
    return [*lines, "", bars, "", *_role_report(figures["browsers"])]


def _row(browser: str, who: str, found: dict[str, Any]) -> str:
    speed, cpu = (Spread(**found[name]) for name in ("pages_per_second", "cpu_ms"))
    ratios = [
        Spread(**found[name]).as_ratio if name in found else ""
        for name in ("speed_ratio", "cpu_ratio")
    ]
    cells = (
        browser,
        who,
        str(found["done"]),
        f"{speed.median:.2f} ({speed.low:.2f} to {speed.high:.2f})",
        f"{cpu.median:.0f} ({cpu.low:.0f} to {cpu.high:.0f})",
        *ratios,
    )
    return f"| {' | '.join(cells)} |"


def _role_report(browsers: dict[str, Any]) -> list[str]:
    return [
        f"CPU ms a page, {browser} {who}: "
        + ", ".join(f"{role} {ms:.0f}" for role, ms in found[who]["cpu_ms_by_role"].items())
        for browser, found in browsers.items()
        for who in CRAWLERS
    ]
