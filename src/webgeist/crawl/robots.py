"""What a host's robots.txt allows (RFC 9309). Pure: `politeness` says when, `fetch` how."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from typing import TYPE_CHECKING

from protego import Protego

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_BYTES = 512_000  # the standard's least: 500 KiB; more is not read
REDIRECTS = 5
PRODUCT = "webgeist"  # the name that rules are looked up by
_DAY = 24 * 3600.0
_RETRY = 300.0  # seconds after which a host that is in trouble is asked again
_NO_ANSWER = 30.0  # and one that cannot be reached


@dataclass(frozen=True)
class Robots:
    """A host's answer to /robots.txt. `status` is None where none came: `text` says why."""

    status: int | None
    text: str = ""

    @property
    def known(self) -> bool:
        """Whether the host has said what it allows. If not, nothing may be asked of it for now."""
        if self.status is None or self.status == HTTPStatus.TOO_MANY_REQUESTS:
            return False
        return self.status < HTTPStatus.INTERNAL_SERVER_ERROR

    @property
    def kept_seconds(self) -> float:
        """How long to go by it."""
        if self.status is None:
            return _NO_ANSWER
        return _DAY if self.known else _RETRY

    @property
    def reason(self) -> str:
        """Why nothing may be asked while it is not known."""
        return self.text or "no answer" if self.status is None else f"status {self.status}"

    def allows(self, url: str) -> bool:
        """Whether a page may be visited."""
        return self.known and (self._rules is None or self._rules.can_fetch(url, PRODUCT))

    @property
    def delay(self) -> float:
        """Seconds that the host wants between two pages; 0 if it does not say."""
        found = self._rules.crawl_delay(PRODUCT) if self._rules else None
        return max(0.0, float(found or 0.0))

    @property
    def sitemaps(self) -> Iterator[str]:
        return iter(self._rules.sitemaps if self._rules else ())

    @cached_property
    def _rules(self) -> Protego | None:
        """The rules, where there are any: a host that has no file forbids nothing."""
        if self.status is None or not HTTPStatus.OK <= self.status < HTTPStatus.MULTIPLE_CHOICES:
            return None
        return Protego.parse(self.text)


def decode(body: bytes) -> str:
    """The file as text: UTF-8 as the standard says, whatever else is in it."""
    return body[:MOST_BYTES].decode("utf-8-sig", "replace").replace("\0", "\ufffd")
