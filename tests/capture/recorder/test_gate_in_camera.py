"""Every way out of a page, in a real Chromium: whom the gate does not allow hears of nobody.

Each way is taken twice, to the allowed house and to the forbidden one: that the first is reached
shows that the second could have been.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio
from tests.capture.recorder.houses import ALLOWED, Street, open_street

from webgeist.capture.camera import Camera
from webgeist.capture.gate import Gate
from webgeist.capture.outcome import Outcome
from webgeist.capture.recorder.authority import Authority
from webgeist.capture.recorder.browser import BrowserRecorder
from webgeist.capture.recorder.proxy import RecordingProxy
from webgeist.capture.recorder.tunnel import Tunnel
from webgeist.capture.target import Target
from webgeist.settings import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from webgeist.capture.exchange import Recorder
    from webgeist.capture.model import Capture

pytestmark = pytest.mark.asyncio(loop_scope="module")

REFUSAL = "is no public address (--allow-private, or --allow, would let it through)"


def settings(**gate: object) -> Settings:
    """No host-resolver rules of the tests' own: what Chromium may resolve is the question."""
    return Settings.model_validate({"capture": {"screenshot": "none"}, "gate": gate})


# How a page may ask somebody, TO, for something. ID is not the same in both copies.
WAYS = {
    "image": "<img src='TO/x'>",
    "script": "<script src='TO/x.js'></script>",
    "module": "<script type=module>import 'TO/x.js'</script>",
    "style": "<link rel=stylesheet href='TO/x.css'>",
    "import": "<style>@import 'TO/x.css';</style>",
    "font": "<style>@font-face { font-family: ID; src: url('TO/x') }</style>"
    "<p style='font-family: ID'>words",
    "frame": "<iframe src='TO/x'></iframe>",
    "pdf": "<iframe src='TO/x.pdf'></iframe>",
    "object": "<object type=text/html data='TO/x'></object>",
    "video": "<video preload=auto src='TO/x'></video>",
    "prefetch": "<link rel=prefetch href='TO/x'>",
    "preload": "<link rel=preload as=image href='TO/x'>",
    "fetch": "<script>fetch('TO/x')</script>",
    "preflight": "<script>fetch('TO/x', {method: 'PUT', headers: {a: 'b'}})</script>",
    "keepalive": "<script>fetch('TO/x', {mode: 'no-cors', keepalive: true})</script>",
    "xhr": "<script>ID = new XMLHttpRequest(); ID.open('GET', 'TO/x'); ID.send()</script>",
    "worker": "<script>new Worker(URL.createObjectURL(new Blob([`fetch('TO/x')`])))</script>",
    "importing worker": "<script>new Worker(URL.createObjectURL(new Blob([`importScripts('TO/x.js')`])))</script>",
    "shared worker": "<script>new SharedWorker(URL.createObjectURL(new Blob([`fetch('TO/x')`])))</script>",
    "service worker": "<script>navigator.serviceWorker.register('/service.js?TO/x')</script>",
    "web socket": "<script>new WebSocket('TO/x'.replace('http', 'ws'))</script>",
    "event source": "<script>new EventSource('TO/x')</script>",
    "beacon": "<script>navigator.sendBeacon('TO/x', 'b')</script>",
    "ping": "<a id=ID href='#' ping='TO/x'>a</a><script>ID.click()</script>",
    "form": "<iframe name=f-ID></iframe><form id=ID method=post target=f-ID action='TO/x'></form>"
    "<script>ID.submit()</script>",
    "redirected image": "<img src='/redirect?TO/x'>",
    "redirected fetch": "<script>fetch('/redirect?TO/x', {mode: 'no-cors'})</script>",
    "report": "<style>@font-face { font-family: ID; src: url('/ID') }</style><p style='font-family: ID'>words",
}
HEADERS = {"report": "Content-Security-Policy: font-src 'none'; report-uri NO/x TO/x\r\n"}
# What the page's own requests do not tell of: who asks is no part of the page.
UNTOLD = {"shared worker"}


@dataclass
class Stage:
    """A camera behind the gate, and the houses before it."""

    camera: Camera
    street: Street
    captures: list[Capture]

    async def shoot(self, url: str) -> Capture:
        self.captures.append(await self.camera.capture(Target(url)))
        return self.captures[-1]


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["tunnel", "proxy", "browser"])
async def one_stage(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Stage]:
    authority = Authority.of_folder(tmp_path_factory.mktemp("authority"))
    async with open_street() as street:
        gate = Gate(allow=(f"{ALLOWED}/32",), resolve=street.names, seconds=10)
        recorders: dict[str, Recorder] = {
            "tunnel": Tunnel(settings(), gate),
            "proxy": RecordingProxy(settings(), authority, gate=gate),
            "browser": BrowserRecorder(settings(), gate),
        }
        recorder = recorders[request.param]
        async with Camera(settings(), recorder) as camera:
            yield Stage(camera, street, [])
        await recorder.close()
        assert street.forbidden.visits == 0


@pytest_asyncio.fixture(loop_scope="module")
async def stage(one_stage: Stage) -> AsyncIterator[Stage]:
    one_stage.street.clear()
    yield one_stage
    while one_stage.captures:
        one_stage.captures.pop().close()


@pytest.mark.parametrize("way", WAYS)
async def test_no_way_out_of_a_page_leads_beside_the_gate(stage: Stage, way: str) -> None:
    allowed, forbidden = stage.street.allowed, stage.street.forbidden
    no, to = forbidden.url("forbidden.localhost"), allowed.url("other.localhost")
    copies = [
        WAYS[way].replace("TO", where).replace("ID", name)
        for where, name in ((no, "one"), (to, "two"))
    ]
    allowed.page = f"<p>words{''.join(copies)}<img src=/hold>"
    allowed.headers = HEADERS.get(way, "").replace("NO", no).replace("TO", to)
    capture = await stage.shoot(allowed.url("allowed.localhost", "/"))
    assert capture.ok, capture.info.reason
    assert any(path.startswith("/x") for path in allowed.log)
    assert forbidden.visits == 0
    refused = [each for each in capture.exchanges if each.url.startswith(no)]
    assert {each.cause for each in refused} == {"destination_ip_prohibited"}
    rows = [row for row in capture.requests.to_pylist() if "//forbidden." in row["url"]]
    told = [row for row in rows if REFUSAL in (row["error"] or "")]
    assert told or way in UNTOLD
    assert {row["status"] for row in told} <= {None}


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.1", "2130706433", "0x7f.1", "0177.0.0.1", "[::ffff:127.0.0.1]",
     "[::ffff:7f00:1]", "[64:ff9b::127.0.0.1]", "127.0.0.1.", "0.0.0.0", "forbidden.localhost",
     "forbidden.localhost.", "FORBIDDEN.example", "user:word@127.0.0.1", "allowed.localhost@127.1",
     "%31%32%37.0.0.1", "\uff11\uff12\uff17.0.0.1", "forbidden\u3002localhost"],
)  # fmt: skip
async def test_a_page_that_may_not_be_reached_is_withheld(stage: Stage, host: str) -> None:
    capture = await stage.shoot(stage.street.forbidden.url(host, "/secret"))
    assert capture.info.outcome is Outcome.WITHHELD, capture.info.reason
    assert capture.info.reason.endswith(REFUSAL)
    assert (capture.page, capture.info.status) == (None, None)
    assert stage.street.forbidden.visits == 0
    assert capture.requests.column("error").to_pylist() == [capture.info.reason]
    assert capture.requests.column("status").to_pylist() == [None]


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("leaving", ["/redirect?TO", "/"])
async def test_a_page_that_leads_to_where_nobody_may_go_is_withheld(
    stage: Stage, leaving: str, scheme: str
) -> None:
    to = stage.street.forbidden.url("forbidden.localhost", "/x", scheme)
    stage.street.allowed.page = f"<p>words<script>location = '{to}'</script>"
    url = stage.street.allowed.url("allowed.localhost", leaving.replace("TO", to))
    capture = await stage.shoot(url)
    assert capture.info.outcome is Outcome.WITHHELD, capture.info.reason
    assert "forbidden.localhost is 127.0.0.1" in capture.info.reason
    assert capture.info.redirects[0] == url
    assert stage.street.forbidden.visits == 0


async def test_a_name_that_moves_is_refused_when_it_has_moved(stage: Stage) -> None:
    """The page came from where it may; what it asks for next must not come from elsewhere."""
    allowed, names = stage.street.allowed, stage.street.names
    allowed.headers = "Connection: close\r\n"
    allowed.page = "<p>words<script>fetch('/secret')</script>"
    capture = await stage.shoot(allowed.url(f"moving-{id(stage.camera)}.localhost", "/"))
    assert capture.ok
    assert allowed.log == ["/"]
    assert len(names.asked) == 2
    assert stage.street.forbidden.visits == 0
    assert REFUSAL in capture.requests.column("error").to_pylist()[1]
