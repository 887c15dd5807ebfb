"""SURT keys: URLs turned so that they sort by site, as archive tools sort them. Pure.

`http://www.example.org:80/B/../a?y=2&x=1#f` becomes `org,example)/a?x=1&y=2`. The rules are those
of the Internet Archive's canonicaliser (the `surt` package, which pywb and cdxj-indexer use): a
replay tool must compute the same key from the URL that it is asked for. Two URLs may have one key;
the index keeps the URL beside it.
"""

from __future__ import annotations

import re
import socket
from urllib.parse import quote_from_bytes

_PARTS = re.compile(rb"^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?")
_SAFE = b"!\"$&'()*+,-./:;<=>?@[\\]^_`{|}~"
_SPACES = re.compile(rb"[\n\r\t]")
_WWW = re.compile(rb"^www\d*\.")
_NUMERIC_HOST = re.compile(rb"^[0-9]+(\.[0-9]+){0,3}$")
_DEFAULT_PORTS = {b"http": b"80", b"https": b"443"}
_MOST_SESSION_BYTES = 8_192  # of a path that is searched for one: the patterns are quadratic
_ASPX_SESSIONS = (
    re.compile(rb"^(.*/)\((?:[a-z]\([0-9a-z]{24}\))+\)/([^?]+\.aspx.*)$", re.IGNORECASE),
    re.compile(rb"^(.*/)\([0-9a-z]{24}\)/([^?]+\.aspx.*)$", re.IGNORECASE),
)
_QUERY_SESSIONS = tuple(
    re.compile(rb"^(.*)(?:" + pattern + rb")(?:&(.*))?$", re.IGNORECASE)
    for pattern in (
        rb"jsessionid=[0-9a-zA-Z]{32}",
        rb"phpsessid=[0-9a-zA-Z]{32}",
        rb"sid=[0-9a-zA-Z]{32}",
        rb"ASPSESSIONID[a-zA-Z]{8}=[a-zA-Z]{24}",
    )
)
_ESCAPED = re.compile(rb"%[0-9a-fA-F]{2}")


def surt_key(url: str) -> str:
    """The key under which a URL stands in the index."""
    scheme, authority, path, query = _split(url.encode("utf-8", "replace"))
    if not authority:
        return _escape(url.encode("utf-8", "replace")).decode("ascii")
    host, port = _host_and_port(authority)
    key = b",".join(reversed(_canonical_host(host).split(b".")))
    if port and port != _DEFAULT_PORTS.get(scheme.lower()):
        key += b":" + port
    key += b")" + _canonical_path(path)
    if canonical := _canonical_query(query):
        key += b"?" + canonical
    return key.decode("ascii")


def _split(url: bytes) -> tuple[bytes, bytes, bytes, bytes]:
    found = _PARTS.match(_SPACES.sub(b"", url.strip()))
    scheme, authority, path, query = found.groups(b"") if found else (b"", b"", b"", b"")
    return scheme, authority, path, query


def _host_and_port(authority: bytes) -> tuple[bytes, bytes]:
    place = authority.rpartition(b"@")[2]
    host, colon, port = place.rpartition(b":")
    if not colon or (port and not port.isdigit()):
        return place.strip(b"[]"), b""
    return host.strip(b"[]"), port.lstrip(b"0")


def _canonical_host(host: bytes) -> bytes:
    host = _unescape(host)
    if not host.isascii():
        try:
            host = host.decode("utf-8", "ignore").encode("idna")
        except ValueError:  # no name that could be looked up: kept escaped
            return _escape(host.lower())
    host = host.replace(b"..", b".").strip(b".")
    if _NUMERIC_HOST.match(host):
        return _plain_address(host)
    return _WWW.sub(b"", _escape(host.lower()))


def _plain_address(host: bytes) -> bytes:
    """An IPv4 address in any of its spellings, as four decimal numbers."""
    if host.isdigit():
        return socket.inet_ntoa((int(host) & 0xFFFFFFFF).to_bytes(4, "big")).encode()
    try:
        return socket.inet_ntoa(socket.inet_aton(host.decode())).encode()
    except OSError:
        return host


def _canonical_path(path: bytes) -> bytes:
    path = _escape(_without_dots(_unescape(path))).lower()
    for pattern in _ASPX_SESSIONS if len(path) <= _MOST_SESSION_BYTES else ():
        path = pattern.sub(rb"\1\2", path)
    return path[:-1] if path.endswith(b"/") and len(path) > 1 else path


def _without_dots(path: bytes) -> bytes:
    kept: list[bytes] = []
    for part in path.split(b"/")[1:]:
        if part == b".." and kept:
            kept.pop()
        elif part != b".":
            kept.append(part)
    return b"/" + b"".join(part + b"/" for part in kept[:-1] if part) + b"".join(kept[-1:])


def _canonical_query(query: bytes) -> bytes:
    query = _escape(_unescape(query))
    for pattern in _QUERY_SESSIONS:
        query = pattern.sub(lambda found: found[1] + (found[2] or b""), query)
    parts = _without_cold_fusion(query.lower().split(b"&"))
    return b"&".join(b"=".join(pair) for pair in sorted(part.split(b"=", 1) for part in parts))


def _without_cold_fusion(parts: list[bytes]) -> list[bytes]:
    """Without the last `cfid=…&cftoken=…`; what stands before it in its part joins what follows."""
    for place in reversed(range(len(parts) - 1)):
        start = parts[place].rfind(b"cfid=", 0, -1)
        if start >= 0 and re.match(rb"cftoken=.", parts[place + 1]):
            rest = parts[place + 2 :] or [b""]
            return [*parts[:place], parts[place][:start] + rest[0], *rest[1:]]
    return parts


def _escape(text: bytes) -> bytes:
    return quote_from_bytes(text, safe=_SAFE).encode()


def _unescape(text: bytes) -> bytes:
    """Percent-decoded until nothing changes, in one walk: a URL may be escaped a million times."""
    if not _ESCAPED.search(text):
        return text
    plain = bytearray()
    for byte in text:
        plain.append(byte)
        while plain[-3:-2] == b"%" and _ESCAPED.match(plain, len(plain) - 3):
            plain[-3:] = bytes([int(plain[-2:], 16)])
    return bytes(plain)
