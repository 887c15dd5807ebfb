"""One browser per test process, a small site of the test's own, and pages taken with both."""

from __future__ import annotations

import http.server
import signal
import socket
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import hypothesis
import pytest

from webgeist.blocking import Portal, portal
from webgeist.capture.camera import Camera
from webgeist.capture.target import Target, parse_target
from webgeist.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime
    from pathlib import Path

    from webgeist.capture.model import Capture

# Who runs tests in the background of a shell ignores Ctrl-C, and so would every process of theirs.
signal.signal(signal.SIGINT, signal.default_int_handler)

# How long one example of a property takes says nothing on a busy machine.
hypothesis.settings.register_profile("without deadline", deadline=None)
hypothesis.settings.load_profile("without deadline")

# Nothing that a test loads may leave the machine.
ARGUMENTS = '--host-resolver-rules="MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"'


@pytest.fixture(scope="session")
def make_settings() -> SettingsMaker:
    return SettingsMaker()


class SettingsMaker:
    """Settings under which Chromium resolves no name but localhost, may reach this machine, and
    takes no pictures.

    `make_settings(limits={"nodes": 5})` sets more.
    """

    def __call__(self, **sections: dict[str, object]) -> Settings:
        values: dict[str, dict[str, object]] = {
            "browser": {"arguments": ARGUMENTS},
            "capture": {"screenshot": "none"},
            "gate": {"allow_private": True},
        }
        for section, given in sections.items():
            values[section] = values.get(section, {}) | given
        return Settings.model_validate(values)


@dataclass(frozen=True)
class Studio:
    """A camera and the loop that it lives in, for tests that have none."""

    door: Portal
    camera: Camera

    def shoot(
        self, target: str | Target, *, viewport: str | None = None, clock: datetime | None = None
    ) -> Capture:
        wanted = target if isinstance(target, Target) else Target(target)
        return self.door.run(self.camera.capture(wanted, viewport=viewport, clock=clock))


@contextmanager
def open_studio(settings: Settings) -> Iterator[Studio]:
    with portal() as door:
        camera = Camera(settings)
        door.run(camera.__aenter__())
        try:
            yield Studio(door, camera)
        finally:
            door.run(camera.__aexit__(None, None, None))


@pytest.fixture(scope="session")
def studio(make_settings: SettingsMaker) -> Iterator[Studio]:
    """One browser for all tests of this process; each capture has a context of its own."""
    with open_studio(make_settings()) as opened:
        yield opened


@pytest.fixture(scope="session")
def picture_studio(make_settings: SettingsMaker) -> Iterator[Studio]:
    """The same with full-page pictures, without loss."""
    with open_studio(make_settings(capture={"screenshot": "png"})) as opened:
        yield opened


class Shooter:
    """Captures HTML written to a file: nothing is fetched and no script runs."""

    def __init__(self, studio: Studio, folder: Path) -> None:
        self._studio = studio
        self._folder = folder

    def __call__(self, html: str, *, url: str = "http://example.org/dir/page.html") -> Capture:
        path = self._folder / "page.html"
        path.write_text(html, "utf-8")
        return self._studio.shoot(parse_target(str(path), url=url))


@pytest.fixture
def shoot_html(studio: Studio, tmp_path: Path) -> Shooter:
    return Shooter(studio, tmp_path)


class Reply(NamedTuple):
    """What the site answers. `length` may lie about the body; None in `status` is silence.

    A header `hold` keeps the connection open after the body.
    """

    body: bytes
    status: int | None
    headers: dict[str, str]
    length: int | None


@dataclass
class Site:
    """A web server on a free port of 127.0.0.1. `log` holds the paths it was asked for."""

    server: _Server
    log: list[str] = field(default_factory=list)
    replies: dict[str, Reply] = field(default_factory=dict)
    closing: threading.Event = field(default_factory=threading.Event)
    asked: dict[str, threading.Event] = field(default_factory=dict)

    def add(
        self,
        path: str,
        body: str | bytes = "",
        *,
        status: int | None = 200,
        length: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> str:
        """Answer `path` from now on. Returns its URL."""
        raw = body.encode() if isinstance(body, str) else body
        named = {"content-type": "text/html; charset=utf-8", **(headers or {})}
        self.asked[path] = threading.Event()
        self.replies[path] = Reply(raw, status, named, length)
        return self.url(path)

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.server.server_port}{path}"

    def heard(self, path: str) -> None:
        self.log.append(path)
        if path in self.asked:
            self.asked[path].set()


class _Handler(http.server.BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        site = self.server.site
        path = self.path.partition("?")[0]
        reply = site.replies.get(path, Reply(b"", 404, {}, None))
        site.heard(path)
        if reply.status is None:
            site.closing.wait()
            return
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        length = len(reply.body) if reply.length is None else reply.length
        self.send_header("content-length", str(length))
        self.end_headers()
        self.wfile.write(reply.body)
        if "hold" in reply.headers:
            self.wfile.flush()
            site.closing.wait()

    def log_message(self, *_: object) -> None:
        """The site has a log of its own."""


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = False  # server_close waits for all of them

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.site = Site(self)
        self.connections: list[socket.socket] = []
        self.failures: list[BaseException] = []

    def process_request(self, request: Any, client_address: Any) -> None:
        self.connections.append(request)
        super().process_request(request, client_address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        import sys

        error = sys.exc_info()[1]
        if error is not None and not isinstance(error, ConnectionError):
            self.failures.append(error)

    def stop(self) -> None:
        self.site.closing.set()
        self.shutdown()
        for connection in self.connections:
            with suppress(OSError):  # most have ended
                connection.shutdown(socket.SHUT_RDWR)
        self.server_close()


@pytest.fixture
def site() -> Iterator[Site]:
    server = _Server()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server.site
    server.stop()
    thread.join()
    assert not server.failures
