"""A capture as people meet it: its parts, its repr, its look in a notebook."""

from __future__ import annotations

import base64
import io
from dataclasses import replace
from typing import TYPE_CHECKING

from PIL import Image

from webgeist.capture.model import Capture
from webgeist.capture.outcome import Outcome

if TYPE_CHECKING:
    from tests.conftest import Shooter

    from webgeist.page.model import Page


class Counted:
    """Parts that count how often they are read."""

    def __init__(self, capture: Capture) -> None:
        self.capture = capture
        self.reads = 0

    def page(self) -> Page | None:
        self.reads += 1
        return self.capture.page

    def __getattr__(self, name: str) -> object:
        return lambda: getattr(self.capture, name)


def test_parts_are_read_when_first_used_and_once(small_capture: Capture) -> None:
    parts = Counted(small_capture)
    capture = Capture(small_capture.info, parts)  # type: ignore[arg-type] # the rest is passed on
    assert parts.reads == 0
    assert capture.page is capture.page
    assert parts.reads == 1


def test_a_capture_with_a_page(small_capture: Capture) -> None:
    assert small_capture.ok
    assert small_capture.has_page
    assert small_capture.page is not None
    assert len(small_capture.page) == small_capture.info.nodes
    assert repr(small_capture) == (
        f"<Capture http://example.org/dir/page.html ok {small_capture.info.nodes} nodes at "
        f"{small_capture.info.time:%Y-%m-%d %H:%M}>"
    )


def test_a_capture_without_a_page(failed_capture: Capture) -> None:
    assert not failed_capture.ok
    assert not failed_capture.has_page
    assert failed_capture.page is None
    assert "unknown-host 0 nodes" in repr(failed_capture)
    shown = failed_capture._repr_html_()
    assert "<img" not in shown
    assert "unknown-host net::ERR_NAME_NOT_RESOLVED" in shown


def test_has_page_needs_nodes_and_an_outcome_with_a_page(small_capture: Capture) -> None:
    for outcome, nodes, expected in (
        (Outcome.EMPTY, 3, True),
        (Outcome.HTTP_ERROR, 3, True),
        (Outcome.TRUNCATED, 0, False),
        (Outcome.TIMEOUT, 3, False),
    ):
        info = replace(small_capture.info, outcome=outcome, nodes=nodes)
        assert Capture(info, small_capture.parts).has_page is expected


def test_a_notebook_shows_thumbnail_and_facts(small_capture: Capture) -> None:
    shown = small_capture._repr_html_()
    data = shown.partition("base64,")[2].partition('"')[0]
    with Image.open(io.BytesIO(base64.b64decode(data))) as picture:
        assert picture.size == (320, 480)
    assert "<td>1280x960</td>" in shown
    assert "<td>http://example.org/dir/page.html</td>" in shown


def test_a_notebook_runs_nothing_that_a_page_says(shoot_html: Shooter) -> None:
    capture = shoot_html("<title>&lt;script>alert(1)&lt;/script>&quot;</title><p>x")
    info = replace(capture.info, url="http://h/<script>'", reason="<script>")
    shown = Capture(info, capture.parts)._repr_html_()
    assert "<script" not in shown
    assert "&lt;script&gt;alert(1)&lt;/script&gt;&quot;" in shown
    assert "http://h/&lt;script&gt;&#x27;" in shown
