"""Hall: answers that are no web page, or not the one their headers promise."""

from __future__ import annotations

import gzip

from webgeist.samples.museum import documents
from webgeist.samples.museum.endless import Silence
from webgeist.samples.museum.exhibit import Exhibit, Hall, body, html

_HTML = "text/html; charset=utf-8"
_NOT_HTML = "a client reports an answer that is no HTML, with its type, and keeps the bytes"
_GREEK = "Ελληνικά"
_JAPANESE = "美術館へようこそ。展示室は三階です。" * 20


def _plain(path: str, title: str, content: bytes, content_type: str) -> Exhibit:
    return Exhibit(
        f"/answers/{path}",
        title,
        f"no page but another format: {title}",
        _NOT_HTML,
        "answer",
        body(content, content_type),
        content_type=content_type,
    )


_DOCUMENTS = (
    _plain("paper.pdf", "PDF", documents.pdf(), "application/pdf"),
    _plain("picture.png", "PNG picture", documents.png(), "image/png"),
    _plain("notes.txt", "plain text", b"only <b>text</b>\n", "text/plain; charset=utf-8"),
    _plain("data.json", "JSON document", documents.JSON, "application/json"),
    _plain("data.xml", "XML document", documents.XML, "application/xml"),
    _plain("feed.rss", "RSS feed", documents.FEED, "application/rss+xml"),
    _plain("drawing.svg", "SVG drawing", documents.SVG, "image/svg+xml"),
    _plain("table.csv", "CSV table", documents.CSV, "text/csv; charset=utf-8"),
    _plain("bundle.zip", "zip file", documents.archive(), "application/zip"),
    _plain("unknown.bin", "stream of octets", bytes(range(256)), "application/octet-stream"),
)

_EMPTY = (
    Exhibit(
        "/answers/empty",
        "Empty body",
        "200 with a body of no bytes",
        "a client reports an empty page, not a failed one",
        "answer",
        body(b"", _HTML),
    ),
    Exhibit(
        "/answers/no-content",
        "204 No Content",
        "204: a browser stays on the page it was on",
        "a client reports that there is no content and does not capture the page before",
        "answer",
        body(b"", None, 204),
        status=204,
        content_type=None,
    ),
    Exhibit(
        "/answers/whitespace",
        "Whitespace only",
        "200 with nothing but spaces and line ends",
        "a client reports an empty page",
        "answer",
        body(b" \r\n\t\n" * 500, _HTML),
    ),
    Exhibit(
        "/answers/silence",
        "No answer at all",
        "the request is taken and never answered",
        "a client reports a timeout before the first byte",
        "answer",
        lambda _: Silence(),
        status=0,
        content_type=None,
        ends=False,
    ),
)

_MISLABELLED = (
    Exhibit(
        "/answers/download",
        "Download",
        "an HTML page sent as an attachment: a browser aborts the navigation",
        "a client reports a download, keeps nothing in the file system, and does not hang",
        "answer",
        body(
            html("Download", "<p>saved, not shown</p>").encode(),
            _HTML,
            content_disposition='attachment; filename="../../museum.html"',
        ),
    ),
    Exhibit(
        "/answers/html-as-text",
        "HTML as plain text",
        "a page with Content-Type text/plain and nosniff",
        _NOT_HTML,
        "answer",
        body(html("Text").encode(), "text/plain", x_content_type_options="nosniff"),
        content_type="text/plain",
    ),
    Exhibit(
        "/answers/png-as-html",
        "Picture as HTML",
        "PNG bytes with Content-Type text/html",
        "a client captures the mojibake page and does not fail on its characters",
        "answer",
        body(documents.png(), _HTML),
    ),
    Exhibit(
        "/answers/untyped",
        "No Content-Type",
        "a page without Content-Type: the browser has to guess",
        "a client captures the page as HTML and reports that no type was declared",
        "answer",
        body(html("Untyped", "<h1>Guess me</h1>").encode(), None),
        content_type=None,
    ),
    Exhibit(
        "/answers/malformed-type",
        "Malformed Content-Type",
        "Content-Type that no grammar allows",
        "a client does not fail on the header and keeps it as it came",
        "answer",
        body(html("Malformed").encode(), ';;/html; charset=="utf-8; boundary'),
        content_type=';;/html; charset=="utf-8; boundary',
    ),
    Exhibit(
        "/answers/unasked-gzip",
        "Compressed without being asked",
        "gzip although the client may not have offered it",
        "a client expands the body, or reports the encoding it cannot read",
        "answer",
        body(
            gzip.compress(html("Gzip", "<h1>Unpacked</h1>").encode(), mtime=0),
            _HTML,
            content_encoding="gzip",
        ),
    ),
)


def _charset(path: str, title: str, nastiness: str, content: bytes, content_type: str) -> Exhibit:
    expected = "a client decodes the text as a browser would, and no byte makes it fail"
    answer = body(content, content_type)
    return Exhibit(
        f"/charsets/{path}", title, nastiness, expected, "answer", answer, content_type=content_type
    )


_CHARSETS = (
    _charset(
        "utf-16",
        "UTF-16 without a mark",
        "little-endian UTF-16 declared as UTF-16, without a byte order mark",
        html("UTF-16", f"<h1>{_GREEK}</h1>").encode("utf-16-le"),
        "text/html; charset=utf-16",
    ),
    _charset(
        "utf-16-undeclared",
        "UTF-16, undeclared",
        "UTF-16 that nothing declares: every other byte is NUL",
        html("UTF-16", f"<h1>{_GREEK}</h1>").encode("utf-16-be"),
        "text/html",
    ),
    _charset(
        "latin-1-as-utf-8",
        "Latin-1 said to be UTF-8",
        "bytes above 127 that are no UTF-8",
        html("Café Müller", "<h1>déjà vu, naïveté</h1>").encode("latin-1"),
        _HTML,
    ),
    _charset(
        "shift-jis",
        "Undeclared Shift_JIS",
        "Japanese text in Shift_JIS without any declaration",
        f"<!doctype html><title>美術館</title><p>{_JAPANESE}</p>".encode("shift_jis"),
        "text/html",
    ),
    _charset(
        "unknown",
        "Unknown charset",
        "a charset that does not exist",
        html("Unknown", f"<h1>{_GREEK}</h1>").encode(),
        "text/html; charset=klingon-8",
    ),
    _charset(
        "contradiction",
        "Three different charsets",
        "header, byte order mark and meta element disagree; the mark wins",
        b"\xef\xbb\xbf"
        + html("Contradiction", f"<h1>{_GREEK}</h1>").replace("utf-8", "koi8-r").encode(),
        "text/html; charset=iso-8859-1",
    ),
)

HALL = Hall("Answers that are no page", (*_EMPTY, *_DOCUMENTS, *_MISLABELLED, *_CHARSETS))
