"""Hall: servers that say no, and walls that say "prove that you are human"."""

from __future__ import annotations

from starlette.responses import HTMLResponse

from webgeist.samples.museum.exhibit import Exhibit, Hall, html

_DIGEST = 'Digest realm="museum", qop="auth", algorithm=SHA-256, nonce="5ccc069c403ebaf9f0171e9517f40e41", opaque="museum"'

_STATUSES: tuple[tuple[int, str, dict[str, str], str], ...] = (
    (400, "Bad Request", {}, "reports 400 and does not ask again"),
    (403, "Forbidden", {}, "reports 403 and does not ask again"),
    (404, "Not Found", {}, "reports 404: the page is missing"),
    (405, "Method Not Allowed", {"allow": "POST"}, "reports 405 and does not ask again"),
    (410, "Gone", {}, "reports 410: the page is gone for good"),
    (418, "I'm a teapot", {}, "reports an unusual status as it is"),
    (
        429,
        "Too Many Requests",
        {"retry-after": "120"},
        "waits 120 seconds before the next request to the host",
    ),
    (451, "Unavailable For Legal Reasons", {}, "reports 451 and does not ask again"),
    (
        500,
        "Internal Server Error",
        {},
        "reports 500 and tries again later, a limited number of times",
    ),
    (502, "Bad Gateway", {}, "reports 502 and tries again later, a limited number of times"),
    (
        503,
        "Service Unavailable",
        {"retry-after": "Mon, 02 Mar 2026 10:00:00 GMT"},
        "waits until the date given",
    ),
    (504, "Gateway Timeout", {}, "reports 504 and tries again later, a limited number of times"),
)


def _refusal(
    path: str,
    status: int,
    title: str,
    *,
    nastiness: str,
    expected: str,
    text: str,
    headers: dict[str, str],
) -> Exhibit:
    content = html(title, text)
    return Exhibit(
        path,
        title,
        nastiness,
        expected,
        "refusal",
        lambda _: HTMLResponse(content, status, headers),
        status=status,
    )


def _status(status: int, reason: str, headers: dict[str, str], expected: str) -> Exhibit:
    told = "".join(f", with {name.title()}: {value}" for name, value in headers.items())
    return _refusal(
        f"/status/{status}",
        status,
        f"{status} {reason}",
        nastiness=f"the answer is {status}{told}, with a page that looks like content",
        expected=f"a client {expected}",
        text=f"<h1>{reason}</h1><p>This is an HTML page all the same.</p>",
        headers=headers,
    )


def _login(path: str, title: str, challenge: str) -> Exhibit:
    return _refusal(
        f"/status/401-{path}",
        401,
        title,
        nastiness=f"401 that asks for {title}: a browser opens a password dialog",
        expected="a client reports that a login is needed, and no dialog stops it",
        text="<h1>Members only</h1>",
        headers={"www-authenticate": challenge},
    )


def _wall(
    path: str, status: int, title: str, text: str, headers: dict[str, str] | None = None
) -> Exhibit:
    return _refusal(
        f"/walls/{path}",
        status,
        title,
        nastiness=f"a bot wall, sent with status {status} in place of the page",
        expected="a client reports a bot wall, not content and not a missing page",
        text=text,
        headers=headers or {},
    )


_LOGINS = (
    _login("basic", "Basic authentication", 'Basic realm="museum", charset="UTF-8"'),
    _login("digest", "Digest authentication", _DIGEST),
)

_WALLS = (
    _wall(
        "challenge",
        403,
        "Just a moment...",
        "<h1>museum.localhost</h1><h2>Checking if the site connection is secure</h2>"
        "<noscript>Enable JavaScript and cookies to continue</noscript>"
        '<div id="challenge-running"></div><p>Ray ID: 8f00ba4d1e55c0de</p>',
    ),
    _wall(
        "denied",
        403,
        "Access Denied",
        "<h1>Access Denied</h1><p>You don't have permission to access this page on this server.</p>"
        "<p>Reference #18.5e3c1502.1772442000.2b1d4f</p>",
    ),
    _wall(
        "captcha",
        200,
        "Verify you are human",
        "<h1>Please verify you are human</h1><p>Press and hold the button to continue.</p>"
        '<div class="captcha" data-sitekey="museum"><input type="checkbox"> I\'m not a robot</div>',
    ),
    _wall(
        "traffic",
        429,
        "Sorry...",
        "<h1>Our systems have detected unusual traffic from your computer network</h1>"
        "<p>To continue, please type the characters below.</p><form><input name=captcha></form>",
        {"retry-after": "3600"},
    ),
    _wall(
        "javascript",
        503,
        "DDoS protection",
        "<h1>Checking your browser before accessing museum.localhost</h1>"
        "<p>This process is automatic. Your browser will redirect to your requested content shortly.</p>"
        "<noscript>Please turn JavaScript on and reload the page.</noscript>",
    ),
    _wall(
        "blocked",
        200,
        "Pardon our interruption",
        "<h1>Pardon Our Interruption</h1><p>As you were browsing, something about your browser made us think "
        "you were a bot.</p><p>Incident ID: 1291000260-452</p>",
    ),
)

HALL = Hall("Refusals and walls", (*(_status(*record) for record in _STATUSES), *_LOGINS, *_WALLS))
