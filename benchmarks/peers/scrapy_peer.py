"""scrapy-playwright: renders the pages of a list, two at a time, and keeps nothing.

Arguments: Chromium, one more argument for it, a file with an address in each line. It says how many
pages it had, as JSON.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

# They are in an environment of their own, which the type checker does not see.
import scrapy  # type: ignore[import-not-found]
from scrapy.crawler import CrawlerProcess  # type: ignore[import-not-found]

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

TABS = 2
_HANDLER = "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler"


class Renders(scrapy.Spider):  # type: ignore[misc]
    name = "renders"

    def __init__(self, addresses: list[str], counts: dict[str, int]) -> None:
        super().__init__()
        self._addresses = addresses
        self._counts = counts

    async def start(self) -> AsyncIterator[Any]:
        for address in self._addresses:
            yield scrapy.Request(
                address,
                meta={"playwright": True},
                callback=self.parse,
                errback=self.failed,
                dont_filter=True,
            )

    def parse(self, _: Any) -> None:
        """The answer holds the page as it was at its load event."""
        self._counts["done"] += 1

    def failed(self, _: Any) -> None:
        self._counts["failed"] += 1


def main(browser: str, argument: str, addresses: list[str]) -> None:
    counts = {"done": 0, "failed": 0}
    process = CrawlerProcess(
        {
            "DOWNLOAD_HANDLERS": {"http": _HANDLER, "https": _HANDLER},
            "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
            "CONCURRENT_REQUESTS": TABS,
            "TELNETCONSOLE_ENABLED": False,  # it would listen
            "LOG_LEVEL": "ERROR",
            "PLAYWRIGHT_LAUNCH_OPTIONS": {
                "executable_path": browser,
                "args": ["--disable-quic", argument],
                "chromium_sandbox": os.geteuid() != 0,
            },
        }
    )
    process.crawl(Renders, addresses=addresses, counts=counts)
    process.start()
    print("\n" + json.dumps(counts))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]).read_text("utf-8").split())
