"""Which addresses are one page, and which belong together. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from ipaddress import ip_address
from typing import TYPE_CHECKING

from ada_url import URL
from publicsuffixlist import PublicSuffixList

if TYPE_CHECKING:
    from collections.abc import Iterable

_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_SCHEMES = frozenset({"http:", "https:"})


@dataclass(frozen=True)
class Address:
    """A canonical URL and its parts. `host` has the port unless it is the scheme's own."""

    url: str
    origin: str
    host: str
    path: str
    query: str

    @property
    def site(self) -> str:
        """The registrable domain; the host itself where there is none, as for an IP address."""
        return registrable(self.host)


def parse(url: str, ignored: Ignored | None = None) -> Address | None:
    """The canonical form of an absolute URL, or None where no page can be there.

    As the URL standard has it; besides, no fragment and no user, escapes in upper case and only
    where needed (RFC 3986, 6.2.2), no dot after the host, no empty query, no `ignored` parameters.
    The order of the query stays: servers may heed it.
    """
    try:
        parts = URL(url)
    except ValueError:
        return None
    if parts.protocol not in _SCHEMES or not parts.hostname.strip("."):
        return None
    host = parts.host.replace(parts.hostname, parts.hostname.rstrip("."), 1)
    path = _normal_escapes(parts.pathname)
    query = _normal_escapes(parts.search.removeprefix("?"))
    if ignored is not None:
        query = ignored.without(query)
    origin = f"{parts.protocol}//{host}"
    return Address(origin + path + (f"?{query}" if query else ""), origin, host, path, query)


def _normal_escapes(text: str) -> str:
    return _ESCAPE.sub(_normal_escape, text) if "%" in text else text


def _normal_escape(match: re.Match[str]) -> str:
    letter = chr(int(match[1], 16))
    return letter if letter in _UNRESERVED else match[0].upper()


class Ignored:
    """Names of query parameters that tell who came from where and not what is asked for.

    A name may end in `*`, as in utm_*.
    """

    def __init__(self, names: Iterable[str]) -> None:
        patterns = [re.escape(name).replace(r"\*", ".*") for name in names]
        self._names = re.compile("|".join(patterns), re.IGNORECASE) if patterns else None

    def without(self, query: str) -> str:
        if self._names is None or not query:
            return query
        kept = [pair for pair in query.split("&") if not self._names.fullmatch(_name(pair))]
        return "&".join(kept)


def _name(pair: str) -> str:
    return pair.partition("=")[0]


@lru_cache(100_000)
def registrable(host: str) -> str:
    """The domain that somebody registered: bbc.co.uk for news.bbc.co.uk:8080."""
    name = re.sub(r":\d+$", "", host)
    if _is_ip(name):
        return name
    return _suffixes().privatesuffix(name) or name


def _is_ip(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()
