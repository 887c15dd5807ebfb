"""The browser form by itself: what the suite of both forms does not ask."""

from __future__ import annotations

import asyncio
import gzip
import os
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from playwright._impl._driver import compute_driver_executable
from tests.capture.conftest import only_here
from tests.capture.recorder.origin_site import BYTES, LARGE, witness
from tests.conftest import ARGUMENTS

from webgeist.capture.camera import Camera
from webgeist.capture.gate import Gate
from webgeist.capture.outcome import Outcome
from webgeist.capture.recorder.authority import Authority
from webgeist.capture.recorder.browser import BrowserRecorder
from webgeist.capture.recorder.certificates import ca, leaf
from webgeist.capture.target import Target, parse_target
from webgeist.errors import StorageError
from webgeist.samples.museum.servers import closed_port, nasty

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from tests.conftest import SettingsMaker, Site

    from webgeist.capture.exchange import Exchange
    from webgeist.capture.model import Capture
    from webgeist.settings import Settings

HERE = Gate(allow_private=True, resolve=only_here)


@asynccontextmanager
async def recording(settings: Settings, gate: Gate = HERE) -> AsyncIterator[Camera]:
    recorder = BrowserRecorder(settings, gate)
    async with Camera(settings, recorder) as camera:
        yield camera
    await recorder.close()


async def shoot(settings: Settings, url: str, gate: Gate = HERE) -> Capture:
    async with recording(settings, gate) as camera:
        return await camera.capture(Target(url))


def by_path(capture: Capture) -> dict[str, Exchange]:
    return {"/" + each.url.split("/", 3)[3]: each for each in capture.exchanges}


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("garbage", Outcome.BAD_RESPONSE),
        ("endless-headers", Outcome.BAD_RESPONSE),
        ("reset-after-request", Outcome.CONNECTION),
        ("closed", Outcome.CONNECTION),
        ("tls-self-signed", Outcome.CERTIFICATE),
        ("tls-expired", Outcome.CERTIFICATE),
        ("tls-garbage", Outcome.CERTIFICATE),
        ("length-too-long", Outcome.TRUNCATED),
        ("reset-in-body", Outcome.TRUNCATED),
        ("unfinished-chunks", Outcome.TRUNCATED),
        ("latin-header", Outcome.OK),
    ],
)
async def test_outcomes_are_what_they_would_be_without_a_recorder(
    make_settings: SettingsMaker, name: str, outcome: Outcome
) -> None:
    with nasty(name) as address:
        capture = await shoot(make_settings(), address.url)
    assert capture.info.outcome is outcome, capture.info.reason
    assert capture.exchanges
    assert capture.exchanges[0].url == address.url
    document = capture.exchanges[0]
    assert (document.status is None) is (capture.page is None)
    assert bool(document.truncated) is (outcome is Outcome.TRUNCATED)
    capture.close()


async def test_headers_that_are_no_ascii(make_settings: SettingsMaker) -> None:
    with nasty("latin-header") as address:
        capture = await shoot(make_settings(), address.url)
    headers = dict(capture.exchanges[0].response_headers)
    capture.close()
    assert headers[b"X-Latin"] == b"caf\xe9 \xff\xfe"


async def test_unknown_and_closed_hosts_are_told_apart(make_settings: SettingsMaker) -> None:
    with closed_port() as port:
        async with recording(make_settings()) as camera:
            for url, outcome in (
                ("http://nosuch.example/", Outcome.UNKNOWN_HOST),
                ("https://nosuch.example/", Outcome.UNKNOWN_HOST),
                (f"http://localhost:{port}/", Outcome.REFUSED),
                (f"https://localhost:{port}/", Outcome.REFUSED),
            ):
                capture = await camera.capture(Target(url))
                assert (capture.info.outcome, capture.info.status) == (outcome, None)
                capture.close()


PRIVATE = """<p>x<img src="http://inner.localhost:{0}/image"><iframe src="http://inner.localhost:{0}/frame">
</iframe><script>
fetch("http://inner.localhost:{0}/fetch").catch(() => 0);
fetch("/to-inner").catch(() => 0);
new WebSocket("ws://inner.localhost:{0}/socket");
new Worker(URL.createObjectURL(new Blob(["fetch('http://inner.localhost:{0}/worker').catch(() => 0)"])));
</script>"""


async def outer_and_inner(host: str, port: int) -> Sequence[str]:
    return ["10.0.0.1"] if host == "inner.localhost" else await only_here(host, port)


async def test_a_page_reaches_no_address_that_the_gate_refuses(
    make_settings: SettingsMaker, site: Site
) -> None:
    """Nor do its frames, workers, web sockets and redirects. Nothing is dialled for them."""
    port = site.server.server_port
    site.add("/to-inner", status=302, headers={"location": f"http://inner.localhost:{port}/to"})
    site.add("/", PRIVATE.format(port))
    gate = Gate(allow=("127.0.0.1/32",), resolve=outer_and_inner)
    capture = await shoot(make_settings(), site.url("/", "outer.localhost"), gate)
    assert capture.ok
    assert set(site.log) == {"/", "/to-inner"}
    refused = {path: each for path, each in by_path(capture).items() if each.refused}
    assert set(refused) == {"/image", "/frame", "/fetch", "/to", "/socket", "/worker"}
    for each in refused.values():
        assert each.status is None
        assert each.cause == "destination_ip_prohibited"
        assert "inner.localhost is 10.0.0.1, which is no public address" in each.refused
    capture.close()


async def test_a_page_that_may_not_be_reached_is_withheld(
    make_settings: SettingsMaker, site: Site
) -> None:
    url = site.url("/", "outer.localhost")
    capture = await shoot(make_settings(), url, Gate(resolve=only_here))
    assert capture.info.outcome is Outcome.WITHHELD
    assert "outer.localhost is 127.0.0.1, which is no public address" in capture.info.reason
    assert (capture.info.status, capture.page, site.log) == (None, None, [])
    (exchange,) = capture.exchanges
    assert exchange.refused
    capture.close()


HTTP2 = """
const read = name => require("fs").readFileSync(process.env[name]);
const server = require("http2").createSecureServer({cert: read("CERTIFICATE"), key: read("CERTIFICATE")});
server.on("stream", (stream, headers) => {
  const two = {"set-cookie": ["a=1", "b=2"], "x-path": headers[":path"]};
  if (headers[":path"] == "/") {
    stream.respond({":status": 200, "content-type": "text/html", ...two});
    stream.end("<p>two<script>fetch('/data', {method: 'POST', body: 'sent'})</script>");
  } else {
    const body = require("zlib").gzipSync("answered ".repeat(99));
    stream.respond({":status": 200, "content-encoding": "gzip", "content-length": body.length});
    stream.end(body);
  }
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
"""


@asynccontextmanager
async def http2_server(certificate: Path) -> AsyncIterator[int]:
    """The port of a server of HTTP/2, by the Node that Playwright brings."""
    node = compute_driver_executable()[0]
    process = await asyncio.create_subprocess_exec(
        node, "-e", HTTP2,
        env={**os.environ, "CERTIFICATE": str(certificate)}, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    yield int(await process.stdout.readline())
    process.kill()
    await process.wait()


async def test_http_2(make_settings: SettingsMaker, tmp_path: Path) -> None:
    now = datetime.now(UTC)
    authority = ca("authority of the test", now)
    site = leaf(authority, "two.localhost", now)
    (tmp_path / "site.pem").write_text(site.chain_pem + site.key_pem)
    trust = f" --ignore-certificate-errors-spki-list={Authority(authority).spki}"
    settings = make_settings(browser={"arguments": ARGUMENTS + trust})
    async with http2_server(tmp_path / "site.pem") as port:
        capture = await shoot(settings, f"https://two.localhost:{port}/")
    assert capture.ok
    document, data = capture.exchanges
    assert (document.version, document.status, document.truncated) == ("HTTP/2", 200, "")
    assert document.body.read().startswith(b"<p>two")
    assert {(b"set-cookie", b"a=1"), (b"set-cookie", b"b=2")} <= set(document.response_headers)
    assert (b"Host", f"two.localhost:{port}".encode()) in document.request_headers
    assert not [name for name, _ in document.request_headers if name.startswith(b":")]
    assert (data.method, data.request_body.read()) == ("POST", b"sent")
    assert (data.decoded, data.body.read()) == (True, b"answered " * 99)
    assert data.tls is not None
    assert data.tls.subject == "commonName=two.localhost"
    capture.close()


async def test_a_body_above_the_limit_is_cut(make_settings: SettingsMaker, site: Site) -> None:
    site.add("/long", BYTES, headers={"content-type": "application/octet-stream"})
    url = site.add("/", "<p>x<script>fetch('/long').then(a => a.arrayBuffer())</script>")
    settings = make_settings(recorder={"body_bytes": 100})
    capture = await shoot(settings, url.replace("127.0.0.1", "long.localhost"))
    long = by_path(capture)["/long"]
    assert (long.truncated, long.body.read()) == ("length", BYTES[:100])
    capture.close()


async def test_a_body_too_large_to_be_fetched_reaches_the_page(
    make_settings: SettingsMaker, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webgeist.capture.recorder.watch.MOST_BYTES", len(LARGE) - 1)
    site.add("/large", LARGE, headers={"content-type": "application/octet-stream"})
    url = site.add(
        "/",
        """<title>x</title><script>fetch('/large').then(a => a.arrayBuffer())
        .then(got => document.title = got.byteLength)</script><p>x""",
    )
    capture = await shoot(make_settings(), url.replace("127.0.0.1", "large.localhost"))
    assert capture.info.metadata is not None
    assert capture.info.metadata.title == str(len(LARGE))
    large = by_path(capture)["/large"]
    assert (large.status, large.truncated, large.body.size) == (200, "length", 0)
    capture.close()


async def test_what_expands_without_end_is_not_fetched(
    make_settings: SettingsMaker, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever asks for it: some read it all, some stop early, some never look at it."""
    monkeypatch.setattr("webgeist.capture.recorder.watch.MOST_BYTES", 1_000_000)
    bomb = gzip.compress(bytes(20_000_000))
    site.add("/bomb", bomb, headers={"content-encoding": "gzip", "content-type": "text/plain"})
    page = """<p>x<link rel=prefetch href=/bomb?prefetch><img src=/bomb?image>
      <script>fetch('/bomb?fetch').then(a => a.arrayBuffer())</script>"""
    url = site.add("/", page).replace("127.0.0.1", "bomb.localhost")
    capture = await shoot(make_settings(), url)
    found = {path: each for path, each in by_path(capture).items() if "bomb" in path}
    assert set(found) == {"/bomb?prefetch", "/bomb?image", "/bomb?fetch"}
    for exchange in found.values():
        assert exchange.truncated
        assert exchange.body.size <= 1_000_000
    capture.close()


async def test_more_requests_than_the_limit_are_passed_over(
    make_settings: SettingsMaker, site: Site
) -> None:
    url = site.add("/", "".join(f"<img src=/{number}>" for number in range(9)) + "<p>x")
    settings = make_settings(limits={"requests": 4})
    capture = await shoot(settings, url.replace("127.0.0.1", "many.localhost"))
    assert len(capture.exchanges) == 4
    capture.close()


async def test_four_tabs_at_once_are_told_apart(make_settings: SettingsMaker, site: Site) -> None:
    addresses = []
    for number in range(4):
        site.add(f"/{number}/data", str(number) * 1000, headers={"content-type": "text/plain"})
        page = (
            f"<p>{number}<script>for (let i = 0; i < 9; i++) fetch('/{number}/data?' + i)</script>"
        )
        addresses.append(site.add(f"/{number}/", page).replace("127.0.0.1", "tabs.localhost"))
    async with recording(make_settings()) as camera:
        for _ in range(2):  # the second time in slots that were used before
            taken = await asyncio.gather(*(camera.capture(Target(url)) for url in addresses))
            for number, capture in enumerate(taken):
                assert len(capture.exchanges) == 10
                assert {each.url.split("/")[3] for each in capture.exchanges} == {str(number)}
                assert capture.exchanges[-1].body.read() == str(number).encode() * 1000
                capture.close()


async def test_a_saved_page_needs_no_way_out(make_settings: SettingsMaker, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>Saved<img src=http://h.localhost/x.png>")
    async with recording(make_settings()) as camera:
        capture = await camera.capture(parse_target(str(tmp_path / "page.html")))
    assert (capture.ok, capture.exchanges, capture.info.recorder) == (True, (), None)


async def test_a_recorder_that_fails_fails_the_capture(
    make_settings: SettingsMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page with half of its bodies would look like one that is whole."""

    def full(*_: object) -> int:
        raise StorageError("the disk is full")

    with witness() as web:
        async with recording(make_settings()) as camera:
            monkeypatch.setattr("webgeist.capture.exchange.Spool.append", full)
            with pytest.raises(StorageError):
                await camera.capture(Target(web.url("one", "/case/frame")))
            monkeypatch.undo()
            capture = await camera.capture(Target(web.url("one", "/case/frame")))
            assert capture.ok
            assert [each.status for each in capture.exchanges] == [200, 200]
            capture.close()


async def test_a_browser_that_dies_leaves_what_was_recorded(
    make_settings: SettingsMaker, site: Site
) -> None:
    site.add("/held", status=None)
    site.add("/", "<p>x<img src=/held>")
    async with recording(make_settings()) as camera:
        taking = asyncio.ensure_future(camera.capture(Target(site.url("/", "dies.localhost"))))
        await asyncio.to_thread(site.asked["/held"].wait)
        assert camera.places.browser is not None
        camera.places.browser._running.kill()
        capture = await taking
    assert capture.info.outcome is Outcome.BROWSER_DIED
    document, *held = capture.exchanges
    assert (document.status, document.url) == (200, site.url("/", "dies.localhost"))
    assert {each.error for each in held} <= {"the page's time was up"}
    capture.close()


async def test_a_slot_ends_without_a_page(make_settings: SettingsMaker) -> None:
    recorder = BrowserRecorder(make_settings(), HERE)
    slot = await recorder.slot()
    slot.begin()
    assert await slot.end() == []
    await slot.close()
    await recorder.close()
