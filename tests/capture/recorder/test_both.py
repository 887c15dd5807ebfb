"""One suite for both forms of the recorder: a real Chromium asks in every way that there is.

What the browser form gives instead is said once, in DIFFERENCES; the same table stands in
docs/capture.md.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

import pytest
from tests.capture.conftest import only_here
from tests.capture.recorder.origin_page import CASES
from tests.capture.recorder.origin_site import LARGE, PLAIN, Seen, witness
from tests.conftest import ARGUMENTS

from webgeist.blocking import portal
from webgeist.capture.camera import Camera
from webgeist.capture.gate import Gate
from webgeist.capture.recorder.authority import Authority
from webgeist.capture.recorder.browser import BrowserRecorder
from webgeist.capture.recorder.certificates import ca, leaf
from webgeist.capture.recorder.proxy import RecordingProxy
from webgeist.capture.recorder.upstream import verifying_context
from webgeist.capture.target import Target

if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterator

    from tests.conftest import SettingsMaker

    from webgeist.capture.exchange import Exchange, Recorder
    from webgeist.capture.model import Capture
    from webgeist.settings import Settings

Form = Literal["proxy", "browser"]


@dataclass(frozen=True)
class Difference:
    """What the browser form gives instead: `truncated` and no body, or no answer at all.

    `what` and `gives` are a row of the table in docs/capture.md.
    """

    what: str
    gives: str
    decoded: bool = False
    truncated: str | None = None
    answered: bool = True
    all_headers: bool = True


_CODED = Difference(
    "compressed bodies (gzip, br, zstd, deflate)",
    "decoded, and marked as such; the headers are as they came",
    decoded=True,
)
_HIDDEN = "no body, `truncated` is `unspecified` where there may have been one"
_REDIRECTS = Difference("redirects", _HIDDEN, truncated="unspecified")
_PREFLIGHTS = Difference("answers to preflights", _HIDDEN, truncated="unspecified")
_SPECULATION = Difference("prefetches by speculation rules", _HIDDEN, truncated="unspecified")
_PREFETCHES = Difference("prefetches with a compressed body", _HIDDEN, truncated="unspecified")
_BLOCKED = Difference(
    "answers that CORS keeps from the page",
    "no body, `truncated` is `disconnect`: Chromium stops reading",
    truncated="disconnect",
)
_ABORTED = Difference(
    "streams that the page breaks off", "no body, `truncated` is `disconnect`", truncated="disconnect"
)  # fmt: skip
_OPEN = Difference(
    "streams and event streams that are open when the page's time is up",
    "no body, `truncated` is `time`",
    truncated="time",
)
_NO_SOCKET = Difference(
    "web sockets that the server refuses", "no answer; `error` has its status", answered=False
)
_DOWNLOAD = Difference(
    "downloads that a link begins",
    "address and time alone, without headers or an answer",
    answered=False,
    all_headers=False,
)
_WORKERS = Difference(
    "scripts of service workers and of workers' own workers, and what shared workers ask for",
    "headers as the worker knows them: none that the network adds, as cookies",
    all_headers=False,
)
# The rows that stand for no single case.
_ALWAYS = (
    Difference("headers of requests", "sorted by name"),
    Difference("heads over HTTP/2 and HTTP/3", "sorted by name; kept as those of HTTP/1.1 in WARC"),
    Difference("a body above 32 MB", "no body, `truncated` is `length`"),
)
DIFFERENCES: dict[tuple[str, str], Difference] = {
    ("gzip", "gzip"): _CODED,
    ("br", "br"): _CODED,
    ("zstd", "zstd"): _CODED,
    ("deflate", "deflate"): _CODED,
    ("wordy-redirect", "moved"): _REDIRECTS,
    ("wordy-preflight", "OPTIONS echo"): _PREFLIGHTS,
    ("speculation", "echo"): _SPECULATION,
    ("packed-prefetch", "gzip"): _PREFETCHES,
    ("blocked", "closed"): _BLOCKED,
    ("aborted", "endless"): _ABORTED,
    ("endless", "endless"): _OPEN,
    ("events", "events"): _OPEN,
    ("no-socket", "missing"): _NO_SOCKET,
    ("download", "file"): _DOWNLOAD,
    ("service-worker", "service.js"): _WORKERS,
    ("worker", "nested.js"): _WORKERS,
    ("module-worker", "nested.js"): _WORKERS,
    ("shared-worker", "echo"): _WORKERS,
}
# What is not whole in either form, and why.
BROKEN = {"cut": "disconnect", "cut-chunks": "disconnect", "aborted": "disconnect"}
BROKEN |= {"endless": "time", "events": "time"}
# What a tab asks for by itself: no row of the page's table.
UNLINKED = {"pop-up", "download", "speculation"}
# Icons not every Chromium asks for, and pop-ups never open.
ANSWERED = [case for case in CASES if case not in {"icon", "inline-image", "pop-up"}]


@dataclass
class Take:
    """One capture of the page, and what its server saw."""

    form: Form
    secure: bool
    capture: Capture
    log: list[Seen]

    def seen(self, case: str) -> list[Seen]:
        return [seen for seen in self.log if _case(seen.url) == case]

    def recorded(self, case: str) -> list[Exchange]:
        return [each for each in self.capture.exchanges if _case(each.url) == case]

    def pairs(self, case: str) -> list[tuple[Seen, Exchange]]:
        """Equal requests in the order of asking; by their bodies where these tell them apart."""
        left = self.recorded(case)
        paired = []
        for seen in self.seen(case):
            found = next(each for each in left if _asked(each) == _seen(seen))
            left.remove(found)
            paired.append((seen, found))
        assert not left
        return paired

    def difference(self, case: str, seen: Seen) -> Difference | None:
        if self.form == "proxy":
            return None
        kind = urlsplit(seen.url).path.rpartition("/")[2]
        return DIFFERENCES.get((case, kind)) or DIFFERENCES.get((case, f"{seen.method} {kind}"))


def _case(url: str) -> str:
    return urlsplit(url).path.split("/")[1]


def _asked(exchange: Exchange) -> tuple[str, str, bytes]:
    return exchange.method, exchange.url, exchange.request_body.read()


def _seen(seen: Seen) -> tuple[str, str, bytes]:
    return seen.method, seen.url, seen.asked


def make(form: Form, settings: Settings, folder: Path, trust: ssl.SSLContext) -> Recorder:
    gate = Gate(allow_private=True, resolve=only_here)
    if form == "browser":
        return BrowserRecorder(settings, gate)
    return RecordingProxy(settings, Authority.of_folder(folder), gate=gate, tls=trust)


@pytest.fixture(scope="module", params=["proxy", "browser", "proxy-https", "browser-https"])
def take(
    request: pytest.FixtureRequest,
    make_settings: SettingsMaker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Take]:
    form, _, secure = request.param.partition("-")
    folder = tmp_path_factory.mktemp("both")
    trust, arguments, certificate = verifying_context(), ARGUMENTS, None
    if secure:
        now = datetime.now(UTC)
        authority = ca("authority of the test", now)
        site = leaf(authority, "*.web.localhost", now)
        certificate = folder / "site.pem"
        certificate.write_text(site.chain_pem + site.key_pem)
        trust.load_verify_locations(cadata=authority.pem)
        if form == "browser":
            spki = Authority(authority).spki
            arguments += f" --ignore-certificate-errors-spki-list={spki}"
    settings = make_settings(browser={"arguments": arguments}, limits={"settle_seconds": 2})

    async def shoot(url: str) -> Capture:
        recorder = make(form, settings, folder / "authority", trust)
        async with Camera(settings, recorder) as camera:
            capture = await camera.capture(Target(url))
        await recorder.close()
        return capture

    with witness(str(certificate) if certificate else None) as web, portal() as door:
        capture = door.run(shoot(web.url("one", "/page/page")))
    yield Take(form, bool(secure), capture, web.log)
    capture.close()


def test_the_page_did_all_that_it_should(take: Take) -> None:
    assert take.capture.info.metadata is not None
    assert take.capture.info.metadata.title == "done"
    assert take.capture.info.recorder == take.form


def test_every_request_is_recorded_once_and_none_that_was_not_made(take: Take) -> None:
    recorded = Counter(_asked(each) for each in take.capture.exchanges)
    assert recorded == Counter(_seen(seen) for seen in take.log)
    assert [each.number for each in take.capture.exchanges] == list(range(recorded.total()))


@pytest.mark.parametrize("case", ANSWERED)
def test_answers_are_what_the_server_said(take: Take, case: str) -> None:
    pairs = take.pairs(case)
    assert pairs
    for seen, exchange in pairs:
        difference = take.difference(case, seen)
        if difference and not difference.answered:
            continue
        assert exchange.status == seen.status
        named = {(name.lower(), value) for name, value in exchange.response_headers}
        assert named >= {(name.lower(), value) for name, value in seen.answer_headers}
        if difference is None or difference.truncated is None:
            decoded = difference is not None and difference.decoded
            assert exchange.decoded is decoded
            assert exchange.body.read() == (PLAIN if decoded else seen.said)


@pytest.mark.parametrize("case", ANSWERED)
def test_what_is_not_whole_says_so(take: Take, case: str) -> None:
    for seen, exchange in take.pairs(case):
        difference = take.difference(case, seen)
        if difference and not difference.answered:
            assert (exchange.status, exchange.truncated, exchange.body.size) == (None, "", 0)
            assert exchange.error
        elif difference and difference.truncated:
            assert (exchange.truncated, exchange.body.size) == (difference.truncated, 0)
        else:
            assert exchange.truncated == BROKEN.get(case, "")
            assert bool(exchange.error) is (case in BROKEN)


@pytest.mark.parametrize("case", ANSWERED)
def test_headers_of_requests_are_those_that_the_server_got(take: Take, case: str) -> None:
    for seen, exchange in take.pairs(case):
        difference = take.difference(case, seen)
        got = {(name.lower(), value) for name, value in seen.headers}
        named = {(name.lower(), value) for name, value in exchange.request_headers}
        if difference is None or difference.all_headers:
            assert named == got
        else:
            assert named <= got  # some versions of Chromium tell more than others


@pytest.mark.parametrize("case", CASES)
def test_each_request_of_the_page_knows_its_exchange(take: Take, case: str) -> None:
    exchanges = {each.number: each for each in take.capture.exchanges}
    rows = [row for row in take.capture.requests.to_pylist() if _case(row["url"]) == case]
    linked = Counter(row["exchange"] for row in rows if row["exchange"] is not None)
    if case not in UNLINKED:
        assert set(linked) == {each.number for each in take.recorded(case)}
    for row in rows:
        if row["exchange"] is not None:
            exchange = exchanges[row["exchange"]]
            assert exchange.method == row["method"]
            assert exchange.url.partition("://")[2] == row["url"].partition("://")[2]


def test_two_of_three_fetches_of_one_address_are_told_apart_by_what_they_got(take: Take) -> None:
    """They run at the same time: each exchange must have the answer to its own body."""
    for seen, exchange in take.pairs("same"):
        assert exchange.body.read() == seen.said
        assert exchange.body.read().endswith(seen.asked)


def test_what_came_from_a_cache_has_the_exchange_that_brought_it(take: Take) -> None:
    rows = [row for row in take.capture.requests.to_pylist() if _case(row["url"]) == "cached"]
    assert [row["cache"] for row in rows] == [None, "disk"]
    (exchange,) = take.recorded("cached")
    assert {row["exchange"] for row in rows} == {exchange.number}


def test_a_validated_answer_is_two_exchanges(take: Take) -> None:
    first, second = take.recorded("tagged")
    assert (first.status, first.body.read()) == (200, b"tagged")
    assert (second.status, second.body.size) == (304, 0)


def test_a_large_body_is_whole(take: Take) -> None:
    (exchange,) = take.recorded("large")
    assert exchange.body.size == len(LARGE)


def test_who_answered_and_how(take: Take) -> None:
    for case in ("post", "redirect", "worker", "socket"):
        for exchange in take.recorded(case):
            assert exchange.address == "127.0.0.1"
            assert exchange.version == "HTTP/1.1"
            assert exchange.started.tzinfo is UTC
            assert exchange.seconds >= 0


def test_certificates_are_recorded(take: Take) -> None:
    (exchange,) = take.recorded("post")
    if not take.secure:
        assert exchange.tls is None
        return
    assert exchange.tls is not None
    assert exchange.tls.problem == ""
    assert exchange.tls.protocol.replace(" ", "v") == "TLSv1.3"
    assert exchange.tls.subject == "commonName=*.web.localhost"
    assert exchange.tls.issuer == "commonName=authority of the test"
    assert exchange.tls.expires.endswith(" GMT")


def test_the_table_stands_in_the_docs() -> None:
    docs = Path(__file__).parents[3].joinpath("docs", "capture.md").read_text("utf-8")
    rows = [*DIFFERENCES.values(), *_ALWAYS]
    for difference in rows:
        assert f"| {difference.what} | {difference.gives} |" in docs
    section = docs.partition("What the browser form gives instead")[2].partition("\n\n##")[0]
    assert section.count("\n|") == len(set(rows)) + 2
