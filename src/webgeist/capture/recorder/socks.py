"""The part of SOCKS5 (RFC 1928) that browsers speak: no authentication, and CONNECT. Pure.

Each parser takes all that was said so far. None means that there must be more to come.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass

_VERSION = 5
_CONNECT = 1
_NO_AUTHENTICATION = 0
_IPV4, _NAME, _IPV6 = 1, 3, 4
_LENGTHS = {_IPV4: 4, _IPV6: 16}
_HEAD = 4  # version, command, reserved, kind of address
_PORT = 2
_HOST = re.compile(rb"[!-~]+")

WELCOME = bytes((_VERSION, _NO_AUTHENTICATION))
UNWELCOME = bytes((_VERSION, 0xFF))
DONE, FAILED, PROHIBITED, REFUSED, BAD_COMMAND, BAD_ADDRESS = 0, 1, 2, 5, 7, 8


class BadSocksError(Exception):
    """Whoever came does not speak SOCKS5 as we do. `answer` is what to say before hanging up."""

    def __init__(self, sentence: str, answer: bytes = b"") -> None:
        super().__init__(sentence)
        self.answer = answer


@dataclass(frozen=True)
class Greeting:
    size: int


@dataclass(frozen=True)
class Request:
    """Where a client wants to be put through to. What is beyond `size` is meant for there."""

    size: int
    host: str  # lower case; an IPv6 address without brackets
    port: int


def greeting(said: bytes) -> Greeting | None:
    """The first words: ways of authentication, of which none at all must be one."""
    _check_version(said)
    if len(said) < _PORT or len(said) < (size := 2 + said[1]):
        return None
    if _NO_AUTHENTICATION not in said[2:size]:
        raise BadSocksError("it wants to authenticate itself", UNWELCOME)
    return Greeting(size)


def request(said: bytes) -> Request | None:
    """What is asked for after the greeting."""
    _check_version(said)
    if len(said) > 1 and said[1] != _CONNECT:
        raise BadSocksError(f"command {said[1]} is not CONNECT", reply(BAD_COMMAND))
    if len(said) <= _HEAD:
        return None
    kind = said[3]
    start = _HEAD + 1 if kind == _NAME else _HEAD
    end = start + (said[_HEAD] if kind == _NAME else _length(kind))
    size = end + _PORT
    if len(said) < size:
        return None
    return Request(size, _host(kind, said[start:end]), int.from_bytes(said[end:size], "big"))


def reply(code: int) -> bytes:
    """An answer to a request. Which address we are bound to is nobody's business."""
    return bytes((_VERSION, code, 0, _IPV4, 0, 0, 0, 0, 0, 0))


def _check_version(said: bytes) -> None:
    if said and said[0] != _VERSION:
        raise BadSocksError(f"version {said[0]} is not SOCKS5")


def _length(kind: int) -> int:
    if kind not in _LENGTHS:
        raise BadSocksError(f"{kind} is no kind of address", reply(BAD_ADDRESS))
    return _LENGTHS[kind]


def _host(kind: int, raw: bytes) -> str:
    if kind != _NAME:
        return str(ipaddress.ip_address(raw))
    if not _HOST.fullmatch(raw):
        raise BadSocksError(f"{raw[:100]!r} is no name of a host", reply(BAD_ADDRESS))
    return raw.decode("ascii").lower()
