"""Every exhibit of the museum answers as its record says: on a real server, over real sockets."""

from __future__ import annotations

import gzip
import http.client
import json
import re
import zlib
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from webgeist.samples.museum import EXHIBITS, HALLS, Exhibit, documents, texts

if TYPE_CHECKING:
    from tests.samples.conftest import Visitor

SITE = "museum"
BY_PATH = {exhibit.path: exhibit for exhibit in EXHIBITS if exhibit.host == "museum"}
ENDING = [exhibit for exhibit in EXHIBITS if exhibit.ends]
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def hrefs(text: str) -> list[str]:
    return re.findall(r'href="([^"]*)"', text)


def name(exhibit: Exhibit) -> str:
    return f"{exhibit.host}{exhibit.path}"


@pytest.mark.parametrize("exhibit", ENDING, ids=name)
def test_an_exhibit_answers_as_its_record_says(
    visitor: Visitor, exhibit: Exhibit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http.client, "_MAXHEADERS", 1000)  # for the flood of cookies
    answer = visitor.ask(exhibit.path, site=exhibit.host)
    assert answer.status == exhibit.status
    assert answer.headers.get("content-type") == exhibit.content_type


def test_the_records_are_complete_and_distinct() -> None:
    assert len({(exhibit.host, exhibit.path) for exhibit in EXHIBITS}) == len(EXHIBITS)
    assert len({(exhibit.host, exhibit.route) for exhibit in EXHIBITS}) == len(EXHIBITS)
    assert all(exhibit.title and exhibit.nastiness and exhibit.expected for exhibit in EXHIBITS)


def test_home_lists_every_exhibit(visitor: Visitor) -> None:
    home = visitor.page("/")
    links = hrefs(home)
    for exhibit in EXHIBITS:
        prefix = (
            f"http://{exhibit.host}.localhost:{visitor.server.port}"
            if exhibit.host != "museum"
            else ""
        )
        assert prefix + exhibit.path in links
    assert home.count("Expected: ") == len(EXHIBITS)
    assert home.count("<h2>") == len(HALLS)


def test_a_size_that_is_no_number_is_a_bad_request(visitor: Visitor) -> None:
    assert visitor.ask("/sizes/nodes?n=many").status == 400


def test_empty_answers_are_empty(visitor: Visitor) -> None:
    assert visitor.ask("/answers/empty").body == b""
    assert visitor.ask("/answers/no-content").body == b""
    assert visitor.page("/answers/whitespace").strip() == ""


@pytest.mark.parametrize(
    ("path", "start"),
    [("paper.pdf", b"%PDF-"), ("picture.png", b"\x89PNG"), ("bundle.zip", b"PK"), ("png-as-html", b"\x89PNG")],
)  # fmt: skip
def test_documents_begin_as_their_format_does(visitor: Visitor, path: str, start: bytes) -> None:
    assert visitor.ask(f"/answers/{path}").body.startswith(start)


def test_text_documents_can_be_parsed(visitor: Visitor) -> None:
    assert json.loads(visitor.page("/answers/data.json"))["exhibits"]
    for path in ("data.xml", "feed.rss", "drawing.svg"):
        assert len(ET.fromstring(visitor.page(f"/answers/{path}"))) > 0


def test_pdf_table_points_at_its_objects() -> None:
    pdf = documents.pdf()
    table = int(re.findall(rb"startxref\n(\d+)", pdf)[0])
    assert pdf[table:].startswith(b"xref")
    for index, place in enumerate(re.findall(rb"(\d{10}) 00000 n", pdf), 1):
        assert pdf[int(place) :].startswith(b"%d 0 obj" % index)


def test_download_is_an_attachment_with_a_nasty_name(visitor: Visitor) -> None:
    answer = visitor.ask("/answers/download")
    disposition = answer.headers["content-disposition"]
    assert disposition.startswith("attachment")
    assert "../" in disposition


@pytest.mark.parametrize(
    ("path", "charset", "word"),
    [("utf-16", "utf-16-le", "Ελληνικά"), ("utf-16-undeclared", "utf-16-be", "Ελληνικά"), ("latin-1-as-utf-8", "latin-1", "déjà"), ("shift-jis", "shift_jis", "美術館"), ("contradiction", "utf-8-sig", "koi8-r")],
)  # fmt: skip
def test_charsets_are_what_the_bytes_say(
    visitor: Visitor, path: str, charset: str, word: str
) -> None:
    content = visitor.ask(f"/charsets/{path}").body
    assert word in content.decode(charset)


def test_mislabelled_bytes_are_no_utf_8(visitor: Visitor) -> None:
    for path in ("latin-1-as-utf-8", "shift-jis"):
        with pytest.raises(UnicodeDecodeError):
            visitor.ask(f"/charsets/{path}").body.decode()


def test_refusals_carry_their_headers(visitor: Visitor) -> None:
    assert visitor.ask("/status/429").headers["retry-after"] == "120"
    assert "GMT" in visitor.ask("/status/503").headers["retry-after"]
    assert visitor.ask("/status/401-basic").headers["www-authenticate"].startswith("Basic ")
    assert visitor.ask("/status/401-digest").headers["www-authenticate"].startswith("Digest ")


@pytest.mark.parametrize(
    ("path", "words"),
    [("challenge", "Just a moment..."), ("denied", "Access Denied"), ("captcha", "verify you are human")],
)  # fmt: skip
def test_walls_use_the_well_known_words(visitor: Visitor, path: str, words: str) -> None:
    assert words in visitor.ask(f"/walls/{path}").text


def test_redirects_point_where_their_records_say(visitor: Visitor) -> None:
    for exhibit in EXHIBITS:
        if exhibit.nastiness.startswith("Location: "):
            location = visitor.ask(exhibit.path).headers["location"]
            assert exhibit.nastiness == f"Location: {location}"
    assert visitor.ask("/redirects/nowhere").headers["location"] is None


def test_redirect_loop_comes_back_and_hops_never_do(visitor: Visitor) -> None:
    assert visitor.ask("/redirects/loop").headers["location"] == "/redirects/back"
    assert visitor.ask("/redirects/back").headers["location"] == "/redirects/loop"
    assert visitor.ask("/redirects/self").headers["location"] == "/redirects/self"
    assert visitor.ask("/hop/0").headers["location"] == "/hop/1"
    assert visitor.ask("/hop/123456").headers["location"] == "/hop/123457"


def test_long_redirect_arrives(visitor: Visitor) -> None:
    location = visitor.ask("/redirects/to-long").headers["location"]
    assert len(location) > 20_000
    assert visitor.ask(location).status == 200


def test_meta_refresh_comes_back(visitor: Visitor) -> None:
    assert "url=/redirects/refresh-back" in visitor.page("/redirects/refresh")
    assert "url=/redirects/refresh" in visitor.page("/redirects/refresh-back")


@pytest.mark.parametrize(
    ("path", "expected"),
    [("/load/private", "http://10.0.0.1/a.png"), ("/hostile/worker/", "worker.js"), ("/texts/base", "<base "), ("/load/font", "/load/never")],
)  # fmt: skip
def test_pages_load_what_they_say(visitor: Visitor, path: str, expected: str) -> None:
    assert expected in visitor.page(path)


def test_compressed_page_is_a_gigabyte_in_megabytes(visitor: Visitor) -> None:
    answer = visitor.ask("/load/bomb")
    content = answer.body
    assert answer.headers["content-encoding"] == "gzip"
    assert len(content) < 10_000_000
    assert int.from_bytes(content[-4:], "little") > 1_000_000_000
    assert zlib.decompressobj(31).decompress(content, 24) == b"<p>boom</p>\n" * 2


def test_sizes_are_as_asked(visitor: Visitor) -> None:
    assert visitor.page("/sizes/nodes?n=300").count("<i>") == 300
    assert visitor.page("/sizes/nodes?n=100000").count("<i>") == 100_000
    assert visitor.page("/sizes/unclosed?n=5000").count("<div>") == 5_000
    assert "height:60000px" in visitor.page("/sizes/tall?h=60000")
    assert "width:20000px" in visitor.page("/sizes/wide?w=20000")
    assert len(hrefs(visitor.page("/sizes/links?n=5000"))) == 5_000
    assert len(visitor.page("/sizes/attributes?n=10000")) > 900_000
    assert len(visitor.page("/sizes/text?n=10000000")) > 10_000_000
    assert visitor.page("/sizes/styles?n=10000").count("color:") == 10_000
    assert visitor.page("/load/requests?n=2000").count("<img") == 2_000


def test_cookies_come_in_hundreds_and_stay_in_their_exhibit(visitor: Visitor) -> None:
    answer = visitor.ask("/load/cookies?n=80")
    cookies = answer.headers.get_all("set-cookie", [])
    assert len(cookies) == 80
    assert all("Path=/load/cookies/jar" in cookie for cookie in cookies)


def test_texts_hold_their_characters(visitor: Visitor) -> None:
    assert visitor.ask("/texts/null").body.count(b"\0") == 6
    assert "\x01\x02\x03" in visitor.page("/texts/controls")
    assert "\\ud800" in visitor.page("/texts/surrogates")
    assert visitor.page("/texts/laughs.xhtml").count("<!ENTITY") == 10


def test_nasty_links_are_all_there(visitor: Visitor) -> None:
    text = visitor.page("/texts/links")
    assert text.count("<a href=") == len(texts.HREFS)
    assert max(map(len, hrefs(text))) > 10_000
    for scheme in ("data:", "javascript:", "mailto:", "file:"):
        assert f'href="{scheme}' in text


def test_calendar_goes_on_for_ever_both_ways(visitor: Visitor) -> None:
    assert hrefs(visitor.page("/calendar/2026/12/")) == ["/calendar/2026/11/", "/calendar/2027/01/"]
    assert hrefs(visitor.page("/calendar/99999/01/")) == ["/calendar/99998/12/", "/calendar/99999/02/"]  # fmt: skip
    assert hrefs(visitor.page("/calendar/0/01/")) == ["/calendar/0/02/"]


@pytest.mark.parametrize("start", ["/session/page0", "/facets", "/soft-404/start"])
def test_traps_give_new_addresses_at_every_step(visitor: Visitor, start: str) -> None:
    seen, now = {start}, start
    for _ in range(5):
        links = hrefs(visitor.page(now))
        assert not seen & set(links)
        seen.update(links)
        now = links[-1].replace("&amp;", "&")


def test_folders_go_down_for_ever(visitor: Visitor) -> None:
    assert hrefs(visitor.page("/deep/" + "down/" * 50)) == ["down/", "aside/"]


def test_mirror_shows_one_page_under_all_spellings(visitor: Visitor) -> None:
    assert "The same page" in visitor.page("/mirror/PAGE//?utm_source=mirror")


def test_museum_itself_lets_robots_in(visitor: Visitor) -> None:
    assert visitor.page("/robots.txt") == "User-agent: *\nAllow: /\n"


def test_every_robots_host_has_a_public_and_a_private_page(visitor: Visitor) -> None:
    assert hrefs(visitor.page("/", site="robots-some")) == ["/public/page", "/private/page"]
    assert "A private page" in visitor.page("/private/page", site="robots-some")


def test_robots_files_differ_by_host(visitor: Visitor) -> None:
    assert "Disallow: /\n" in visitor.page("/robots.txt", site="robots-deny")
    assert visitor.ask("/robots.txt", site="robots-429").headers["retry-after"] == "60"
    huge = visitor.page("/robots.txt", site="robots-huge")
    assert huge.index("Disallow: /private/") < 500 * 1024 < huge.index("Disallow: /public/")
    location = visitor.ask("/robots.txt", site="robots-redirect").headers["location"]
    assert location == f"http://robots-deny.localhost:{visitor.server.port}/robots.txt"


def test_robots_sitemaps_are_exhibits(visitor: Visitor) -> None:
    addresses = re.findall("Sitemap: (.*)", visitor.page("/robots.txt", site="robots-sitemaps"))
    origin = f"http://robots-sitemaps.localhost:{visitor.server.port}"
    assert addresses
    assert {address.removeprefix(origin) for address in addresses} <= set(BY_PATH)


def _locations(xml: str) -> list[str]:
    return [node.text or "" for node in ET.fromstring(xml).iter(f"{SITEMAP}loc")]


def test_sound_sitemaps_agree(visitor: Visitor) -> None:
    plain = _locations(visitor.page("/sitemaps/pages.xml"))
    packed = gzip.decompress(visitor.ask("/sitemaps/pages.xml.gz").body).decode()
    assert plain[0] == visitor.url("/calendar/2026/03/")
    assert _locations(packed) == plain
    assert visitor.page("/sitemaps/pages.txt").split() == plain


def test_nasty_sitemaps(visitor: Visitor) -> None:
    origin = visitor.url("/sitemaps")
    assert len(_locations(visitor.page("/sitemaps/huge.xml"))) == 60_000
    assert f"{origin}/recursive.xml" in _locations(visitor.page("/sitemaps/recursive.xml"))
    assert _locations(visitor.page("/sitemaps/endless/7.xml")) == [f"{origin}/endless/8.xml"]
    with pytest.raises(ET.ParseError):
        ET.fromstring(visitor.page("/sitemaps/malformed.xml"))
    with pytest.raises(EOFError):
        gzip.decompress(visitor.ask("/sitemaps/cut.xml.gz").body)


def test_sitemap_bomb_is_a_gigabyte_in_megabytes(visitor: Visitor) -> None:
    content = visitor.ask("/sitemaps/bomb.xml.gz").body
    assert len(content) < 10_000_000
    assert int.from_bytes(content[-4:], "little") == 1 << 30
