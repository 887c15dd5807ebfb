"""Hall: redirects that never arrive, or arrive where a client must not go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from webgeist.samples.museum.exhibit import Exhibit, Hall, html, page

if TYPE_CHECKING:
    from starlette.requests import Request

_PRIVATE = (
    ("private", "http://10.0.0.1/", "an address of a private network"),
    (
        "metadata",
        "http://169.254.169.254/latest/meta-data/",
        "the link-local address of cloud metadata",
    ),
    ("loopback", "http://127.0.0.1:9/", "a loopback port"),
    ("loopback-6", "http://[::1]:9/", "the IPv6 loopback address"),
    ("mapped", "http://[::ffff:10.0.0.1]/", "a private address written as IPv6"),
    ("decimal", "http://2130706433:9/", "a loopback address written as one number"),
)
_SCHEMES = (
    ("data", "data:text/html,<h1>from%20the%20header</h1>"),
    ("javascript", "javascript:alert(document.domain)"),
    ("file", "file:///etc/hostname"),
    ("about", "about:blank"),
    ("mailto", "mailto:curator@museum.localhost"),
    ("unknown", "museum-app://open/exhibit"),
)
_MALFORMED = (
    ("bad-address", "http://[not-an-address/"),
    ("bad-port", "http://museum.localhost:99999999/"),
    ("empty", ""),
    ("long", "/redirects/arrived?" + "x" * 20_000),
)


def _found(target: str | None, status: int = 302) -> Response:
    headers = {} if target is None else {"location": target}
    return HTMLResponse(html("Moved", "<h1>Moved</h1>"), status, headers)


def _redirect(path: str, title: str, nastiness: str, expected: str, target: str | None) -> Exhibit:
    return Exhibit(
        f"/redirects/{path}",
        title,
        nastiness,
        f"a client {expected}",
        "redirect",
        lambda _: _found(target),
        status=302,
    )


def _hop(request: Request) -> Response:
    return _found(f"/hop/{request.path_params['n'] + 1}")


async def _loop_back(_: Request) -> Response:
    return _found("/redirects/loop")


async def _second_of_two(_: Request) -> Response:
    return HTMLResponse(
        html(
            "Second of two",
            "<h1>Second</h1>",
            '<meta http-equiv="refresh" content="0;url=/redirects/refresh">',
        )
    )


_SERVER_SIDE = (
    _redirect("loop", "Redirect loop", "two addresses that redirect to each other", "reports a redirect loop", "/redirects/back"),
    _redirect("self", "Redirect to itself", "an address that redirects to itself", "reports a redirect loop", "/redirects/self"),
    Exhibit(
        "/hop/0",
        "Endless redirect",
        "each address redirects to a new one, for ever",
        "a client reports too many redirects after a limit",
        "redirect",
        _hop,
        status=302,
        pattern="/hop/{n:int}",
    ),
    _redirect("nowhere", "Redirect to nowhere", "302 without Location", "captures the page that came with it", None),
    *(
        _redirect(f"to-{name}", f"Redirect to {name}:", f"Location: {target}", "refuses to follow and reports the redirect", target)
        for name, target in _SCHEMES
    ),
    *(
        _redirect(f"to-{name}", f"Redirect to {title}", f"Location: {target}", "does not connect, and reports a refused address", target)
        for name, target, title in _PRIVATE
    ),
    *(
        _redirect(f"to-{name}", f"Redirect to an address that is {name}", "Location cannot be used as it stands", "reports what happened and does not fail", target)
        for name, target in _MALFORMED
    ),
)  # fmt: skip

_CLIENT_SIDE = (
    Exhibit(
        "/redirects/refresh",
        "Meta refresh loop",
        "two pages that refresh to each other at once",
        "a client reports a page that keeps navigating, and captures or gives up within its limit",
        "redirect",
        page(
            "First of two",
            "<h1>First</h1>",
            '<meta http-equiv="refresh" content="0;url=/redirects/refresh-back">',
        ),
    ),
    Exhibit(
        "/redirects/script",
        "Script navigation loop",
        "a script that navigates to a new address as soon as it runs",
        "a client reports a page that keeps navigating, and captures or gives up within its limit",
        "redirect",
        page(
            "Running away", "<script>location.href = '/redirects/script?' + Math.random()</script>"
        ),
    ),
    Exhibit(
        "/redirects/reload",
        "Reload loop",
        "a page that reloads itself when it has loaded",
        "a client reports a page that keeps navigating, and captures or gives up within its limit",
        "redirect",
        page(
            "Again",
            "<script>addEventListener('load', () => setTimeout(() => location.reload(), 0))</script>",
        ),
    ),
    Exhibit(
        "/redirects/history",
        "pushState storm",
        "a script that changes the address a thousand times a second without loading anything",
        "a client captures the page under the address it asked for and is not flooded",
        "redirect",
        page(
            "Storm",
            "<h1>Storm</h1><script>let n = 0; setInterval(() => {"
            " try { history.pushState({}, '', '/redirects/history/' + n++) } catch {} }, 1)</script>",
        ),
    ),
    Exhibit(
        "/redirects/hash",
        "Fragment storm",
        "a script that changes only the fragment, for ever",
        "a client treats it as one page",
        "redirect",
        page(
            "Fragments",
            "<h1>Fragments</h1><script>let n = 0; setInterval(() => { location.hash = n++ }, 1)</script>",
        ),
    ),
    Exhibit(
        "/redirects/frames",
        "Frame in itself",
        "a page that frames itself with a new address, without end",
        "a client captures a bounded number of frames",
        "redirect",
        page(
            "Frames",
            "<script>document.write(`<iframe src='/redirects/frames?${Math.random()}'></iframe>`)</script>",
        ),
    ),
)


async def _arrived(_: Request) -> Response:
    return HTMLResponse(html("Arrived", "<h1>Arrived</h1>"))


HALL = Hall(
    "Redirects",
    (*_SERVER_SIDE, *_CLIENT_SIDE),
    (
        Route("/redirects/back", _loop_back),
        Route("/redirects/refresh-back", _second_of_two),
        Route("/redirects/arrived", _arrived),
    ),
)
