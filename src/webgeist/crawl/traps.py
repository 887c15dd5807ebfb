"""Places without end: calendars, session ids in paths, links that grow with every click. Pure.

No page can be known to be a trap before it is seen; so each sign is a limit, and a link that is
not followed because of one is stored with its name.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webgeist.crawl.addresses import Address
    from webgeist.settings import CrawlSettings

_NUMBER = re.compile(r"\d+")


def sign(page: Address, limits: CrawlSettings) -> str | None:
    """The limit that an address is beyond, by its name in the settings."""
    if len(page.url) > limits.url_length:
        return "crawl.url_length"
    segments = [segment for segment in page.path.split("/") if segment]
    if len(segments) > limits.path_segments:
        return "crawl.path_segments"
    if segments and max(Counter(segments).values()) > limits.repeated_segments:
        return "crawl.repeated_segments"
    return None


def shape(page: Address) -> str:
    """What pages that a program makes one after the other have in common.

    Numbers count as one, and so do the values in a query: /calendar/2026/11?view=day and
    /calendar/2027/01?view=week have one shape.
    """
    names = "&".join(pair.partition("=")[0] for pair in page.query.split("&"))
    return f"{page.host}{_NUMBER.sub('0', page.path)}?{_NUMBER.sub('0', names)}"
