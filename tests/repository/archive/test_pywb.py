"""Real pywb replays what was written, with our index: `./test -m slow tests/repository/archive`.

pywb, and wacz with its validator, are installed into environments of their own (this needs pip and
its index), started on loopback and thrown away.
"""

from __future__ import annotations

import asyncio
import gzip
import http.client
import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import pytest
from tests.capture.recorder.test_browser import shoot
from tests.repository.archive.exchanges import (
    BROTLI,
    BROTLI_PLAIN,
    HTML,
    PAGE,
    Shelf,
    close_bodies,
    every_kind,
    make_exchange,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import SettingsMaker, Site

    from webgeist.capture.exchange import Exchange

pytestmark = pytest.mark.slow

_CONFIG = """
collections:
  ours:
    index_paths: {archive}
    archive_paths: {archive}/
"""


class Answer(NamedTuple):
    status: int
    body: bytes
    headers: dict[str, str]


class Replay(NamedTuple):
    """A running pywb."""

    base: str
    kinds: dict[str, Exchange]

    def get(self, url: str, data: bytes | None = None, content_type: str = "") -> Answer:
        """The stored answer, not rewritten (`id_`), without following redirects."""
        request = urllib.request.Request(f"{self.base}/ours/20240229120000id_/{url}", data)
        if content_type:
            request.add_header("Content-Type", content_type)
        try:
            with urllib.request.build_opener(_Stay).open(request, timeout=30) as reply:
                return Answer(reply.status, _read(reply), dict(reply.headers))
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, error.read(), dict(error.headers))


def _read(reply: http.client.HTTPResponse) -> bytes:
    """The body; one that was cut when it was recorded is cut again."""
    try:
        return reply.read()
    except http.client.IncompleteRead as cut:
        return cut.partial


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


@pytest.fixture(scope="module")
def pywb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an environment with pywb in it."""
    return install(tmp_path_factory.mktemp("pywb"), "pywb==2.10.0", "setuptools<81")


def install(folder: Path, *packages: str) -> Path:
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", *packages]
    subprocess.run(pip, check=True, capture_output=True)
    return folder / "bin"


@pytest.fixture(scope="module")
def replay(pywb: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replay]:
    shelf = Shelf(tmp_path_factory.mktemp("replay") / "archive")
    kinds = every_kind()
    shelf.keep(*kinds.values())
    shelf.keep(make_exchange("http://later.test/copy", number=40))  # a revisit in another file
    with wayback(pywb, shelf) as base:
        yield Replay(base, kinds)
    close_bodies()


@contextmanager
def wayback(pywb: Path, shelf: Shelf) -> Iterator[str]:
    """The address of a pywb that replays what is on the shelf."""
    folder = shelf.folder.parent
    (folder / "config.yaml").write_text(_CONFIG.format(archive=shelf.folder), "utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(pywb / "wayback"), "-p", str(port), "-b", "127.0.0.1", "-d", str(folder)]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            command, stdout=log, stderr=log, env=os.environ | {"HOME": str(folder)}
        )
        try:
            wait_for(port, server, folder / "log")
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait()


def wait_for(port: int, server: subprocess.Popen[bytes], log: Path) -> None:
    """Until it listens; what it wrote, if it ends instead."""
    while server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            continue
        return
    pytest.fail(log.read_text("utf-8"))


@pytest.mark.parametrize(
    "kind", ["page", "same", "empty", "chunked", "cut", "missing", "odd", "secure", "nothing"]
)
def test_the_body_is_what_was_stored(replay: Replay, kind: str) -> None:
    exchange = replay.kinds[kind]
    answer = replay.get(exchange.url)
    assert (answer.status, answer.body) == (exchange.status, exchange.body.read())


def test_coded_bodies_are_decoded_for_who_cannot(replay: Replay) -> None:
    gzipped, coded = (replay.get(replay.kinds[name].url).body for name in ("gzipped", "brotli"))
    assert gzipped == b"<p>gzipped" * 50
    assert coded == BROTLI_PLAIN


def test_a_revisit_of_another_url_in_another_file(replay: Replay) -> None:
    assert replay.get("http://later.test/copy").body == PAGE


def test_redirect(replay: Replay) -> None:
    answer = replay.get("http://h.test/redirect")
    assert answer.status == 302
    assert answer.headers["Location"].endswith("http://h.test/page")


def test_posts(replay: Replay) -> None:
    form = "application/x-www-form-urlencoded"
    assert (
        replay.get("http://h.test/post", b"name=value&other=1", form).body == b"thanks for posting"
    )
    found = replay.get("http://h.test/json", b'{"q": {"id": 7}}', "application/json")
    assert found.body == b'{"found": 1}'


def test_what_is_not_stored_is_not_found(replay: Replay) -> None:
    assert replay.get("http://h.test/never").status == 404
    assert replay.get("http://h.test/refused").status == 404


# What a page asks for: what comes over the wire, how it is coded, and what it is.
_ASSETS = {
    "/style.css": (gzip.compress(b"p { color: red }"), "gzip", b"p { color: red }"),
    "/more.css": (BROTLI, "br", BROTLI_PLAIN),
    "/plain.css": (b"b { color: blue }", "", b"b { color: blue }"),
    "/again.css": (b"b { color: blue }", "", b"b { color: blue }"),  # a revisit
}


def test_what_chromium_itself_recorded(
    pywb: Path, site: Site, make_settings: SettingsMaker, tmp_path: Path
) -> None:
    """Records of the browser form: bodies that were sent coded stand decoded."""
    links = "".join(f"<link rel=stylesheet href={path}>" for path in _ASSETS)
    html = f"<p>words{links}<link rel=stylesheet href=/missing.css>"
    for path, (sent, coding, _) in _ASSETS.items():
        headers = {"content-type": "text/css"} | ({"content-encoding": coding} if coding else {})
        site.add(path, sent, headers=headers)
    page = site.add("/", gzip.compress(html.encode()), headers={"content-encoding": "gzip"})
    start = site.add("/start", status=302, headers={"Location": page})
    capture = asyncio.run(shoot(make_settings(), start))
    assert {each.url for each in capture.exchanges if each.decoded} == {
        page, site.url("/style.css"), site.url("/more.css")
    }  # fmt: skip
    shelf = Shelf(tmp_path / "archive")
    kept = shelf.keep(*capture.exchanges)
    capture.close()
    assert any(each.revisit for each in kept)
    with wayback(pywb, shelf) as base:
        replay = Replay(base, {})
        assert replay.get(page).body == html.encode()
        for path, (_, _, plain) in _ASSETS.items():
            answer = replay.get(site.url(path))
            assert (answer.status, answer.body) == (200, plain)
        assert replay.get(site.url("/missing.css")).status == 404
        redirect = replay.get(start)
    assert redirect.status == 302
    assert redirect.headers["Location"].endswith(page)


def test_what_came_by_http_2_and_3(pywb: Path, tmp_path: Path) -> None:
    """Only Chromium speaks them."""
    shelf = Shelf(tmp_path / "archive")
    coded = (*HTML, (b"content-encoding", b"br"), (b"content-length", b"9"))
    versions = ("HTTP/2", "HTTP/3")
    for number, version in enumerate(versions):
        url, data = f"https://h{number}.test/", f"<p>{version}".encode()
        made = make_exchange(url, data, number=number, headers=coded, reason="", decoded=True)
        shelf.keep(replace(made, version=version))
    with wayback(pywb, shelf) as base:
        found = [Replay(base, {}).get(f"https://h{number}.test/") for number in range(2)]
    close_bodies()
    assert [(each.status, each.body) for each in found] == [
        (200, f"<p>{version}".encode()) for version in versions
    ]
