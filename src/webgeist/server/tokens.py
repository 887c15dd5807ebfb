"""Who may ask: tokens with a scope, of which only hashes are stored.

A token is 256 random bits, so one SHA-256 of it cannot be turned back, and needs no salt.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from enum import IntEnum
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from secrets import token_urlsafe
from typing import TYPE_CHECKING

from webgeist.errors import SettingsError, UsageError, writing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_PREFIX = "webgeist_"
_LINE = re.compile(r"(read|write|admin) ([0-9a-f]{64}) ([\w.@-]{1,64})")
_NAME = re.compile(r"[\w.@-]{1,64}")
_MOST_BYTES = 1 << 20
_HEAD = "# One token a line: scope, SHA-256 of the token, name. webgeist token adds one.\n"


class Scope(IntEnum):
    """What a token is good for; each includes those before it."""

    READ = 1
    WRITE = 2
    ADMIN = 3


@dataclass(frozen=True)
class Token:
    scope: Scope
    digest: str
    name: str

    def line(self) -> str:
        return f"{self.scope.name.lower()} {self.digest} {self.name}\n"


def digest(secret: str) -> str:
    return sha256(secret.encode("utf-8", "replace")).hexdigest()


def parse_tokens(text: str, place: str) -> tuple[Token, ...]:
    """The tokens of a file. SettingsError names the line that is none."""
    return tuple(_parsed(text.splitlines(), place))


def _parsed(lines: Iterable[str], place: str) -> Iterator[Token]:
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise SettingsError(
                f"{place}: line {number} holds no token", remedy="webgeist token FILE makes one"
            )
        yield Token(Scope[match[1].upper()], match[2], match[3])


def find(tokens: Iterable[Token], secret: str) -> Token | None:
    """The token with this secret. All are compared, so the time says nothing of which."""
    wanted = digest(secret)
    found = None
    for token in tokens:
        if compare_digest(token.digest, wanted):
            found = token
    return found


class TokenFile:
    """The tokens in a file, read again when it has changed: what is taken out is no longer good."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen: tuple[int, int, int] | None = None
        self._tokens: tuple[Token, ...] = ()
        if not self.tokens():
            raise SettingsError(f"{path} holds no token", remedy=f"webgeist token {path}")

    def tokens(self) -> tuple[Token, ...]:
        """Those that are good now. SettingsError where the file cannot be read."""
        try:
            status = self.path.stat()
            seen = (status.st_mtime_ns, status.st_size, status.st_ino)
            if seen != self._seen:
                with self.path.open(encoding="utf-8", errors="replace") as file:
                    self._tokens = parse_tokens(file.read(_MOST_BYTES), str(self.path))
                self._seen = seen
        except OSError as error:
            raise SettingsError(
                f"cannot read tokens from {self.path}: {error.strerror}",
                remedy=f"webgeist token {self.path} makes one",
            ) from error
        return self._tokens


def add_token(path: Path, scope: Scope, name: str) -> str:
    """Make a token, add its hash to a file that only its owner may read, and return it.

    Nobody can find out the token afterwards. UsageError where the name is not a plain one, or
    another token has it.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name for a token", remedy="letters, digits, . _ @ -")
    known = TokenFile(path).tokens() if path.exists() and path.stat().st_size else ()
    if any(token.name == name for token in known):
        raise UsageError(f"{path} has a token called {name}", remedy="choose another --name")
    secret = _PREFIX + token_urlsafe(32)
    with writing(path):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            line = Token(scope, digest(secret), name).line()
            file.write(line if known else _HEAD + line)
    return secret
