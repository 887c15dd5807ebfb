"""A worker process: captures what its foreman asks for, with a browser of its own.

Orders come as lines of JSON on stdin, answers go as such to stdout; captures are handed over as
files (`capture.parcel`). The first line says how to work. When stdin ends, so does the worker: it
cannot outlive its foreman.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from webgeist.capture.memory import Leftovers, stay_small
from webgeist.capture.metric_files import METRICS
from webgeist.capture.parcel import pack
from webgeist.crawl.cameras import Cameras
from webgeist.crawl.visitor import LostError
from webgeist.errors import WebgeistError
from webgeist.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

_MOST_BYTES = 1 << 20  # of one order


async def work() -> None:
    """Carry out orders, several at a time, until there are no more."""
    stay_small()
    orders = await _stdin()
    terms = orjson.loads(await orders.readline())
    settings = Settings.model_validate(terms["settings"])
    if terms["silent"]:  # the first worker has said what there is to say about Chromium
        logging.getLogger("webgeist.capture.browser").setLevel(logging.ERROR)
    tasks: set[asyncio.Task[None]] = set()
    leftovers = Leftovers()
    metrics = METRICS.validate_json(await asyncio.to_thread(Path(terms["metrics"]).read_bytes))
    certificates, signature = Path(terms["certificates"]), terms["signature"]
    async with Cameras(settings, certificates, signature, metrics) as cameras:
        while line := await orders.readline():
            task = asyncio.create_task(_carry_out(orjson.loads(line), cameras, leftovers))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _stdin() -> asyncio.StreamReader:
    reader = asyncio.StreamReader(limit=_MOST_BYTES)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    return reader


async def _carry_out(order: Mapping[str, Any], cameras: Cameras, leftovers: Leftovers) -> None:
    answer = {"order": order["order"]}
    try:
        await _capture(order, cameras)
    except WebgeistError as error:
        answer |= {"error": error.message, "remedy": error.remedy}
    except LostError as error:
        answer |= {"lost": str(error)}
    except Exception as error:  # noqa: BLE001 - told to the foreman, who would wait for it in vain
        answer |= {"lost": f"its worker failed: {error!r}"}
    _answer(answer)
    await asyncio.to_thread(leftovers.give_back)


async def _capture(order: Mapping[str, Any], cameras: Cameras) -> None:
    capture = await cameras.capture(order["url"], order["viewport"], order["form"])
    try:
        await asyncio.to_thread(pack, capture, Path(order["file"]))
    finally:
        capture.close()


def _answer(answer: Mapping[str, Any]) -> None:
    """One write, so that answers of several tasks never mix."""
    os.write(sys.stdout.fileno(), orjson.dumps(answer, option=orjson.OPT_APPEND_NEWLINE))


if __name__ == "__main__":
    asyncio.run(work())
