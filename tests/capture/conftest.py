"""A capture of a small page, taken once, and one made by hand of an address without a page."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from webgeist.capture.decode import Circumstances
from webgeist.capture.target import Target, parse_target
from webgeist.capture.viewport import VIEWPORTS

if TYPE_CHECKING:
    from tests.conftest import Studio

    from webgeist.capture.model import Capture

NOON = datetime(2024, 2, 29, 12, tzinfo=UTC)
PAGE = """<!doctype html><html lang=en><title>Small &amp; "sweet"</title>
<meta name=description content="a page"><style>p::before { content: "→" }</style>
<p>Words <a href=next.html rel=next>next</a></p><iframe srcdoc="<b>framed</b>"></iframe>
<input value=typed><div style="height:9000px"></div>"""


@pytest.fixture(scope="session")
def small_capture(picture_studio: Studio, tmp_path_factory: pytest.TempPathFactory) -> Capture:
    """A real capture with frames, pseudo-elements, links and a picture of two tiles."""
    path = tmp_path_factory.mktemp("small") / "page.html"
    path.write_text(PAGE, "utf-8")
    target = parse_target(str(path), url="http://example.org/dir/page.html")
    return picture_studio.shoot(target, clock=NOON)


@pytest.fixture(scope="session")
def failed_capture(studio: Studio) -> Capture:
    """A real capture of an address where there is nothing."""
    return studio.shoot(Target("http://nosuch.invalid/"), clock=NOON)


@pytest.fixture
def circumstances() -> Circumstances:
    return Circumstances(
        requested_url="http://h/asked",
        time=NOON,
        viewport=VIEWPORTS["desktop"],
        clock=NOON,
        browser="Chrome/1.2",
        properties=("color",),
        most_nodes=10,
    )
