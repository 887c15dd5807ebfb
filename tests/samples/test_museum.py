"""Every exhibit of the museum answers as its record says: on a real server, over real sockets."""

from __future__ import annotations

import gzip
import http.client
import json
import re
import socket
import threading
import zlib
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from webgeist.samples import app
from webgeist.samples.museum import EXHIBITS, HALLS, Exhibit, documents, texts
from webgeist.samples.server import SampleServer, serve

if TYPE_CHECKING:
    from collections.abc import Iterator

BY_PATH = {exhibit.path: exhibit for exhibit in EXHIBITS if exhibit.host == "museum"}
ENDING = [exhibit for exhibit in EXHIBITS if exhibit.ends]
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


@pytest.fixture(scope="module")
def museum() -> Iterator[SampleServer]:
    """The sample web with the museum as its only site."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "SITES", ("museum",))
        with serve() as server:
            _wait_until_listening(server.port)
            yield server


def _wait_until_listening(port: int) -> None:
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=10).close()
        except ConnectionRefusedError:
            continue
        return


def ask(
    museum: SampleServer, path: str, host: str = "museum"
) -> tuple[http.client.HTTPResponse, bytes]:
    """One request on a connection of its own, read to the end."""
    connection = http.client.HTTPConnection("127.0.0.1", museum.port, timeout=60)
    try:
        connection.request("GET", path, headers={"host": f"{host}.localhost:{museum.port}"})
        answer = connection.getresponse()
        return answer, answer.read()
    finally:
        connection.close()


def page(museum: SampleServer, path: str, host: str = "museum") -> str:
    return ask(museum, path, host)[1].decode()


def hrefs(text: str) -> list[str]:
    return re.findall(r'href="([^"]*)"', text)


def name(exhibit: Exhibit) -> str:
    return f"{exhibit.host}{exhibit.path}"


@pytest.mark.parametrize("exhibit", ENDING, ids=name)
def test_an_exhibit_answers_as_its_record_says(
    museum: SampleServer, exhibit: Exhibit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http.client, "_MAXHEADERS", 1000)  # for the flood of cookies
    answer, _ = ask(museum, exhibit.path, exhibit.host)
    assert answer.status == exhibit.status
    assert answer.headers.get("content-type") == exhibit.content_type


def test_the_records_are_complete_and_distinct() -> None:
    assert len({(exhibit.host, exhibit.path) for exhibit in EXHIBITS}) == len(EXHIBITS)
    assert len({(exhibit.host, exhibit.route) for exhibit in EXHIBITS}) == len(EXHIBITS)
    assert all(exhibit.title and exhibit.nastiness and exhibit.expected for exhibit in EXHIBITS)


def test_home_lists_every_exhibit(museum: SampleServer) -> None:
    home = page(museum, "/")
    links = hrefs(home)
    for exhibit in EXHIBITS:
        prefix = (
            f"http://{exhibit.host}.localhost:{museum.port}" if exhibit.host != "museum" else ""
        )
        assert prefix + exhibit.path in links
    assert home.count("Expected: ") == len(EXHIBITS)
    assert home.count("<h2>") == len(HALLS)


def test_a_size_that_is_no_number_is_a_bad_request(museum: SampleServer) -> None:
    assert ask(museum, "/sizes/nodes?n=many")[0].status == 400


def test_empty_answers_are_empty(museum: SampleServer) -> None:
    assert ask(museum, "/answers/empty")[1] == b""
    assert ask(museum, "/answers/no-content")[1] == b""
    assert page(museum, "/answers/whitespace").strip() == ""


@pytest.mark.parametrize(
    ("path", "start"),
    [("paper.pdf", b"%PDF-"), ("picture.png", b"\x89PNG"), ("bundle.zip", b"PK"), ("png-as-html", b"\x89PNG")],
)  # fmt: skip
def test_documents_begin_as_their_format_does(
    museum: SampleServer, path: str, start: bytes
) -> None:
    assert ask(museum, f"/answers/{path}")[1].startswith(start)


def test_text_documents_can_be_parsed(museum: SampleServer) -> None:
    assert json.loads(page(museum, "/answers/data.json"))["exhibits"]
    for path in ("data.xml", "feed.rss", "drawing.svg"):
        assert len(ET.fromstring(page(museum, f"/answers/{path}"))) > 0


def test_pdf_table_points_at_its_objects() -> None:
    pdf = documents.pdf()
    table = int(re.findall(rb"startxref\n(\d+)", pdf)[0])
    assert pdf[table:].startswith(b"xref")
    for index, place in enumerate(re.findall(rb"(\d{10}) 00000 n", pdf), 1):
        assert pdf[int(place) :].startswith(b"%d 0 obj" % index)


def test_download_is_an_attachment_with_a_nasty_name(museum: SampleServer) -> None:
    answer, _ = ask(museum, "/answers/download")
    disposition = answer.headers["content-disposition"]
    assert disposition.startswith("attachment")
    assert "../" in disposition


@pytest.mark.parametrize(
    ("path", "charset", "word"),
    [("utf-16", "utf-16-le", "Ελληνικά"), ("utf-16-undeclared", "utf-16-be", "Ελληνικά"), ("latin-1-as-utf-8", "latin-1", "déjà"), ("shift-jis", "shift_jis", "美術館"), ("contradiction", "utf-8-sig", "koi8-r")],
)  # fmt: skip
def test_charsets_are_what_the_bytes_say(
    museum: SampleServer, path: str, charset: str, word: str
) -> None:
    _, content = ask(museum, f"/charsets/{path}")
    assert word in content.decode(charset)


def test_mislabelled_bytes_are_no_utf_8(museum: SampleServer) -> None:
    for path in ("latin-1-as-utf-8", "shift-jis"):
        with pytest.raises(UnicodeDecodeError):
            ask(museum, f"/charsets/{path}")[1].decode()


def test_refusals_carry_their_headers(museum: SampleServer) -> None:
    assert ask(museum, "/status/429")[0].headers["retry-after"] == "120"
    assert "GMT" in ask(museum, "/status/503")[0].headers["retry-after"]
    assert ask(museum, "/status/401-basic")[0].headers["www-authenticate"].startswith("Basic ")
    assert ask(museum, "/status/401-digest")[0].headers["www-authenticate"].startswith("Digest ")


@pytest.mark.parametrize(
    ("path", "words"),
    [("challenge", "Just a moment..."), ("denied", "Access Denied"), ("captcha", "verify you are human")],
)  # fmt: skip
def test_walls_use_the_well_known_words(museum: SampleServer, path: str, words: str) -> None:
    assert words in page(museum, f"/walls/{path}")


def test_redirects_point_where_their_records_say(museum: SampleServer) -> None:
    for exhibit in EXHIBITS:
        if exhibit.nastiness.startswith("Location: "):
            location = ask(museum, exhibit.path)[0].headers["location"]
            assert exhibit.nastiness == f"Location: {location}"
    assert ask(museum, "/redirects/nowhere")[0].headers["location"] is None


def test_redirect_loop_comes_back_and_hops_never_do(museum: SampleServer) -> None:
    assert ask(museum, "/redirects/loop")[0].headers["location"] == "/redirects/back"
    assert ask(museum, "/redirects/back")[0].headers["location"] == "/redirects/loop"
    assert ask(museum, "/redirects/self")[0].headers["location"] == "/redirects/self"
    assert ask(museum, "/hop/0")[0].headers["location"] == "/hop/1"
    assert ask(museum, "/hop/123456")[0].headers["location"] == "/hop/123457"


def test_long_redirect_arrives(museum: SampleServer) -> None:
    location = ask(museum, "/redirects/to-long")[0].headers["location"]
    assert len(location) > 20_000
    assert ask(museum, location)[0].status == 200


def test_meta_refresh_comes_back(museum: SampleServer) -> None:
    assert "url=/redirects/refresh-back" in page(museum, "/redirects/refresh")
    assert "url=/redirects/refresh" in page(museum, "/redirects/refresh-back")


@pytest.mark.parametrize(
    ("path", "expected"),
    [("/load/private", "http://10.0.0.1/a.png"), ("/hostile/worker/", "worker.js"), ("/texts/base", "<base "), ("/load/font", "/load/never")],
)  # fmt: skip
def test_pages_load_what_they_say(museum: SampleServer, path: str, expected: str) -> None:
    assert expected in page(museum, path)


def test_compressed_page_is_a_gigabyte_in_megabytes(museum: SampleServer) -> None:
    answer, content = ask(museum, "/load/bomb")
    assert answer.headers["content-encoding"] == "gzip"
    assert len(content) < 10_000_000
    assert int.from_bytes(content[-4:], "little") > 1_000_000_000
    assert zlib.decompressobj(31).decompress(content, 24) == b"<p>boom</p>\n" * 2


def test_sizes_are_as_asked(museum: SampleServer) -> None:
    assert page(museum, "/sizes/nodes?n=300").count("<i>") == 300
    assert page(museum, "/sizes/nodes?n=100000").count("<i>") == 100_000
    assert page(museum, "/sizes/unclosed?n=5000").count("<div>") == 5_000
    assert "height:60000px" in page(museum, "/sizes/tall?h=60000")
    assert "width:20000px" in page(museum, "/sizes/wide?w=20000")
    assert len(hrefs(page(museum, "/sizes/links?n=5000"))) == 5_000
    assert len(page(museum, "/sizes/attributes?n=10000")) > 900_000
    assert len(page(museum, "/sizes/text?n=10000000")) > 10_000_000
    assert page(museum, "/sizes/styles?n=10000").count("color:") == 10_000
    assert page(museum, "/load/requests?n=2000").count("<img") == 2_000


def test_cookies_come_in_hundreds_and_stay_in_their_exhibit(museum: SampleServer) -> None:
    answer, _ = ask(museum, "/load/cookies?n=80")
    cookies = answer.headers.get_all("set-cookie", [])
    assert len(cookies) == 80
    assert all("Path=/load/cookies/jar" in cookie for cookie in cookies)


def test_texts_hold_their_characters(museum: SampleServer) -> None:
    assert ask(museum, "/texts/null")[1].count(b"\0") == 6
    assert "\x01\x02\x03" in page(museum, "/texts/controls")
    assert "\\ud800" in page(museum, "/texts/surrogates")
    assert page(museum, "/texts/laughs.xhtml").count("<!ENTITY") == 10


def test_nasty_links_are_all_there(museum: SampleServer) -> None:
    text = page(museum, "/texts/links")
    assert text.count("<a href=") == len(texts.HREFS)
    assert max(map(len, hrefs(text))) > 10_000
    for scheme in ("data:", "javascript:", "mailto:", "file:"):
        assert f'href="{scheme}' in text


def test_calendar_goes_on_for_ever_both_ways(museum: SampleServer) -> None:
    assert hrefs(page(museum, "/calendar/2026/12/")) == ["/calendar/2026/11/", "/calendar/2027/01/"]
    assert hrefs(page(museum, "/calendar/99999/01/")) == ["/calendar/99998/12/", "/calendar/99999/02/"]  # fmt: skip
    assert hrefs(page(museum, "/calendar/0/01/")) == ["/calendar/0/02/"]


@pytest.mark.parametrize("start", ["/session/page0", "/facets", "/soft-404/start"])
def test_traps_give_new_addresses_at_every_step(museum: SampleServer, start: str) -> None:
    seen, now = {start}, start
    for _ in range(5):
        links = hrefs(page(museum, now))
        assert not seen & set(links)
        seen.update(links)
        now = links[-1].replace("&amp;", "&")


def test_folders_go_down_for_ever(museum: SampleServer) -> None:
    assert hrefs(page(museum, "/deep/" + "down/" * 50)) == ["down/", "aside/"]


def test_mirror_shows_one_page_under_all_spellings(museum: SampleServer) -> None:
    assert "The same page" in page(museum, "/mirror/PAGE//?utm_source=mirror")


def test_museum_itself_lets_robots_in(museum: SampleServer) -> None:
    assert page(museum, "/robots.txt") == "User-agent: *\nAllow: /\n"


def test_every_robots_host_has_a_public_and_a_private_page(museum: SampleServer) -> None:
    assert hrefs(page(museum, "/", "robots-some")) == ["/public/page", "/private/page"]
    assert "A private page" in page(museum, "/private/page", "robots-some")


def test_robots_files_differ_by_host(museum: SampleServer) -> None:
    assert "Disallow: /\n" in page(museum, "/robots.txt", "robots-deny")
    assert ask(museum, "/robots.txt", "robots-429")[0].headers["retry-after"] == "60"
    huge = page(museum, "/robots.txt", "robots-huge")
    assert huge.index("Disallow: /private/") < 500 * 1024 < huge.index("Disallow: /public/")
    location = ask(museum, "/robots.txt", "robots-redirect")[0].headers["location"]
    assert location == f"http://robots-deny.localhost:{museum.port}/robots.txt"


def test_robots_sitemaps_are_exhibits(museum: SampleServer) -> None:
    addresses = re.findall("Sitemap: (.*)", page(museum, "/robots.txt", "robots-sitemaps"))
    origin = f"http://robots-sitemaps.localhost:{museum.port}"
    assert addresses
    assert {address.removeprefix(origin) for address in addresses} <= set(BY_PATH)


def _locations(xml: str) -> list[str]:
    return [node.text or "" for node in ET.fromstring(xml).iter(f"{SITEMAP}loc")]


def test_sound_sitemaps_agree(museum: SampleServer) -> None:
    plain = _locations(page(museum, "/sitemaps/pages.xml"))
    packed = gzip.decompress(ask(museum, "/sitemaps/pages.xml.gz")[1]).decode()
    assert plain[0] == f"http://museum.localhost:{museum.port}/calendar/2026/03/"
    assert _locations(packed) == plain
    assert page(museum, "/sitemaps/pages.txt").split() == plain


def test_nasty_sitemaps(museum: SampleServer) -> None:
    origin = f"http://museum.localhost:{museum.port}/sitemaps"
    assert len(_locations(page(museum, "/sitemaps/huge.xml"))) == 60_000
    assert f"{origin}/recursive.xml" in _locations(page(museum, "/sitemaps/recursive.xml"))
    assert _locations(page(museum, "/sitemaps/endless/7.xml")) == [f"{origin}/endless/8.xml"]
    with pytest.raises(ET.ParseError):
        ET.fromstring(page(museum, "/sitemaps/malformed.xml"))
    with pytest.raises(EOFError):
        gzip.decompress(ask(museum, "/sitemaps/cut.xml.gz")[1])


def test_sitemap_bomb_is_a_gigabyte_in_megabytes(museum: SampleServer) -> None:
    _, content = ask(museum, "/sitemaps/bomb.xml.gz")
    assert len(content) < 10_000_000
    assert int.from_bytes(content[-4:], "little") == 1 << 30


@pytest.mark.parametrize("path", ["/load/trickle", "/load/never"])
def test_the_server_stops_with_visitors_inside(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "SITES", ("museum",))
    before = set(threading.enumerate())
    with serve() as server:
        _wait_until_listening(server.port)
        visitor = socket.create_connection(("127.0.0.1", server.port), timeout=30)
        visitor.sendall(f"GET {path} HTTP/1.1\r\nHost: museum.localhost\r\n\r\n".encode())
        if path == "/load/trickle":
            assert visitor.recv(1)
    with visitor:
        while visitor.recv(65_536):
            pass
    assert set(threading.enumerate()) <= before
