"""Pages that go elsewhere, hand out files or cling to their tab while they are captured."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.conftest import Studio, open_studio

from webgeist.capture.outcome import Outcome

if TYPE_CHECKING:
    from tests.conftest import SettingsMaker, Site

    from webgeist.capture.model import Capture


def text(capture: Capture) -> str:
    assert capture.page is not None, capture.info.reason
    return capture.page.text(capture.page.find("body")[0])


def kinds(capture: Capture) -> list[str]:
    return [message.kind for message in capture.info.messages]


@pytest.mark.parametrize(
    "script",
    [
        "location = '/2'",
        "addEventListener('load', () => { location = '/2' })",
        "setTimeout(() => { location = '/2' }, 90)",
        "setTimeout(() => { location.replace('/2') }, 600)",
        "window.stop(); location = '/2'",
        "document.open(); document.write('<script>location = \"/2\"<\\/script>'); document.close()",
    ],
)
def test_the_page_that_is_arrived_at_is_captured(
    picture_studio: Studio, site: Site, script: str
) -> None:
    site.add("/2", "<p>arrived")
    capture = picture_studio.shoot(site.add("/", f"<p>first<script>{script}</script>"))
    assert capture.ok, capture.info.reason
    assert text(capture) == "arrived"
    assert capture.info.url == site.url("/2")
    assert capture.screenshot is not None
    assert capture.info.settled is not None
    assert capture.info.settled.at_rest, capture.info.settled.reason


@pytest.mark.parametrize("delay", [1100, 1300, 1500])
def test_a_page_that_leaves_at_a_bad_moment_gives_one_of_two_pages_whole(
    picture_studio: Studio, site: Site, delay: int
) -> None:
    """Later than any timer that is waited for, so while nodes or picture are taken."""
    site.add("/2", "<p>arrived")
    html = f"<p>first<script>setTimeout(() => {{ location = '/2' }}, {delay})</script>"
    capture = picture_studio.shoot(site.add("/", html + "<b>x</b>" * 3000))
    assert capture.ok, capture.info.reason
    assert text(capture).startswith("arrived" if capture.info.url.endswith("/2") else "first")


def test_a_page_may_go_on_to_nothing(picture_studio: Studio, site: Site) -> None:
    html = "<p>first<script>setTimeout(() => { location = 'about:blank' }, 50)</script>"
    capture = picture_studio.shoot(site.add("/", html))
    assert capture.info.outcome is Outcome.EMPTY
    assert capture.info.url == "about:blank"


def test_a_page_that_goes_on_to_a_dead_end_ends_there(picture_studio: Studio, site: Site) -> None:
    html = "<p>first<script>location = 'http://nosuch.invalid/'</script>"
    capture = picture_studio.shoot(site.add("/", html))
    assert capture.info.outcome is Outcome.UNKNOWN_HOST
    assert capture.info.reason == "net::ERR_NAME_NOT_RESOLVED at http://nosuch.invalid/"


def test_a_page_that_goes_on_to_a_picture_is_none(picture_studio: Studio, site: Site) -> None:
    site.add("/dot", b"GIF89a\x01\x00\x01\x00\x00\x00\x00;", headers={"content-type": "image/gif"})
    capture = picture_studio.shoot(site.add("/", "<p>first<script>location = '/dot'</script>"))
    assert (capture.info.outcome, capture.info.reason) == (
        Outcome.NOT_HTML,
        "the answer is image/gif",
    )


@pytest.mark.parametrize("status", [204, 205])
def test_a_page_stays_when_the_next_has_no_content(
    picture_studio: Studio, site: Site, status: int
) -> None:
    site.add("/2", status=status)
    html = "<p>first<script>onload = () => { location = '/2' }</script>"
    capture = picture_studio.shoot(site.add("/", html))
    assert capture.ok, capture.info.reason
    assert text(capture) == "first"
    assert capture.info.status == 200


@pytest.mark.parametrize(
    "html",
    [
        "<script>onload = () => { location = '/f.zip' }</script>",
        "<meta http-equiv=refresh content='0;url=/f.zip'>",
        "<iframe src='/f.zip'></iframe>",
    ],
)
def test_a_page_that_hands_out_a_file_is_captured(
    picture_studio: Studio, site: Site, html: str
) -> None:
    site.add("/f.zip", b"PK", headers={"content-type": "application/zip"})
    capture = picture_studio.shoot(site.add("/", f"<p>Your download will start soon.{html}"))
    assert capture.ok, capture.info.reason
    assert text(capture).startswith("Your download")
    assert kinds(capture).count("download") == 1


@pytest.mark.parametrize(
    "script",
    [
        "onunload = () => { for (;;); }",
        "onpagehide = () => { for (;;); }",
        "onbeforeunload = (event) => { event.preventDefault(); for (;;); }",
        "document.onvisibilitychange = () => { for (;;); }",
        "window.close(); self.open('', '_self').close()",
    ],
)
def test_a_page_cannot_cling_to_its_tab(picture_studio: Studio, site: Site, script: str) -> None:
    fine = site.add("/fine", "<p>words")
    assert picture_studio.shoot(site.add("/", f"<p>x<script>{script}</script>")).ok
    assert picture_studio.shoot(fine).ok


@pytest.mark.parametrize("status", [299, 305, 418, 599, 600, 999])
def test_an_odd_status_is_kept(picture_studio: Studio, site: Site, status: int) -> None:
    capture = picture_studio.shoot(site.add("/", "<p>words", status=status))
    assert capture.info.status == status
    assert capture.info.outcome is (Outcome.HTTP_ERROR if status >= 400 else Outcome.OK)


def test_an_error_in_plain_text_is_an_error(picture_studio: Studio, site: Site) -> None:
    capture = picture_studio.shoot(
        site.add("/", "gone", status=410, headers={"content-type": "text/plain"})
    )
    assert capture.info.outcome is Outcome.HTTP_ERROR
    assert capture.info.reason == "the server answered 410 with no page but text/plain"
    assert not capture.has_page


def test_a_message_is_no_longer_than_it_may_be(picture_studio: Studio, site: Site) -> None:
    html = "<p>x<script>console.error('x'.repeat(5e6)); throw Error('y'.repeat(5e6))</script>"
    capture = picture_studio.shoot(site.add("/", html))
    assert capture.ok
    assert [len(message.text) for message in capture.info.messages] == [10_000, 10_000]


def test_a_flood_of_requests_is_cut_and_counted(make_settings: SettingsMaker, site: Site) -> None:
    html = "<p>x" + "".join(f"<img src=/missing?{n}>" for n in range(60))
    settings = make_settings(limits={"requests": 20, "messages": 10})
    with open_studio(settings) as studio:
        capture = studio.shoot(site.add("/", html))
    assert capture.ok
    assert (capture.requests.num_rows, capture.info.dropped_requests) == (20, 41)
    assert (len(capture.info.messages), capture.info.dropped_messages) == (10, 50)
