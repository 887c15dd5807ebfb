"""Real pywb replays what was written, with our index: `./test -m slow tests/repository/archive`.

pywb, and wacz with its validator, are installed into environments of their own (this needs pip and
its index), started on loopback and thrown away.
"""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, NamedTuple

import pytest
from tests.repository.archive.exchanges import (
    BROTLI_PLAIN,
    PAGE,
    Shelf,
    close_bodies,
    every_kind,
    make_exchange,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

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
    folder = tmp_path_factory.mktemp("replay")
    shelf = Shelf(folder / "archive")
    kinds = every_kind()
    shelf.keep(*kinds.values())
    shelf.keep(make_exchange("http://later.test/copy", number=40))  # a revisit in another file
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
            yield Replay(f"http://127.0.0.1:{port}", kinds)
        finally:
            server.terminate()
            server.wait()
            close_bodies()


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
