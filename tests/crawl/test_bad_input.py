"""Crawls over everything that servers and pages can do wrong: each page ends in a state with its
reason, the good pages among them are captured, the crawl ends by itself, and nothing is left.
"""

from __future__ import annotations

import re
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import pytest
from tests.crawl.crawling import attempts, crawled, page

from webgeist.samples.museum.servers import closed_port, nasty
from webgeist.samples.server import SampleServer, serve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tests.conftest import Site

    from webgeist.repository.repository import Repository
    from webgeist.settings import Settings

pytestmark = pytest.mark.usefixtures("nothing_is_left")
DONE = "done: "
LOOP = "failed: redirect-loop: "
STUCK = "failed: (unresponsive|timeout): "
MUSEUM = {  # paths of the museum, and how each ends
    "/calendar/2026/03/": DONE,
    "/answers/paper.pdf": "failed: (not-html|download): ",
    "/answers/picture.png": "failed: not-html: the answer is image/png",
    "/answers/no-content": "failed: no-content: ",
    "/answers/empty": "done: empty: ",
    "/answers/download": "failed: download: the answer is a file to be saved",
    "/answers/bundle.zip": "failed: download: ",
    "/answers/silence": "failed: timeout: ",
    "/charsets/latin-1-as-utf-8": DONE,
    "/charsets/utf-16": DONE,
    "/charsets/unknown": DONE,
    "/redirects/loop": LOOP,
    "/redirects/self": LOOP,
    "/redirects/refresh": LOOP,
    "/redirects/script": LOOP,
    "/redirects/to-javascript": "failed: bad-url: ",
    "/status/401-basic": "failed: http-error: the server answered 401",
    "/status/401-digest": "failed: http-error: the server answered 401",
    "/scripts/alert": DONE,
    "/scripts/confirm": DONE,
    "/scripts/prompt": DONE,
    "/scripts/beforeunload": DONE,
    "/scripts/alerts": STUCK,
    "/scripts/popups": DONE,
    "/scripts/close": DONE,
    "/scripts/loop": STUCK,
    "/load/trickle": "failed: truncated: ",
    "/load/stalled": "failed: truncated: ",
    "/sizes/deep": "failed: crashed: ",
    "/sizes/links": DONE,
    "/texts/surrogates": DONE,
    "/texts/links": DONE,
}
EATING = "failed: (crashed|unresponsive|timeout|browser-died|too-large|truncated): "
IN_TIME = "done: $|failed: (truncated|unresponsive|timeout): "  # as fast as the machine is
LARGE = {
    "/scripts/memory": EATING,
    "/load/bomb": EATING,
    "/sizes/nodes": IN_TIME,
    "/sizes/tall": IN_TIME,
    "/calendar/2026/03/": DONE,
}
SERVERS = {  # servers of the museum, and how their page ends where robots.txt is not asked for
    **dict.fromkeys(
        ("reset", "reset-after-request", "closed", "half-closed"), "failed: connection: "
    ),
    **dict.fromkeys(("silent", "slow-headers"), "failed: timeout: "),
    **dict.fromkeys(("reset-in-body", "silent-in-body"), "failed: truncated: "),
    "length-too-long": "failed: truncated: ",
    "length-too-short": DONE,
    "length-twice": "failed: bad-response: ",
    "truncated-gzip": DONE,  # Chromium shows what can be unpacked
    "truncated-brotli": "done: empty: ",
    "wrong-encoding": "failed: bad-response: ",
    "gzip-bomb": "failed: too-large: ",
    "garbage": "failed: bad-response: ",
    **dict.fromkeys(("tls-self-signed", "tls-expired", "tls-wrong-host"), "failed: certificate: "),
}
NO_ROBOTS = "failed: robots.txt cannot be had: "
WITHOUT_ROBOTS = {  # servers that fail at robots.txt already, and what is said of them then
    **dict.fromkeys(("reset", "reset-after-request"), NO_ROBOTS + ".*the connection failed: "),
    **dict.fromkeys(("closed", "half-closed"), NO_ROBOTS + "the server hung up without an answer"),
    **dict.fromkeys(("silent", "slow-headers"), NO_ROBOTS + ".* did not answer within 4 s"),
    "length-twice": NO_ROBOTS + "conflicting Content-Length headers",
    "garbage": NO_ROBOTS + "illegal",
    **dict.fromkeys(
        ("tls-self-signed", "tls-expired", "tls-wrong-host"),
        NO_ROBOTS + ".*its certificate is not to be trusted",
    ),
}
FLOODS = dict.fromkeys(("endless-body", "endless-chunks"), EATING)


@pytest.fixture
def museum() -> Iterator[SampleServer]:
    with serve() as server:
        yield server


def different(ended: dict[str, str], expected: dict[str, str]) -> dict[str, str | None]:
    """The pages that did not end as expected."""
    return {
        url: ended.get(url)
        for url, how in expected.items()
        if not re.match(how + ("$" if how == DONE else ""), ended.get(url, ""))
    }


@contextmanager
def servers(names: Iterable[str]) -> Iterator[dict[str, str]]:
    """These servers of the museum are open: their addresses by name."""
    with ExitStack() as stack:
        yield {name: stack.enter_context(nasty(name)).url for name in names}


async def test_whatever_pages_and_servers_do(
    museum: SampleServer, site: Site, repository: Repository, hasty: Settings
) -> None:
    """A good page stands in the middle of them and one at the end."""
    expected = {museum.url("museum", path): how for path, how in MUSEUM.items()}
    with servers(SERVERS) as urls, closed_port() as port:
        expected |= {urls[name]: how for name, how in (SERVERS | WITHOUT_ROBOTS).items()}
        expected[f"http://127.0.0.1:{port}/"] = NO_ROBOTS + ".*refused"
        expected["http://nobody.invalid/"] = NO_ROBOTS
        expected[site.add("/fine", page())] = DONE
        expected[museum.url("museum", "/calendar/2026/04/")] = DONE
        seed = site.add("/", page(*expected))
        ended = await crawled(repository, hasty, seed)
    assert different(ended, expected | {seed: DONE}) == {}
    assert len(ended) == len(expected) + 1


async def test_whatever_servers_do_to_a_page(
    site: Site, repository: Repository, hasty: Settings
) -> None:
    """Where robots.txt is not asked for, the page itself meets them; and it is tried again."""
    more = hasty.crawl.model_copy(update={"robots": False, "attempts": 2})
    settings = hasty.model_copy(update={"crawl": more})
    with servers(SERVERS) as urls:
        expected = {urls[name]: how for name, how in SERVERS.items()}
        ended = await crawled(repository, settings, site.add("/", page(*expected)))
        assert different(ended, expected) == {}
        assert attempts(repository)[urls["reset"]] == 2
        assert attempts(repository)[urls["tls-expired"]] == 1


@pytest.mark.slow
async def test_whatever_is_large(
    museum: SampleServer, site: Site, repository: Repository, hasty: Settings
) -> None:
    seconds = {"navigation_seconds": 20, "settle_seconds": 5, "capture_seconds": 60}
    limits = hasty.limits.model_copy(update=seconds)
    browser = hasty.browser.model_copy(update={"command_seconds": 20})
    patient = hasty.model_copy(update={"limits": limits, "browser": browser})
    expected = {museum.url("museum", path): how for path, how in LARGE.items()}
    with servers(FLOODS) as urls:
        expected |= {urls[name]: how for name, how in FLOODS.items()}
        expected[site.add("/fine", page())] = DONE
        ended = await crawled(repository, patient, site.add("/", page(*expected)))
    assert different(ended, expected) == {}
