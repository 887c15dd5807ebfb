"""What finding pagination costs: CPU from capture to answer, and to compile the rules.

The best of a few rounds of each page, so that what else the machine does counts as little as
possible; and one page of 3,000 nodes and 500 links, with a pager, as shops have them.
"""

from __future__ import annotations

import asyncio
import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from webgeist.analyses.blocks.pagination import find_pagination
from webgeist.analyses.blocks.rules.compiler import compile_rules
from webgeist.capture.camera import Camera
from webgeist.capture.folder import open_capture
from webgeist.capture.target import parse_target
from webgeist.settings import Settings
from webgeist.settings.models import CaptureSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from webgeist.analyses.blocks.rules.compiler import Source
    from webgeist.capture.model import Capture

_ROUNDS = 3
_NODES, _LINKS = 3_000, 500
_URL = "https://example.org/things?page=3"


def cost_figures(
    sources: tuple[Source, ...], rows: Sequence[dict[str, Any]], cache: Path
) -> dict[str, Any]:
    """Words and rules are already known to the process, as from its second page on."""
    captures = (open_capture(cache / row["file"][:-5]) for row in rows)
    spent = [_best(partial(find_pagination, each)) for each in captures if each.page is not None]
    big = asyncio.run(_big_page())
    page = big.page
    assert page is not None
    return {
        "cpu_ms_median": round(float(np.median(spent)), 1),
        "cpu_ms_quartiles": np.percentile(spent, [25, 75]).round(1).tolist(),
        "cpu_ms_p95": round(float(np.percentile(spent, 95)), 1),
        "cpu_ms_big_page": round(_best(partial(find_pagination, big)), 1),
        "big_page_nodes": len(page),
        "big_page_links": len(page.find("a")),
        "compile_ms": round(min(_fresh(sources, k) for k in range(2 * _ROUNDS)), 1),
    }


def _best(call: Callable[[], object]) -> float:
    return min(_timed(call) for _ in range(_ROUNDS))


def _timed(call: Callable[[], object]) -> float:
    started = time.process_time()
    call()
    return 1000 * (time.process_time() - started)


def _fresh(sources: tuple[Source, ...], number: int) -> float:
    """Compiling what was not compiled before: a comment makes the rules new."""
    last = sources[-1]
    changed = (*sources[:-1], type(last)(last.name, f"{last.text}\n% {number}\n"))
    return _timed(partial(compile_rules, changed, "pagination"))


async def _big_page() -> Capture:
    settings = Settings(capture=CaptureSettings(screenshot="none", scroll=False))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "page.html"
        file.write_text(_html(), "utf-8")
        async with Camera(settings) as camera:
            return await camera.capture(parse_target(str(file), url=_URL))


def _html() -> str:
    """Goods with a link and a price each, then a pager."""
    pager = "".join(f"<li><a href='/things?page={k}'>{k}</a></li>" for k in (1, 2, 4, 5, 6, 7, 20))
    ends = "<a href='/things?page=2'>Previous</a> <a href='/things?page=4'>Next</a>"
    goods = "".join(
        f"<div class=item><a href='/thing/{k}'>Thing {k}</a><b>{k}.90</b></div>"
        for k in range(_LINKS - 9)
    )
    rest = "<i>x</i>" * max(0, (_NODES - 5 * (_LINKS - 9) - 40) // 2)
    return f"<body><main>{goods}{rest}</main><ul class=pages>{pager}</ul>{ends}"
