"""Addresses that are odd, endless, many, or mean something else the next time."""

from __future__ import annotations

import http.server
import socket
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from tests.crawl.crawling import crawled, page

from webgeist.capture.gate import Gate
from webgeist.crawl.plan import Bounds, Plan
from webgeist.crawl.run import Crawl, End

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.conftest import Site

    from webgeist.repository.repository import Repository
    from webgeist.settings import Settings

pytestmark = pytest.mark.usefixtures("nothing_is_left")
DONE = "done: "


class _OverIPv6(http.server.ThreadingHTTPServer):
    address_family = socket.AF_INET6


@contextmanager
def ipv6_site() -> Iterator[str]:
    """A server on ::1 that knows one page for every address."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(b"<p>words over IPv6")

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    with _OverIPv6(("::1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://[::1]:{server.server_port}/"
        server.shutdown()
        thread.join()


async def test_addresses_of_every_kind(site: Site, repository: Repository, hasty: Settings) -> None:
    port = site.server.server_port
    long = site.add("/long", page()) + "?" + "x" * 10_000
    site.add("/idn", page())
    site.add("/refresh", '<meta http-equiv="refresh" content="0;url=/there">')
    site.add("/there", page())
    not_followed = {
        "data:text/html,<h1>data</h1>": "no-page",
        "javascript:alert(1)": "no-page",
        "http://[::1": "no-page",
        "http://h:99999/": "no-page",
        "mailto:x@y": "no-page",
        long: "crawl.url_length",
        site.url("/a/a/a/a/a/"): "crawl.repeated_segments",
    }
    followed = [f"http://b\u00fccher.localhost:{port}/idn", "/refresh"]
    with ipv6_site() as ipv6:
        seed = site.add("/", page(*not_followed, *followed, ipv6))
        ended = await crawled(repository, hasty, seed, long)
    assert ended == {
        seed: DONE,
        long: DONE,
        ipv6: DONE,
        f"http://xn--bcher-kva.localhost:{port}/idn": DONE,
        site.url("/refresh"): "skipped: redirects to " + site.url("/there"),
        site.url("/there"): DONE,
    }
    told = {each["href"]: each["followed"] for each in repository.latest(seed).links.to_pylist()}
    assert {href: told[href] for href in not_followed} == not_followed


async def test_five_thousand_links_on_one_page(
    site: Site, repository: Repository, hasty: Settings
) -> None:
    """All are known, those that look alike up to the limit; none but those asked for is visited."""
    same = [f"/same?number={number}" for number in range(2_500)]
    own = [f"/page-{'x' * (number % 50)}-{number // 50 * 'y'}" for number in range(2_500)]
    seed = site.add("/", page(*same, *own))
    few = hasty.crawl.model_copy(update={"same_shape": 100})
    crawl = Crawl(
        repository, Plan((seed,)), Bounds(pages=1), hasty.model_copy(update={"crawl": few})
    )
    assert await crawl.run() is End.PAGES
    assert crawl.progress().queued == 2_600
    links = repository.latest(seed).links.column("followed").to_pylist()
    assert links == ["followed"] * 100 + ["crawl.same_shape"] * 2_400 + ["followed"] * 2_500


async def test_a_name_that_turns_private_is_not_followed_there(
    site: Site, repository: Repository, hasty: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """robots.txt comes from this machine; for the page, the name has become an inner address."""
    asked: list[str] = []

    async def turning(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return ["127.0.0.1"] if asked.count(host) == 1 else ["10.0.0.1"]

    gate = Gate(allow=("127.0.0.0/8",), resolve=turning)
    monkeypatch.setattr(Gate, "of", lambda _: gate)
    site.add("/page", page())
    url = site.url("/page", host="turning.localhost")
    ended = await crawled(repository, hasty, url, site.add("/fine", page()))
    assert ended.pop(site.url("/fine")) == DONE
    (how,) = ended.values()
    assert how.startswith("failed: withheld: turning.localhost is 10.0.0.1, which is no public")
    assert asked.count("turning.localhost") == 2
    assert "/page" not in site.log
