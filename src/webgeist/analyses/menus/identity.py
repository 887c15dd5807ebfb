"""Which addresses mean the same page when links are compared. Pure.

Servers show one page under several names, and a saved copy has only one of them: http and https,
with and without `www.`, a slash or `index.html` at the end are not told apart.
"""

from __future__ import annotations

import re

_INDEX = re.compile(r"/(?:index|default)\.(?:x?html?|php|aspx?|jsp|cgi)$", re.IGNORECASE)
_ESCAPE = re.compile(r"%[0-9a-fA-F]{2}")
_SESSION = re.compile(  # a number that a server gives to each visitor
    r"(?<=[?&;])(?:(?:phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken)=[^&;#/?]*"
    r"|(?:sid|session|session_?id)=[0-9a-z]{16,})(?=[&;#/?]|$)",
    re.IGNORECASE,
)
_LEFT = re.compile(r"([?&])&+|;(?=[?;/]|$)")  # what is left where one was
_UNRESERVED = re.compile(r"[A-Za-z0-9\-._~]")


def page_key(url: str) -> str:
    """The same text for all addresses of a page: host, path and query in one form, without the
    numbers of sessions.
    """
    url = _without_session(url.partition("#")[0])
    rest = url.partition("://")[2] or url
    place, mark, query = rest.partition("?")
    host, slash, path = place.partition("/")
    host = host.lower().removeprefix("www.")
    path = _INDEX.sub("", slash + path).rstrip("/")
    if "%" in path:
        path = _ESCAPE.sub(_plain, path)
    return host + path + (mark + query if query else "")


def _without_session(url: str) -> str:
    if "=" not in url:
        return url
    kept, found = _SESSION.subn("", url)
    return _LEFT.sub(r"\1", kept).rstrip("?&;") if found else url


def _plain(match: re.Match[str]) -> str:
    letter = chr(int(match[0][1:], 16))
    return letter if _UNRESERVED.fullmatch(letter) else match[0].upper()


def host_key(url: str) -> str:
    """The same text for all addresses of a host."""
    return page_key(url).partition("/")[0]
