"""The second origin, in a real Chromium too: captured HTML that can do nothing."""

from __future__ import annotations

import asyncio
import gzip
from typing import TYPE_CHECKING

import httpx
from tests.repository.making import new_repository
from tests.repository.test_replaying import record
from tests.server.asking import FAILED, IDS, Asked, problem, serving

from webgeist.server.shown import POLICY

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import SettingsMaker, Site, Studio


def _page(server: Asked, capture: str) -> str:
    """The address of a page on the second origin."""
    answer = server.get(f"/v1/pages/{capture}.html")
    assert answer.status_code == 307
    return answer.headers["location"]


def test_the_api_leads_to_another_origin(server: Asked) -> None:
    place = httpx.URL(_page(server, IDS[5]))
    assert place.port == server.running.address.pages_port != server.running.address.port
    answer = httpx.get(place)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-security-policy"] == POLICY
    assert POLICY.startswith("sandbox; default-src 'none'")
    assert "allow-scripts" not in POLICY
    assert "allow-same-origin" not in POLICY
    assert '<p id="n3"><b id="n4"></b></p>' in answer.text


def test_nothing_of_the_api_is_there(server: Asked) -> None:
    origin = f"http://127.0.0.1:{server.running.address.pages_port}"
    for path in ("/", "/v1/", "/v1/pages.json", f"/{IDS[5]}/", "/x/", "/x/1"):
        problem(httpx.get(origin + path), 404)


def test_a_key_opens_one_page_only(server: Asked) -> None:
    place = _page(server, IDS[5])
    problem(httpx.get(place.replace(IDS[5], IDS[4])), 404)
    problem(httpx.get(place + "99"), 404)
    assert httpx.get(place + "1").headers["content-type"] == "image/png"


def test_sheets_lead_to_the_archive(server: Asked) -> None:
    answer = httpx.get(_page(server, IDS[5]) + "2")
    assert answer.headers["content-type"] == "text/css"
    assert answer.text == 'body { background: url("1") }'


def test_documents_that_were_sent_are_never_html_again(server: Asked) -> None:
    answer = httpx.get(_page(server, IDS[5]) + "0")
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-security-policy"] == POLICY


def test_a_capture_without_a_page(server: Asked) -> None:
    problem(httpx.get(_page(server, FAILED)), 404)
    server.problem(f"/v1/pages/{'0' * 26}.html", 404)
    server.problem("/v1/pages/x.html", 400)


HOSTILE = """<!doctype html><title>Quiet</title><link rel=stylesheet href=a.css>
<h1 onclick="document.title += '!'">Words</h1><img src=x onerror="document.title += '!'">
<svg onload="document.title += '!'"></svg><a href="javascript:document.title += '!'">link</a>
<iframe srcdoc="<script>top.document.title += '!'</script>"></iframe>
<form action=/stolen><input name=a autofocus onfocus="document.title += '!'"></form>
<script>document.querySelector('h1').after(Object.assign(document.createElement('p'),
{textContent: 'made by a script'}))
</script>"""


async def test_a_hostile_page_is_shown_and_does_nothing(
    site: Site, studio: Studio, make_settings: SettingsMaker, tmp_path: Path
) -> None:
    """Recorded from a server, which then is gone; opened in Chromium on the second origin."""
    sheet = gzip.compress(b"h1 { color: rgb(1, 2, 3) } p { background: url(/bomb.png) }")
    said = {"content-type": "text/css", "content-encoding": "gzip"}
    site.add("/a.css", sheet, headers=said)
    with new_repository(tmp_path / "r") as repository:
        url = site.add("/page.html", HOSTILE)
        (capture,) = await record(repository, make_settings(), url)
        repository.publish()
    site.log.clear()
    with serving(tmp_path / "r") as asked:
        place, title = _page(asked, capture), asked.json(f"/v1/pages/{capture}.json")["title"]
        shown = await asyncio.to_thread(studio.shoot, place)
        page = shown.page
    assert page is not None, f"{shown.info.outcome}: {shown.info.reason}"
    assert shown.info.metadata is not None
    assert shown.info.metadata.title == title  # with a mark for each that ran then, and none now
    assert "!" in title
    (heading,) = page.find("h1")
    assert page.style(heading)["color"] == "rgb(1, 2, 3)"  # its sheet came from the archive
    assert "made by a script" in page.text(0)
    assert not page.find("script")
    requests = shown.requests.column("url").to_pylist()
    assert [each for each in requests if not each.startswith((place, "data:"))] == []
    assert site.log == []
