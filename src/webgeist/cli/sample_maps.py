"""The maps of the sample sites for the demo: their HTML is enough, so no browser is started."""

from __future__ import annotations

from collections import deque
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webgeist.samples.server import SampleServer

_MOST = 30  # pages of a site
_SECONDS = 5.0
_SHOWN = 10  # lines of a map


def map_lines(server: SampleServer, site: str) -> list[str]:
    """The beginning of the map of one sample site; what is left out is counted."""
    from webgeist.analyses.menus.mining import mine_menus
    from webgeist.analyses.menus.sitemap import site_tree, tree_lines

    mined = mine_menus(site_pages(server, site))
    lines = [line for each in mined.sites for line in tree_lines(site_tree(mined, each))]
    more = [f"  … {len(lines) - _SHOWN} more lines"] if len(lines) > _SHOWN else []
    return lines[:_SHOWN] + more


def site_pages(server: SampleServer, site: str) -> Iterator[tuple[str, bytes]]:
    """What links lead to from a site's first page, nearest first."""
    from webgeist.analyses.menus.parse import parse_html

    start = server.url(site)
    waiting, seen, brought = deque([start]), {start}, 0
    while waiting and brought < _MOST:
        url = waiting.popleft()
        html = _fetch(server, url)
        if html is None:
            continue
        brought += 1
        yield url, html
        for link in parse_html(url, html).links.values():
            target = (link.url or "").partition("#")[0]
            if target.startswith(start) and target not in seen:
                seen.add(target)
                waiting.append(target)


def _fetch(server: SampleServer, url: str) -> bytes | None:
    """A page of the sample web; None where there is none. Names of sites need not be resolved."""
    parts = urlsplit(url)
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    connection = HTTPConnection("127.0.0.1", server.port, timeout=_SECONDS)
    try:
        connection.request("GET", path, headers={"Host": parts.netloc})
        answer = connection.getresponse()
        is_page = answer.status == HTTPStatus.OK and "html" in answer.headers.get(
            "content-type", ""
        )
        return answer.read() if is_page else None
    except (OSError, HTTPException):
        return None
    finally:
        connection.close()
