"""Where a request goes: scheme, host and port, as a request names them. Pure."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass

_DEFAULT_PORTS = {"http": 80, "https": 443}
_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~!$&'()*+,;=%-]+)(?::([0-9]{1,5}))?")
_PATH = re.compile(rb"[!\"$-~]+")  # printable, and no fragment
_HIGHEST_PORT = 65_535


class BadTargetError(Exception):
    """What is asked for is no address that a proxy may be asked for."""


@dataclass(frozen=True)
class Origin:
    scheme: str
    host: str  # lower case; an IPv6 address without its brackets
    port: int

    @property
    def authority(self) -> str:
        """Host and port as in an address: the scheme's own port is left out."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    def url(self, path: str = "/") -> str:
        return f"{self.scheme}://{self.authority}{path}"


def parse_authority(text: str, scheme: str, *, needs_port: bool = False) -> Origin:
    """`example.org`, `example.org:8080`, `[::1]:443`."""
    match = _AUTHORITY.fullmatch(text)
    if match is None or (needs_port and match[2] is None):
        raise BadTargetError(f"{text[:100]!r} is no host and port")
    port = int(match[2]) if match[2] else _DEFAULT_PORTS[scheme]
    host = match[1].strip("[]").lower()
    if not 0 < port <= _HIGHEST_PORT or (match[1][0] == "[" and not _is_ipv6(host)):
        raise BadTargetError(f"{text[:100]!r} is no host and port")
    return Origin(scheme, host, port)


def _is_ipv6(host: str) -> bool:
    try:
        ipaddress.IPv6Address(host)
    except ValueError:
        return False
    return True


def parse_target(target: bytes, tunnel: Origin | None) -> tuple[Origin, bytes]:
    """Who is asked, and for what. In a tunnel requests name a path only, elsewhere an address."""
    if tunnel is not None:
        if not target.startswith(b"/") and target != b"*":
            raise BadTargetError("a request through a tunnel must name a path")
        return tunnel, _checked_path(target)
    if target[:7].lower() != b"http://":
        raise BadTargetError("this is a proxy: a request must name a whole http address")
    return parse_address(target)


def parse_address(url: bytes) -> tuple[Origin, bytes]:
    """Who is asked, and for what, by an http or https address."""
    scheme, separator, rest = url.partition(b"://")
    name = scheme.decode("latin-1").lower()
    if not separator or name not in _DEFAULT_PORTS:
        raise BadTargetError(f"{url[:100]!r} is no http or https address")
    authority, _, path = rest.partition(b"/")
    authority, question, query = authority.partition(b"?")
    whole = b"/" + (question + query + (b"/" + path if path else b"") if question else path)
    return parse_authority(authority.decode("latin-1"), name), _checked_path(whole)


def _checked_path(path: bytes) -> bytes:
    if not _PATH.fullmatch(path):
        raise BadTargetError("a path must be of printable ASCII letters, without a fragment")
    return path
