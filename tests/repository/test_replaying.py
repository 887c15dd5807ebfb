"""Stored captures once more: real pages recorded, their servers gone, rendered from the archive."""

from __future__ import annotations

import ast
import asyncio
import http.server
import re
import threading
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.capture.conftest import only_here
from tests.capture.test_places import open_shop
from tests.repository.making import NOON, make_capture, new_repository

from webgeist.capture.camera import Camera
from webgeist.capture.gate import Gate
from webgeist.capture.outcome import Outcome
from webgeist.capture.recorder.authority import Authority
from webgeist.capture.recorder.browser import BrowserRecorder
from webgeist.capture.recorder.proxy import RecordingProxy
from webgeist.capture.screenshot import Area
from webgeist.capture.settle import Settled
from webgeist.capture.target import Target
from webgeist.errors import DamagedError, NotFoundError
from webgeist.repository.archive import ArchiveReader, RecordPlace
from webgeist.repository.replaying import Replays, circumstances, replay
from webgeist.repository.sameness import compare_captures
from webgeist.repository.stored import StoredParts
from webgeist.samples.server import serve
from webgeist.settings import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from tests.conftest import SettingsMaker, Site

    from webgeist.repository.replaying import Replayed
    from webgeist.repository.repository import Repository

    Keeper = Callable[[Replayed], Replayed]


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    with new_repository(tmp_path / "r") as opened:
        yield opened


@pytest.fixture
def keep() -> Iterator[Keeper]:
    """Passes replays on, and closes them with the test."""
    kept: list[Replayed] = []

    def remember(found: Replayed) -> Replayed:
        kept.append(found)
        return found

    yield remember
    for each in kept:
        each.capture.close()


@asynccontextmanager
async def recording(
    repository: Repository, settings: Settings, *, kept: int = 0
) -> AsyncIterator[Camera]:
    """A camera whose pages are recorded. Nothing but this machine can be reached."""
    authority = Authority.of_folder(repository.layout.certificates)
    gate = Gate(allow_private=True, resolve=only_here)
    proxy = RecordingProxy(settings, authority, gate=gate)
    async with Camera(settings, proxy, kept=kept) as camera:
        yield camera
    await proxy.close()


async def record(
    repository: Repository, settings: Settings, *urls: str, kept: int = 0
) -> list[str]:
    """The ids of the captures of these addresses."""
    ids = []
    async with recording(repository, settings, kept=kept) as camera:
        for url in urls:
            capture = await camera.capture(Target(url), clock=NOON)
            ids.append(repository.add(capture))
            capture.close()
    return ids


@pytest.mark.parametrize("published", [False, True], ids=["staged", "published"])
async def test_pages_are_the_same_with_their_servers_gone(
    repository: Repository, keep: Keeper, make_settings: SettingsMaker, published: bool
) -> None:
    settings = make_settings(capture={"screenshot": "png"})
    with serve() as web:
        pages = [("magazine", "/"), ("gallery", "/redirects/chain/5"), ("gallery", "/events")]
        ids = await record(repository, settings, *(web.url(*page) for page in pages))
    if published:
        repository.publish()
    async with Replays(repository, settings) as replays:
        again = [keep(each) for each in await asyncio.gather(*map(replays.replay, ids))]
    for each in again:
        assert each.capture.ok
        assert each.missing == ()
        difference = compare_captures(each.original, each.capture)
        assert difference.facts == {}
        assert difference.page
        assert difference.page.same, difference.page.counts()
        assert each.capture.info.redirects == each.original.info.redirects


async def test_frames_below_the_view_are_painted_again(
    repository: Repository, keep: Keeper, make_settings: SettingsMaker, site: Site
) -> None:
    settings = make_settings(capture={"screenshot": "png"})
    site.add("/red", "<body style='background:red'>words")
    frame = f"<iframe src='{site.url('/red', 'localhost')}' style='margin-top:3000px'></iframe>"
    (id_,) = await record(repository, settings, site.add("/", f"<!doctype html>{frame}"))
    again = keep(await replay(repository, id_, settings))
    difference = compare_captures(again.original, again.capture)
    assert (difference.same, difference.pixels) == (True, 0)
    assert again.capture.screenshot is not None
    colours = again.capture.screenshot.image(Area(100, 3050, 20, 20)).getcolors()
    assert colours == [(400, (255, 0, 0))]


async def test_what_came_from_the_cache_of_a_kept_tab_is_stored_with_the_page(
    repository: Repository, keep: Keeper, make_settings: SettingsMaker
) -> None:
    settings = make_settings()
    with open_shop() as shop:
        urls = [shop.url(path) for path in ("/1", "/2", "/3")]
        ids = await record(repository, settings, *urls, kept=1)
        assert Counter(shop.log)["GET /style.css"] == 1
    async with Replays(repository, settings) as replays:
        for id_ in ids:
            shown = keep(await replays.replay(id_))
            assert compare_captures(shown.original, shown.capture).same
            assert shown.missing == ()
    parts = repository.capture(ids[2]).parts
    assert isinstance(parts, StoredParts)
    rows = parts.tables.rows("resources", ids[2]).to_pylist()
    reader = ArchiveReader(repository.layout.archive)
    cached = {
        row["url"].rpartition("/")[2]
        for row in rows
        if reader.notes(RecordPlace(**row["notes"])).cached
    }
    assert cached == {"style.css", "moved", "picture.svg", "tagged.svg", "asked"}
    assert all(row["revisit"] for row in rows if row["url"].endswith("/style.css"))


async def test_many_replays_share_one_browser_and_never_mix(
    repository: Repository, keep: Keeper, make_settings: SettingsMaker, site: Site
) -> None:
    """The same address with other contents each time: each replay sees its own."""
    settings = make_settings()
    ids = []
    for number in range(6):
        url = site.add("/", f"<title>{number}</title><p>text {number}<script src=/s.js></script>")
        site.add("/s.js", f"document.body.append('script {number}')")
        ids += await record(repository, settings, url)
    async with Replays(repository, settings) as replays:
        found = await asyncio.gather(*map(replays.replay, [*ids, *ids]))
        again = [keep(each) for each in found]
        assert len(replays._cameras) == 1
    for number, each in zip([*range(6)] * 2, again, strict=True):
        assert each.capture.page
        assert each.capture.page.text(0) == f"{number} text {number} script {number}"


async def test_what_is_not_stored_is_told_and_asked_from_nobody(
    repository: Repository, keep: Keeper, make_settings: SettingsMaker, site: Site
) -> None:
    """The page asks for other things now: the clock of a live page is not the recorded one."""
    site.add("/stored.js", "")
    site.add("/gone.js", status=404)
    url = site.add(
        "/",
        "<p>words<script src=/stored.js></script><script>"
        "const again = window.name = performance.timeOrigin;"
        "fetch('/live?' + again); fetch('/live?' + again)</script>",
    )
    site.add("/live", "{}")
    live = make_settings(capture={"deterministic": False})
    [id_] = await record(repository, live, url)
    asked = len(site.log)
    found = keep(await replay(repository, id_, make_settings()))
    assert found.original.info.clock is found.capture.info.clock is None
    assert len(site.log) == asked, "nothing was dialled, though the server is there"
    [missing] = found.missing
    assert missing.url.startswith(site.url("/live?"))
    assert (missing.method, missing.times, missing.then) == ("GET", 2, "")
    [unused] = found.unused
    assert (unused.url.partition("?")[0], unused.times) == (site.url("/live"), 2)
    assert unused.url != missing.url


async def test_what_had_no_answer_then_has_none_now(
    repository: Repository, keep: Keeper, make_settings: SettingsMaker, site: Site
) -> None:
    lost = "http://lost.invalid/x.js"
    [id_] = await record(
        repository, make_settings(), site.add("/", f"<p>words<script src={lost}></script>")
    )
    found = keep(await replay(repository, id_, make_settings()))
    [missing] = found.missing
    assert (missing.method, missing.url, missing.times) == ("GET", lost, 1)
    assert "could not be resolved" in missing.then
    assert found.capture.ok


async def test_what_failed_then_fails_in_the_same_way(
    repository: Repository, keep: Keeper, make_settings: SettingsMaker, site: Site
) -> None:
    """A host without an address, a server without an end, a stream that stays open: pages tell."""
    site.add("/silent", status=None)
    stream = {"content-type": "text/event-stream", "hold": "yes"}
    site.add("/stream", "data: words\n\n", length=1_000, headers=stream)
    url = site.add(
        "/",
        """<p>page</p><iframe src=http://lost.invalid/></iframe><script>
        const say = (text) => document.querySelector("p").append(" " + text);
        const end = new AbortController();
        fetch("/silent", { signal: end.signal }).then(() => say("answered"), (e) => say(e.name));
        setTimeout(() => end.abort(), 300);
        const stream = new EventSource("/stream");
        stream.onmessage = (event) => say(event.data);
        stream.onerror = () => say("stream broken");
        </script>""",
    )
    [id_] = await record(repository, make_settings(), url)
    found = keep(await replay(repository, id_, make_settings()))
    difference = compare_captures(found.original, found.capture)
    assert difference.same, difference
    page = found.capture.page
    assert page
    assert sorted(page.text(page.find("p")[0]).split()) == ["AbortError", "page", "words"]
    assert "could not be resolved" in page.text(0), "the frame says it in the same words"
    assert {each.url for each in found.missing} == {"http://lost.invalid/", site.url("/silent")}


async def test_what_failed_for_chromium_fails_for_chromium(
    repository: Repository, keep: Keeper, make_settings: SettingsMaker, site: Site
) -> None:
    """Without a proxy between them a page hears of no answer where there is none."""
    settings = make_settings()
    url = site.add(
        "/",
        """<p>page<script>fetch("http://lost.invalid/", { mode: "no-cors" }).then(
          () => document.body.append(" answered"), () => document.body.append(" failed"))
        </script>""",
    )
    recorder = BrowserRecorder(settings, gate=Gate(allow_private=True, resolve=only_here))
    async with Camera(settings, recorder) as camera:
        capture = await camera.capture(Target(url), clock=NOON)
    await recorder.close()
    id_ = repository.add(capture)
    capture.close()
    found = keep(await replay(repository, id_, settings))
    assert compare_captures(found.original, found.capture).same
    assert found.capture.page
    assert found.capture.page.text(0) == "page failed"
    assert {each.cause for each in found.capture.exchanges} == {"", "dns_error"}


async def test_posts_are_answered_by_turn(
    repository: Repository, keep: Keeper, make_settings: SettingsMaker, tmp_path: Path
) -> None:
    class Counting(http.server.BaseHTTPRequestHandler):
        count = 0
        page = b"""<!doctype html><p id=p></p><script type=module>
          for (let n = 0; n < 3; n++) p.append(await (await fetch('/', {method: 'POST'})).text())
        </script>"""

        def answer(self, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self) -> None:
            self.answer(self.page)

        def do_POST(self) -> None:
            Counting.count += 1
            self.answer(b"post %d;" % Counting.count)

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Counting) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        url = f"http://127.0.0.1:{server.server_port}/"
        [id_] = await record(repository, make_settings(), url)
        server.shutdown()
        thread.join()
    found = keep(await replay(repository, id_, make_settings()))
    assert found.capture.page
    assert found.capture.page.text(found.capture.page.find("p")[0]) == "post 1;post 2;post 3;"
    assert (found.missing, found.unused) == ((), ())


async def test_a_document_that_was_cut_is_cut_again(
    repository: Repository, keep: Keeper, make_settings: SettingsMaker, site: Site
) -> None:
    url = site.add("/", "<p>all that came", length=1_000)
    [id_] = await record(repository, make_settings(), url)
    found = keep(await replay(repository, id_, make_settings()))
    assert found.original.info.outcome is found.capture.info.outcome is Outcome.TRUNCATED
    # Whether Chromium had shown it by then is another matter.
    [again] = found.capture.exchanges
    assert (again.body.read(), again.truncated) == (b"<p>all that came", "disconnect")


async def test_the_circumstances_are_those_of_the_original(
    repository: Repository, keep: Keeper, make_settings: SettingsMaker, site: Site
) -> None:
    url = site.add(
        "/", "<p id=p><script>p.append(navigator.userAgent, innerWidth, new Date())</script>"
    )
    then = make_settings(
        capture={"viewport": "mobile", "user_agent": "Geist 7", "screenshot": "jpeg"}
    )
    [id_] = await record(repository, then, url)
    found = keep(await replay(repository, id_, make_settings(capture={"viewport": "desktop"})))
    info = found.capture.info
    assert (info.viewport.name, info.clock) == ("mobile", NOON)
    assert info.screenshot
    assert info.screenshot.format == "jpeg"
    assert found.capture.page
    assert "Geist 7" in found.capture.page.text(0)
    assert compare_captures(found.original, found.capture).same


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        (None, None),
        ("Mozilla/5.0 (X11) HeadlessChrome/7.0.0.0 Safari/537.36", None),
        ("Mozilla/5.0 (Linux; Android 10; K) HeadlessChrome/7.0.0.0 Mobile Safari", None),
        ("Mozilla/5.0 (X11) Chrome/7.0.0.0", "Mozilla/5.0 (X11) Chrome/7.0.0.0"),
        ("webgeist (me@example.org)", "webgeist (me@example.org)"),
    ],
)
def test_a_user_agent_is_set_where_it_was_not_chromiums_own(
    agent: str | None, expected: str | None
) -> None:
    info = replace(make_capture(1).info, browser="HeadlessChrome/7.0.1.2")
    assert circumstances(info, agent, Settings()).capture.user_agent == expected


def test_other_circumstances_follow_the_capture() -> None:
    info = make_capture(1).info
    scrolled = Settled(at_rest=True, reason="quiet", scrolled=True, ms=1.0)
    for taken, expected in (
        (info, (True, "jpeg", False)),
        (replace(info, clock=None, settled=scrolled), (False, "jpeg", True)),
        (replace(info, screenshot=None, settled=None), (True, "none", True)),
    ):
        now = circumstances(taken, None, Settings()).capture
        assert (now.deterministic, now.screenshot, now.scroll) == expected


async def test_the_example_in_the_docs_runs(
    repository: Repository, make_settings: SettingsMaker, site: Site
) -> None:
    text = (Path(__file__).parents[2] / "docs" / "archive.md").read_text("utf-8")
    examples = re.findall(r"^```py\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    [example] = [each for each in examples if "Replays(" in each]
    settings = make_settings()
    [id_] = await record(repository, settings, site.add("/", "<p>words"))
    code = compile(example, "docs/archive.md", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    names = {"repository": repository, "settings": settings, "capture_id": id_}
    await eval(code, names)
    assert names["replayed"].original.info.url == site.url("/")  # type: ignore[attr-defined]


async def test_what_cannot_be_replayed(
    repository: Repository, make_settings: SettingsMaker, site: Site
) -> None:
    settings = make_settings()
    unrecorded = repository.add(make_capture(1))
    [recorded] = await record(repository, settings, site.add("/", "<p>words"))
    async with Replays(repository, settings) as replays:
        with pytest.raises(NotFoundError, match="nothing was answered"):
            await replays.replay(unrecorded)
        with pytest.raises(NotFoundError, match="there is no capture"):
            await replays.replay("0" * 26)
        for path in repository.layout.archive.glob("*.warc.gz"):
            path.write_bytes(b"\0" * path.stat().st_size)
        with pytest.raises(DamagedError):
            await replays.replay(recorded)
