"""Reads a host's sitemaps, from those that its robots.txt names to the last one they list."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import TYPE_CHECKING

from webgeist.crawl.addresses import parse
from webgeist.crawl.sitemaps import read_sitemap

if TYPE_CHECKING:
    from webgeist.capture.fetch import Fetcher
    from webgeist.crawl.robots import Robots
    from webgeist.crawl.sitemaps import Entry, Sitemap
    from webgeist.settings import CrawlSettings

_log = logging.getLogger(__name__)
_MOST_FILES = 1_000  # of one host


async def listed_pages(
    origin: str, robots: Robots, fetcher: Fetcher, settings: CrawlSettings
) -> list[Entry]:
    """The pages that a host's sitemaps list, as far as the limits go; none where it has none.

    What cannot be read is logged, and what stands before it counts.
    """
    waiting = list(robots.sitemaps) or [f"{origin}/sitemap.xml"]
    seen = set(waiting)
    pages: dict[str, Entry] = {}
    files = 0
    while waiting and files < _MOST_FILES and len(pages) < settings.sitemap_urls:
        files += 1
        found = await _read(waiting.pop(0), fetcher, settings)
        for entry in found.pages[: settings.sitemap_urls - len(pages)]:
            pages.setdefault(entry.url, entry)
        for entry in found.sitemaps:
            if entry.url not in seen:
                seen.add(entry.url)
                waiting.append(entry.url)
    return list(pages.values())


async def _read(url: str, fetcher: Fetcher, settings: CrawlSettings) -> Sitemap:
    most_bytes, most_urls = settings.sitemap_bytes, settings.sitemap_urls
    if parse(url) is None:
        _log.warning("sitemap %s: no address of a file", url)
        return read_sitemap(b"", most_bytes=most_bytes, most_urls=most_urls)
    chain = await fetcher.get(url, most_bytes=most_bytes)
    answer = chain[-1]
    ok = answer.status == HTTPStatus.OK
    body = answer.body.read() if ok else b""  # packed by the server or not: both are read
    found = read_sitemap(body, most_bytes=most_bytes, most_urls=most_urls)
    problem = found.problem if ok else f"status {answer.status}"
    if problem:
        _log.info("sitemap %s: %s", url, problem)
    for exchange in chain:
        exchange.close()
    return found
