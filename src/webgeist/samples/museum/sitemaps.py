"""Hall: sitemaps that are sound, and those that are meant to break who reads them."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

from starlette.responses import Response

from webgeist.samples.museum.bombs import MEBIBYTE, gzip_bomb
from webgeist.samples.museum.endless import Pour
from webgeist.samples.museum.exhibit import Exhibit, Hall, body, number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.requests import Request

    from webgeist.samples.museum.exhibit import Answer

_XML = "application/xml"
_GZIP = "application/gzip"
_NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
_SOUND = "a crawler reads its addresses"
_LIMIT = "a crawler stops at its limit and says how many addresses it took"
_ERROR = "a crawler takes the addresses before the error, or none, and reports a malformed sitemap"
_PLACES = ("/calendar/2026/03/", "/facets", "/sizes/nodes?n=10")


def _origin(request: Request) -> str:
    return f"{request.url.scheme}://{request.url.netloc}"


def urlset(addresses: Iterable[str]) -> str:
    entries = "".join(f"<url><loc>{address}</loc></url>\n" for address in addresses)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {_NAMESPACE}>\n{entries}</urlset>\n'


def index(addresses: Iterable[str]) -> str:
    entries = "".join(f"<sitemap><loc>{address}</loc></sitemap>\n" for address in addresses)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex {_NAMESPACE}>\n{entries}</sitemapindex>\n'


def _xml(text: str) -> Response:
    return Response(text, media_type=_XML)


def _pages(request: Request) -> str:
    return urlset(f"{_origin(request)}{place}" for place in _PLACES)


def _index(request: Request) -> Response:
    return _xml(
        index(f"{_origin(request)}/sitemaps/{name}" for name in ("pages.xml", "pages.xml.gz"))
    )


def _packed(request: Request) -> Response:
    return Response(gzip.compress(_pages(request).encode(), mtime=0), media_type=_GZIP)


def _huge(request: Request) -> Response:
    return _xml(
        urlset(f"{_origin(request)}/soft-404/{n}" for n in range(number(request, "n", 60_000)))
    )


def _recursive(request: Request) -> Response:
    return _xml(
        index(f"{_origin(request)}/sitemaps/{name}" for name in ("recursive.xml", "endless/0.xml"))
    )


def _endless(request: Request) -> Response:
    return _xml(index([f"{_origin(request)}/sitemaps/endless/{request.path_params['n'] + 1}.xml"]))


def _foreign(request: Request) -> Response:
    others = (
        "http://elsewhere.localhost:1/",
        "http://10.0.0.1/",
        "file:///etc/hostname",
        "javascript:alert(1)",
        "/relative",
        "",
    )
    return _xml(urlset((*others, f"{_origin(request)}/facets")))


def _bomb(_: Request) -> Response:
    block = (b"<url><loc>http://museum.localhost/facets</loc></url>\n" * (MEBIBYTE // 50))[
        :MEBIBYTE
    ]
    return Pour(b"", gzip_bomb(1024, block), content_type=_GZIP)


def _entities(_: Request) -> Response:
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    return _xml(
        f'<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY l0 "ha">{entities}]><urlset {_NAMESPACE}><url><loc>&l9;</loc></url></urlset>'
    )


_CUT = urlset(["http://museum.localhost/facets"]).replace(
    "</urlset>", "<url><loc>http://museum.localhost/a&b</loc"
)


def _sitemap(
    path: str,
    title: str,
    nastiness: str,
    expected: str,
    answer: Answer,
    *,
    content_type: str = _XML,
    pattern: str = "",
) -> Exhibit:
    return Exhibit(
        f"/sitemaps/{path}", title, nastiness, expected, "sitemap", answer, content_type=content_type, pattern=pattern
    )  # fmt: skip


HALL = Hall(
    "Sitemaps",
    (
        _sitemap("pages.xml", "Sitemap", "three pages", _SOUND, lambda request: _xml(_pages(request))),
        _sitemap("index.xml", "Sitemap index", "an index of two sitemaps with the same pages", f"{_SOUND}, each once", _index),
        _sitemap("pages.xml.gz", "Compressed sitemap", "the file itself is gzip, without Content-Encoding", _SOUND, _packed, content_type=_GZIP),
        _sitemap("pages.txt", "Text sitemap", "one address per line", _SOUND, lambda request: Response("\n".join(f"{_origin(request)}{place}" for place in _PLACES), media_type="text/plain"), content_type="text/plain; charset=utf-8"),
        _sitemap("huge.xml", "Huge sitemap", "60,000 addresses, more than the 50,000 a sitemap may have (n says how many)", _LIMIT, _huge),
        _sitemap("recursive.xml", "Recursive index", "an index that lists itself and an endless one", "a crawler reads each sitemap once and stops at its depth limit", _recursive),
        _sitemap("endless/0.xml", "Endless index", "each index lists one more index", "a crawler stops at its depth limit", _endless, pattern="/sitemaps/endless/{n:int}.xml"),
        _sitemap("foreign.xml", "Foreign addresses", "addresses of other hosts, private ones, other schemes and none", "a crawler takes only the address on this host", _foreign),
        _sitemap("malformed.xml", "Malformed sitemap", "the XML breaks off, with a bare ampersand", _ERROR, body(_CUT.encode(), _XML)),
        _sitemap("html.xml", "HTML in place of a sitemap", "an error page with status 200", _ERROR, body(b"<!doctype html><title>Oops</title><h1>Oops<br>", _XML)),
        _sitemap("cut.xml.gz", "Cut gzip", "gzip that breaks off", _ERROR, body(gzip.compress(urlset(["http://museum.localhost/facets"] * 999).encode(), mtime=0)[:-40], _GZIP), content_type=_GZIP),
        _sitemap("entities.xml", "Entity bomb", "XML entities that expand to a billion words", "a crawler refuses document types, or stops at its limit", _entities),
        _sitemap("bomb.xml.gz", "Gzip bomb", "a few megabytes of gzip that expand to a gigabyte", "a crawler stops expanding at its limit", _bomb, content_type=_GZIP),
    ),
)  # fmt: skip
