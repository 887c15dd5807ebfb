"""crawlee's PlaywrightCrawler: renders the pages of a list, two at a time, and keeps nothing.

Arguments: Chromium, one more argument for it, a file with an address in each line. It says how many
pages it had, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

# They are in an environment of their own, which the type checker does not see.
from crawlee import ConcurrencySettings  # type: ignore[import-not-found]
from crawlee.crawlers import PlaywrightCrawler  # type: ignore[import-not-found]

TABS = 2


async def main(browser: str, argument: str, addresses: list[str]) -> None:
    crawler = PlaywrightCrawler(
        browser_launch_options={
            "executable_path": browser,
            "args": ["--disable-quic", argument],
            "chromium_sandbox": os.geteuid() != 0,
        },
        # As many as that, however busy the machine seems to be.
        concurrency_settings=ConcurrencySettings(
            min_concurrency=TABS, max_concurrency=TABS, desired_concurrency=TABS
        ),
    )
    crawler.router.default_handler(_render)
    ended = await crawler.run(addresses)
    counts = {"done": ended.requests_finished, "failed": ended.requests_failed}
    print("\n" + json.dumps(counts))


async def _render(context: Any) -> None:
    """By now the page has had its load event."""
    await context.page.content()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], Path(sys.argv[3]).read_text("utf-8").split()))
