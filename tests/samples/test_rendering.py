"""What sites share: templates that know where they are, forms, robots.txt and sitemaps."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from jinja2 import UndefinedError
from starlette.requests import Request

from webgeist.samples.rendering import Renderer, form, robots, sitemap

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.types import Message


def request(host: str = "shop.localhost:81", body: bytes = b"") -> Request:
    async def receive() -> Message:
        return {"type": "http.request", "body": body}

    scope = {
        "type": "http",
        "method": "POST",
        "scheme": "http",
        "path": "/here",
        "query_string": b"",
        "headers": [(b"host", host.encode())],
        "server": ("127.0.0.1", 81),
    }
    return Request(scope, receive)


@pytest.fixture
def renderer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Renderer:
    """Of a site package that is made for the test."""
    templates = tmp_path / "a_site_of_paper" / "templates"
    templates.mkdir(parents=True)
    (templates.parent / "__init__.py").touch()
    (templates / "greeting.html").write_text("{{ name }} {{ name|loud }}", "utf-8")
    (templates / "feed.txt").write_text("{{ name }}", "utf-8")
    (templates / "places.html").write_text("{{ origin }} {{ host('ads') }}", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return Renderer("a_site_of_paper", loud=str.upper)


def test_a_page_is_escaped_and_has_the_filters(renderer: Renderer) -> None:
    answer = renderer.page(request(), "greeting.html", 404, name="<b>")
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.body == b"&lt;b&gt; &lt;B&gt;"


def test_text_of_any_kind_is_escaped(renderer: Renderer) -> None:
    assert renderer.text(request(), "feed.txt", name="a & b") == "a &amp; b"


def test_a_name_that_is_missing_is_an_error(renderer: Renderer) -> None:
    with pytest.raises(UndefinedError, match="name"):
        renderer.page(request(), "greeting.html")


@pytest.mark.parametrize(
    ("host", "places"),
    [
        ("shop.localhost:81", "http://shop.localhost:81 http://ads.localhost:81"),
        ("shop.localhost", "http://shop.localhost http://ads.localhost:80"),
    ],
)
def test_a_page_knows_its_origin_and_its_neighbours(
    renderer: Renderer, host: str, places: str
) -> None:
    assert renderer.text(request(host), "places.html") == places


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        (b"", {}),
        (b"name=Ada+Marsh&mail=a%40b", {"name": "Ada Marsh", "mail": "a@b"}),
        (b"empty=&x=%C3%A9", {"empty": "", "x": "é"}),
        (b"twice=1&twice=2", {"twice": "2"}),
    ],
)
async def test_a_form_is_read(body: bytes, fields: dict[str, str]) -> None:
    assert await form(request(body=body)) == fields


def test_robots_are_told_what_is_closed_and_where_the_sitemap_is() -> None:
    end = "\nSitemap: http://shop.localhost:81/sitemap.xml\n"
    open_to_all, closed = (bytes(robots(request(), *x).body).decode() for x in ((), ("/a", "/b/")))
    assert open_to_all == f"User-agent: *\nDisallow:\n{end}"
    assert closed == f"User-agent: *\nDisallow: /a\nDisallow: /b/\n{end}"


def test_a_sitemap_has_whole_addresses() -> None:
    answer = sitemap(request(), ["/", "/a?page=2"])
    assert answer.headers["content-type"] == "application/xml"
    tree = ET.fromstring(bytes(answer.body))
    found = [loc.text for loc in tree.findall("{*}url/{*}loc")]
    assert found == ["http://shop.localhost:81/", "http://shop.localhost:81/a?page=2"]
