"""One sample web and one Chromium per test process, and visitors that ask a site of it.

A test file names its site as SITE. Who moves the clock takes `traveller` or `own_web`, which no
other test sees; a test that moves the shared one fails.
"""

from __future__ import annotations

import http.client
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Self
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from webgeist.capture.find import find_browser
from webgeist.samples.clock import START
from webgeist.samples.server import SampleServer, serve

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.message import Message

FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
]


@pytest.fixture(scope="session")
def web() -> Iterator[SampleServer]:
    """All sites, at day 0, for every test of this process."""
    with serve() as running:
        yield running


@pytest.fixture
def own_web() -> Iterator[SampleServer]:
    """All sites for one test alone: its clock and its log."""
    with serve() as running:
        yield running


@pytest.fixture(autouse=True)
def _the_shared_clock_stands_still(web: SampleServer) -> Iterator[None]:
    yield
    moved_to, web.clock.now = web.clock.now, START
    assert moved_to == START, "this test needs own_web or traveller"


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Message
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


@dataclass(frozen=True)
class Visitor:
    """Asks one site of a sample web. Follows no redirect and keeps no cookie."""

    server: SampleServer
    site: str

    def ask(
        self,
        path: str,
        fields: dict[str, str] | None = None,
        *,
        site: str | None = None,
        **headers: str,
    ) -> Answer:
        """A GET, or with `fields` a POST as a form sends it; `x_y="…"` is the header x-y."""
        address = self.server.url(self.site if site is None else site, "")
        sent = {"host": address.removeprefix("http://")}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        if fields is None:
            return self._send("GET", path, None, sent)
        sent["content-type"] = "application/x-www-form-urlencoded"
        return self._send("POST", path, urlencode(fields), sent)

    def _send(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        finally:
            connection.close()

    def page(
        self, path: str, fields: dict[str, str] | None = None, *, site: str | None = None
    ) -> str:
        """The text of a page that is there."""
        answer = self.ask(path, fields, site=site)
        assert answer.status == 200, path
        return answer.text

    def url(self, path: str = "/") -> str:
        return self.server.url(self.site, path)

    @property
    def pages(self) -> tuple[str, ...]:
        """The pages that the site wants to be captured."""
        return {site.name: site.pages for site in self.server.web.sites}[self.site]

    def at(self, days: float) -> Self:
        """The same visitor after so many days; not for the shared web."""
        self.server.clock.now = START + timedelta(days=days)
        return self


@pytest.fixture(scope="module")
def visitor(web: SampleServer, request: pytest.FixtureRequest) -> Visitor:
    return Visitor(web, request.module.SITE)


@pytest.fixture
def traveller(own_web: SampleServer, request: pytest.FixtureRequest) -> Visitor:
    """A visitor of a web of its own, who may travel in time."""
    return Visitor(own_web, request.module.SITE)


@pytest.fixture(scope="session")
def browser_thread() -> Iterator[ThreadPoolExecutor]:
    """Where Playwright lives: in the main thread its loop would run all the time, and tests with
    a loop of their own could not run any more.
    """
    with ThreadPoolExecutor(1, "playwright") as thread:
        yield thread


@pytest.fixture(scope="session")
def chromium(browser_thread: ThreadPoolExecutor) -> Iterator[Browser]:
    executable = find_browser(environ=os.environ).path
    playwright = browser_thread.submit(sync_playwright().start).result()
    try:
        launch = playwright.chromium.launch
        browser = browser_thread.submit(launch, executable_path=executable, args=FLAGS).result()
        yield browser
        browser_thread.submit(browser.close).result()
    finally:
        browser_thread.submit(playwright.stop).result()


@pytest.fixture
def tab(chromium: Browser, browser_thread: ThreadPoolExecutor) -> Iterator[Page]:
    """A tab with a profile of its own. The test that takes it runs in the browser's thread."""
    size = ViewportSize(width=1280, height=900)
    context = browser_thread.submit(chromium.new_context, viewport=size).result()
    yield browser_thread.submit(context.new_page).result()
    browser_thread.submit(context.close).result()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Tests that take `tab` run where it lives; all others as ever."""
    if "tab" not in pyfuncitem.fixturenames:
        return None
    names = pyfuncitem._fixtureinfo.argnames
    arguments = {name: pyfuncitem.funcargs[name] for name in names}
    thread = pyfuncitem.funcargs["browser_thread"]
    assert isinstance(thread, ThreadPoolExecutor)
    thread.submit(pyfuncitem.obj, **arguments).result()
    return True
