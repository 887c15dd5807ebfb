"""Folders named after what was captured: readable, unique, and safe whatever the URL."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.capture.info import CaptureInfo
from webgeist.capture.naming import folder_name
from webgeist.capture.outcome import Outcome
from webgeist.capture.viewport import VIEWPORTS

if TYPE_CHECKING:
    from webgeist.capture.viewport import Viewport

NOON = datetime(2026, 3, 1, 12, 0, 0, 5, tzinfo=UTC)


def info(
    url: str, viewport: Viewport = VIEWPORTS["desktop"], time: datetime = NOON, asked: str = ""
) -> CaptureInfo:
    return CaptureInfo(
        requested_url=asked or url,
        url=url,
        time=time,
        outcome=Outcome.OK,
        reason="",
        status=200,
        mime_type="text/html",
        headers={},
        redirects=(),
        viewport=viewport,
        clock=None,
        settled=None,
        metadata=None,
        documents=(),
        messages=(),
        dropped_messages=0,
        dropped_requests=0,
        nodes=0,
        screenshot=None,
        stages_ms={},
        browser="",
        webgeist="",
    )


@pytest.mark.parametrize(
    ("url", "start"),
    [
        ("https://example.org/", "example.org/index-desktop-20260301T120000.000005-"),
        ("https://example.org/a/b.html?c=d", "example.org/a-b.html-desktop-"),
        ("https://user:secret@Example.org:8080/x", "example.org/x-desktop-"),
        ("http://[::1]:9/x", "1/x-desktop-"),
        ("file:///home/me/page.html", "file/home-me-page.html-desktop-"),
        ("http://münchen.example/straße", "m-nchen.example/stra-e-desktop-"),
        ("about:blank", "file/blank-desktop-"),
    ],
)
def test_a_folder_tells_host_page_viewport_and_time(url: str, start: str) -> None:
    assert folder_name(info(url)).startswith(start)


hosts = st.text(min_size=1) | st.sampled_from(["..", ".", "...", "-", "[::1]", "[", "a" * 400])
paths = st.text() | st.sampled_from(["/..", "/../..", "/.", "//", "/%2e%2e/", "/" + "x" * 5000])
urls = st.text() | st.builds(lambda host, path: f"http://{host}{path}", hosts, paths)


@given(urls)
def test_any_url_gives_a_safe_name(url: str) -> None:
    host, page = folder_name(info(url)).split("/")
    for name in (host, page):
        assert name.isascii()
        assert not name.startswith((".", "-"))
        assert 0 < len(name) < 200
        assert PurePosixPath(name).name == name
    assert (Path("/out") / host / page).resolve().parent.parent == Path("/out")


@given(st.lists(urls, min_size=2, max_size=2, unique=True))
def test_two_addresses_at_one_time_are_two_folders(both: list[str]) -> None:
    """The readable part may be the same, so what was asked for is in the name as well."""
    arrived = "https://example.org/"
    one, two = (folder_name(info(arrived, asked=asked)) for asked in both)
    same = both[0].encode("utf-8", "replace") == both[1].encode("utf-8", "replace")
    assert (one == two) == same


def test_viewports_and_times_are_folders_of_their_own() -> None:
    first = info("https://example.org/")
    later = replace(first, time=NOON + timedelta(microseconds=1))
    mobile = replace(first, viewport=VIEWPORTS["mobile"])
    assert len({folder_name(one) for one in (first, later, mobile)}) == 3
