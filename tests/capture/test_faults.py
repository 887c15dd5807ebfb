"""Every exhibit of the museum has an outcome with a reason, and none spoils the next capture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.conftest import Studio, open_studio

from webgeist.capture.folder import open_capture
from webgeist.capture.outcome import WITH_PAGE, Outcome
from webgeist.samples.museum import EXHIBITS
from webgeist.samples.server import SampleServer, serve

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import SettingsMaker

    from webgeist.capture.model import Capture
    from webgeist.samples.museum import Exhibit
    from webgeist.settings import Settings

# Nothing may leave the machine, wherever a page redirects to or asks for.
ONLY_HERE = '--host-resolver-rules="MAP * ~NOTFOUND, EXCLUDE *.localhost, EXCLUDE 127.0.0.1"'
FINE = "/calendar/2026/03/"

OK, EMPTY = frozenset({Outcome.OK}), frozenset({Outcome.EMPTY})
TRUNCATED = frozenset({Outcome.TRUNCATED})
HTTP_ERROR = frozenset({Outcome.HTTP_ERROR})
NOT_HTML, DOWNLOAD = frozenset({Outcome.NOT_HTML}), frozenset({Outcome.DOWNLOAD})
BAD_URL, LOOP = frozenset({Outcome.BAD_URL}), frozenset({Outcome.REDIRECT_LOOP})
UNKNOWN = frozenset({Outcome.UNKNOWN_HOST})
TIMEOUT = frozenset({Outcome.TIMEOUT})
STUCK = frozenset({Outcome.UNRESPONSIVE})
# A page that eats up machine or time may be caught at it in more than one way.
CRASHED = frozenset({Outcome.CRASHED})
EATING = frozenset({Outcome.CRASHED, Outcome.UNRESPONSIVE, Outcome.TIMEOUT})
LARGE = frozenset({Outcome.OK, Outcome.TRUNCATED, Outcome.TIMEOUT, Outcome.UNRESPONSIVE})

# What does not end as a page that is simply captured.
EXPECTED: dict[str, frozenset[Outcome]] = {
    "/answers/empty": EMPTY,
    "/answers/whitespace": EMPTY,
    "/answers/malformed-type": EMPTY,
    "/answers/no-content": frozenset({Outcome.NO_CONTENT}),
    "/answers/silence": TIMEOUT,
    "/answers/html-as-text": NOT_HTML,
    **dict.fromkeys(
        (f"/answers/{name}" for name in ("picture.png", "notes.txt", "data.json", "data.xml")),
        NOT_HTML,
    ),
    **dict.fromkeys(("/answers/feed.rss", "/answers/drawing.svg"), NOT_HTML),
    **dict.fromkeys(
        (f"/answers/{name}" for name in ("table.csv", "bundle.zip", "unknown.bin", "download")),
        DOWNLOAD,
    ),
    "/answers/paper.pdf": DOWNLOAD | NOT_HTML,  # some Chromiums show it
    **dict.fromkeys(("/redirects/loop", "/redirects/self", "/hop/0"), LOOP),
    **dict.fromkeys((f"/redirects/{name}" for name in ("refresh", "script", "reload")), LOOP),
    **dict.fromkeys(
        (f"/redirects/to-{name}" for name in ("data", "javascript", "file", "about", "mailto")),
        BAD_URL,
    ),
    **dict.fromkeys(
        (f"/redirects/to-{name}" for name in ("unknown", "bad-address", "bad-port", "decimal")),
        BAD_URL,
    ),
    **dict.fromkeys(("/redirects/to-loopback", "/redirects/to-loopback-6"), BAD_URL),
    **dict.fromkeys(
        (f"/redirects/to-{name}" for name in ("private", "metadata", "mapped")), UNKNOWN
    ),
    **dict.fromkeys(("/scripts/loop", "/scripts/loop-after-load", "/scripts/microtasks"), STUCK),
    **dict.fromkeys(("/scripts/regexp", "/scripts/alerts"), STUCK),
    "/scripts/memory": EATING,
    "/scripts/console": LARGE,
    "/scripts/workers": OK | STUCK,
    "/hostile/remove": EMPTY,
    **dict.fromkeys(("/load/trickle", "/load/stalled", "/load/script"), TRUNCATED),
    "/load/bomb": EATING | {Outcome.TOO_LARGE, Outcome.TRUNCATED},
    "/sizes/deep": CRASHED,
    **dict.fromkeys(
        (f"/sizes/{name}" for name in ("nodes", "text", "word", "title", "canvas", "links")), LARGE
    ),
    "/sizes/hidden": EMPTY,
    "/texts/canonical": EMPTY,
    "/texts/entity.xhtml": EMPTY,  # no local file is read
}
SLOW = {  # many seconds each, with limits that are fair to them
    *("/load/font", "/load/frame", "/scripts/polling", "/scripts/animation"),
    *("/answers/silence", "/load/bomb", "/load/requests", "/load/huge-image"),
    *("/scripts/microtasks", "/scripts/regexp", "/scripts/memory"),
    *("/scripts/console", "/scripts/workers", "/scripts/errors"),
    *("/sizes/nodes", "/sizes/text", "/sizes/word", "/sizes/title", "/sizes/canvas"),
    *("/sizes/unclosed", "/sizes/links", "/sizes/tall", "/sitemaps/huge.xml"),
}
REASONS = {
    "/status/404": "the server answered 404",
    "/answers/feed.rss": "the answer is application/rss+xml",
    "/answers/bundle.zip": "the answer is a file to be saved: bundle.zip",
    "/redirects/to-mailto": "a redirect that is not followed: mailto:curator@museum.localhost",
    "/redirects/script": "the page went on more than 20 times",
    "/scripts/alerts": "the page opens dialogs without an end",
    "/load/stalled": "the document had not ended",
}
SETTLED = {  # what a page still did when its time was up
    "/load/image": "no load event; 1 requests open, first {}/load/endless.png",
    "/load/stylesheet": "no load event; 1 requests open, first {}/load/endless.css",
    "/load/fetch": "1 requests open, first {}/load/never",
    "/scripts/growth": "the page keeps changing itself",
}
# Where the next capture could suffer: it is taken too.
POISON = ("/scripts/", "/hostile/worker/", "/sizes/deep", "/load/", "/answers/download")


def plain(exhibit: Exhibit) -> str:
    return exhibit.path.partition("?")[0]


def expected(exhibit: Exhibit) -> frozenset[Outcome]:
    if exhibit.kind == "sitemap":
        return DOWNLOAD if exhibit.path.endswith(".gz") else NOT_HTML
    if exhibit.path.startswith("/walls/") or exhibit.status == 429:
        return frozenset({Outcome.BLOCKED})
    if exhibit.kind == "refusal":
        return HTTP_ERROR if exhibit.status >= 400 else OK
    return EXPECTED.get(plain(exhibit), OK)


PAGES = [
    pytest.param(exhibit, id=plain(exhibit), marks=[pytest.mark.slow] * (plain(exhibit) in SLOW))
    for exhibit in EXHIBITS
    if exhibit.kind != "robots"
]


@pytest.fixture(scope="module")
def museum() -> Iterator[SampleServer]:
    with serve() as server:
        yield server


@pytest.fixture(scope="module")
def hasty(make_settings: SettingsMaker) -> Iterator[Studio]:
    """A camera with pictures that soon loses its patience."""
    limits = {"navigation_seconds": 2, "settle_seconds": 1, "capture_seconds": 10}
    with open_studio(limited(make_settings, 2, **limits)) as studio:
        yield studio


@pytest.fixture(scope="module")
def patient(make_settings: SettingsMaker) -> Iterator[Studio]:
    limits = {"navigation_seconds": 15, "settle_seconds": 3, "capture_seconds": 40}
    with open_studio(limited(make_settings, 5, **limits)) as studio:
        yield studio


def limited(make_settings: SettingsMaker, command_seconds: int, **limits: object) -> Settings:
    return make_settings(
        browser={"arguments": ONLY_HERE, "command_seconds": command_seconds},
        capture={"screenshot": "jpeg"},
        limits=limits,
    )


def test_the_table_names_exhibits_that_exist() -> None:
    paths = {plain(exhibit) for exhibit in EXHIBITS}
    assert paths >= {*EXPECTED, *SLOW, *REASONS, *SETTLED}


@pytest.mark.parametrize("exhibit", PAGES)
def test_an_exhibit_has_its_outcome(
    request: pytest.FixtureRequest, museum: SampleServer, tmp_path: Path, exhibit: Exhibit
) -> None:
    studio = request.getfixturevalue("patient" if plain(exhibit) in SLOW else "hasty")
    capture = studio.shoot(museum.url(exhibit.host, exhibit.path))
    info = capture.info
    assert info.outcome in expected(exhibit), info.reason
    assert bool(info.reason) == (info.outcome is not Outcome.OK)
    assert (capture.page is not None) == (info.outcome in WITH_PAGE and info.nodes > 0)
    assert REASONS.get(plain(exhibit), info.reason) == info.reason
    if reason := SETTLED.get(plain(exhibit)):
        assert info.settled is not None
        assert info.settled.reason == reason.format(museum.url("museum", ""))
        assert capture.screenshot is not None
    check_folder(capture, tmp_path)
    if plain(exhibit).startswith(POISON):
        assert studio.shoot(museum.url("museum", FINE)).ok


def check_folder(capture: Capture, folder: Path) -> None:
    """Whatever it holds, a capture can be stored, read again and shown."""
    opened = open_capture(capture.save(folder / "capture"))
    assert opened.info == capture.info
    assert opened.links.equals(capture.links)
    assert opened.requests.equals(capture.requests)
    if capture.page is not None:
        assert opened.page is not None
        assert opened.page.nodes.equals(capture.page.nodes)
    assert "<table>" in opened._repr_html_()


def shoot(hasty: Studio, museum: SampleServer, path: str) -> Capture:
    return hasty.shoot(museum.url("museum", path))


def messages(capture: Capture) -> dict[str, str]:
    return {message.kind: message.text for message in capture.info.messages}


def test_a_document_that_is_not_painted_is_kept_without_a_picture(
    hasty: Studio, museum: SampleServer
) -> None:
    capture = shoot(hasty, museum, "/load/script")
    assert capture.page is not None
    assert capture.screenshot is None
    assert messages(capture)["no-picture"] == "nothing of the page was painted"


def test_dialogs_pop_ups_and_errors_are_told_and_limited(
    hasty: Studio, museum: SampleServer
) -> None:
    assert messages(shoot(hasty, museum, "/scripts/alert"))["dialog-alert"] == "Welcome"
    opened = [
        m for m in shoot(hasty, museum, "/scripts/popups").info.messages if m.kind == "pop-up"
    ]
    assert len(opened) == 20
    assert len(shoot(hasty, museum, "/scripts/alerts").info.messages) <= 110


def test_strings_that_are_no_text_are_kept_as_far_as_unicode_goes(
    hasty: Studio, museum: SampleServer
) -> None:
    title = shoot(hasty, museum, "/texts/surrogates").info.metadata
    assert title is not None
    title.title.encode()  # a lone surrogate could not be


def test_a_service_worker_does_not_outlive_its_capture(hasty: Studio, museum: SampleServer) -> None:
    first, second = (shoot(hasty, museum, "/hostile/worker/") for _ in range(2))
    assert first.page is not None
    assert second.page is not None
    assert "The server's own page" in second.page.text(0)
    assert "garbage" not in second.page.text(0)


def test_crashes_in_a_row_are_survived(hasty: Studio, museum: SampleServer) -> None:
    outcomes = [shoot(hasty, museum, "/sizes/deep?n=5000").info.outcome for _ in range(3)]
    assert outcomes == [Outcome.CRASHED] * 3
    assert shoot(hasty, museum, "/sizes/deep?n=300").ok
