"""Hall: robots.txt files, each at a host name of its own (robots-deny.localhost …), after RFC 9309.

Every such host has the same small site: `/`, `/public/page` and `/private/page`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from webgeist.samples.museum.bombs import gzip_bomb
from webgeist.samples.museum.endless import Pour, Silence, Trickle, forever
from webgeist.samples.museum.exhibit import Exhibit, Hall, body, html

if TYPE_CHECKING:
    from starlette.requests import Request

    from webgeist.samples.museum.exhibit import Answer

_TEXT = "text/plain; charset=utf-8"
_ALLOW = "User-agent: *\nAllow: /\n"
_SOME = "User-agent: *\nDisallow: /private/\n"
_ALL = "a crawler may visit everything"
_NONE = "a crawler visits nothing on this host, and reports that robots.txt forbids it"
_LATER = "a crawler visits nothing now, and asks for robots.txt again later"
_KEEPS_OUT = "a crawler stays out of /private/ and visits the rest"

_HUGE = _SOME + "# filling\n" * 60_000 + "User-agent: *\nDisallow: /public/\n"
_SITEMAPS = (
    "index.xml",
    "pages.xml.gz",
    "huge.xml",
    "recursive.xml",
    "malformed.xml",
    "bomb.xml.gz",
)


def host_of(request: Request) -> str:
    """The sample web's name for the host that was asked: "museum", "robots-deny" …"""
    return (request.url.hostname or "").removesuffix("localhost").removesuffix(".")


def _text(text: str, status: int = 200, **headers: str) -> Answer:
    return body(text.encode(), _TEXT, status, **headers)


def _with_sitemaps(request: Request) -> Response:
    lines = (f"Sitemap: {request.url.replace(path=f'/sitemaps/{name}')}\n" for name in _SITEMAPS)
    return PlainTextResponse(_ALLOW + "".join(lines))


def _elsewhere(request: Request) -> Response:
    target = request.url.replace(hostname="robots-deny.localhost")
    return Response(status_code=301, headers={"location": str(target)})


def _exhibit(
    name: str,
    nastiness: str,
    expected: str,
    answer: Answer,
    *,
    status: int = 200,
    content_type: str | None = _TEXT,
    ends: bool = True,
) -> Exhibit:
    return Exhibit(
        "/robots.txt", f"robots.txt: {name}", nastiness, expected, "robots", answer, status=status, content_type=content_type, ends=ends, host=f"robots-{name}"
    )  # fmt: skip


def _status(status: int, expected: str, **headers: str) -> Exhibit:
    answer = _text(f"status {status}\n", status, **headers)
    return _exhibit(
        str(status), f"robots.txt is answered with {status}", expected, answer, status=status
    )


EXHIBITS = (
    _exhibit("deny", "everything is forbidden", _NONE, _text("User-agent: *\nDisallow: /\n")),
    _exhibit("some", "/private/ is forbidden", _KEEPS_OUT, _text(_SOME)),
    _exhibit("empty", "an empty file", _ALL, _text("")),
    _status(401, _ALL),
    _status(403, _ALL),
    _status(404, _ALL),
    _status(410, _ALL),
    _status(429, _LATER, retry_after="60"),
    _status(500, _LATER),
    _status(503, _LATER, retry_after="60"),
    _exhibit("slow", "robots.txt comes a line at a time and never ends", _LATER, lambda _: Trickle(_SOME.encode(), forever(b"# more\n"), content_type=_TEXT), ends=False),
    _exhibit("silent", "robots.txt is never answered", _LATER, lambda _: Silence(), status=0, content_type=None, ends=False),
    _exhibit("huge", "600 kB; the rule against /public/ comes after the 500 KiB every crawler reads", _KEEPS_OUT, _text(_HUGE)),
    _exhibit("long-line", "one line of a megabyte, then a rule", _KEEPS_OUT, _text("# " + "x" * 1_000_000 + "\n" + _SOME)),
    _exhibit("bomb", "gzip that expands to a gigabyte", "a crawler reads up to its limit and goes on", lambda _: Pour(b"", gzip_bomb(1024), content_type=_TEXT, headers={"content-encoding": "gzip"})),
    _exhibit("html", "an HTML page with status 200 in place of the file", _ALL, body(html("Home", "<h1>Welcome</h1>").encode(), "text/html; charset=utf-8"), content_type="text/html; charset=utf-8"),
    _exhibit("binary", "bytes that are no text", _ALL, body(bytes(range(256)) * 4, "application/octet-stream"), content_type="application/octet-stream"),
    _exhibit("marks", "a byte order mark, three sorts of line ends, odd case and spaces", _KEEPS_OUT, _text("\ufeffUSER-AGENT :  *\r\ndisallow:/nothing/\rDISALLOW\t: /private/  # keep out\n")),
    _exhibit("utf-16", "the file is UTF-16", "a crawler does not fail, and finds no rule that it can read", body(_SOME.encode("utf-16"), _TEXT)),
    _exhibit("delay", "a crawl delay of a day", "a crawler caps the delay at its limit and says so", _text("User-agent: *\nCrawl-delay: 86400\n")),
    _exhibit("patterns", "wildcards, escapes and rules of which the longest wins", _KEEPS_OUT, _text("User-agent: *\nDisallow: /*/page$\nAllow: /public/*\nDisallow: /pr%69vate\nAllow: /\n")),
    _exhibit("groups", "several groups for the same agents, and rules before any group", _KEEPS_OUT, _text("Disallow: /public/\n\nUser-agent: other\nUser-agent: *\nDisallow: /private/\nUser-agent: another\nDisallow: /\n")),
    _exhibit("redirect", "robots.txt redirects to that of a host which forbids everything", _NONE, _elsewhere, status=301, content_type=None),
    _exhibit("loop", "robots.txt redirects to itself", _ALL, lambda _: Response(status_code=302, headers={"location": "/robots.txt"}), status=302, content_type=None),
    _exhibit("sitemaps", "lists every nasty sitemap of the museum", "a crawler reads each within its limits", _with_sitemaps),
)  # fmt: skip

_BY_HOST = {exhibit.host: exhibit for exhibit in EXHIBITS}
HOSTS = tuple(_BY_HOST)


async def robots_txt(request: Request) -> Response:
    exhibit = _BY_HOST.get(host_of(request))
    return exhibit.answer(request) if exhibit else PlainTextResponse(_ALLOW)


def front(request: Request) -> Response:
    """The home of such a host: one public and one private page to be visited or not."""
    links = '<a href="/public/page">public</a> <a href="/private/page">private</a>'
    return HTMLResponse(html(host_of(request), f"<h1>{host_of(request)}</h1><p>{links}</p>"))


async def _room(request: Request) -> Response:
    room = request.path_params["room"]
    return HTMLResponse(html(room, f"<h1>A {room} page</h1>"))


HALL = Hall(
    "robots.txt at other hosts",
    EXHIBITS,
    (
        Route("/robots.txt", robots_txt),
        Route("/{room:str}/page", _room),
    ),
)
