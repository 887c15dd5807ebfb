"""Addresses on the second origin: whoever got one from the API may open it, for some time.

A frame or an image cannot send a token, so the address itself has to say that it may be opened.
"""

from __future__ import annotations

import hmac
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from secrets import token_bytes

from webgeist.errors import NotFoundError

_SECONDS = 12 * 3600
_FORM = re.compile(r"([0-9]{1,12})-([0-9]{1,12})-([0-9A-Z]{26})-([0-9a-f]{32})")


@dataclass(frozen=True)
class PageKey:
    """One capture as one release has it."""

    release: int
    capture: str


@dataclass(frozen=True)
class PageKeys:
    """Makes keys and checks them. The secret lives as long as the process."""

    secret: bytes = field(default_factory=lambda: token_bytes(32), repr=False)
    clock: Callable[[], float] = time.time

    def make(self, key: PageKey) -> str:
        said = f"{int(self.clock()) + _SECONDS}-{key.release}-{key.capture}"
        return f"{said}-{self._signature(said)}"

    def read(self, text: str) -> PageKey:
        """What a key stands for. NotFoundError where it is none of ours, or too old."""
        match = _FORM.fullmatch(text)
        said = text.rpartition("-")[0]
        if match is None or not hmac.compare_digest(self._signature(said), match[4]):
            raise NotFoundError("there is no such page", remedy="the API gives addresses of pages")
        if int(match[1]) < self.clock():
            raise NotFoundError("this address is too old", remedy="ask the API for a new one")
        return PageKey(int(match[2]), match[3])

    def _signature(self, said: str) -> str:
        return hmac.new(self.secret, said.encode(), sha256).hexdigest()[:32]
