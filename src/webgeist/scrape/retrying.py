"""Trying again after a site could not be reached: how often, after which waits and errors."""

from __future__ import annotations

import http.client
import socket
import ssl
import urllib.error
from dataclasses import dataclass

from webgeist.errors import UsageError

_OURS = (
    ConnectionError,
    TimeoutError,
    socket.gaierror,
    ssl.SSLError,
    urllib.error.URLError,
    http.client.HTTPException,
)
# What libraries raise that scrapers are written with. Named, because none of them is needed here.
_THEIRS = {
    ("playwright", "Error"),
    ("requests", "RequestException"),
    ("urllib3", "HTTPError"),
    ("httpx", "TransportError"),
    ("aiohttp", "ClientError"),
    ("selenium", "WebDriverException"),
}
_LONGEST_WAIT = 300.0


def is_access_failure(error: BaseException) -> bool:
    """Whether the site, or the way there, failed: what may work a moment later."""
    return isinstance(error, _OURS) or any(
        (kind.__module__.partition(".")[0], kind.__name__) in _THEIRS
        for kind in type(error).__mro__
    )


@dataclass(frozen=True, slots=True)
class Retries:
    """`times` more attempts; the wait before each is twice as long as the one before."""

    times: int = 0
    wait: float = 1.0

    def __post_init__(self) -> None:
        if self.times < 0 or not 0 <= self.wait < float("inf"):
            raise UsageError(f"{self} makes no sense", remedy="retries=3, or Retries(3, wait=1.0)")

    def pause(self, failures: int) -> float:
        """Seconds to wait after so many failures."""
        return min(self.wait * 2.0 ** (failures - 1), _LONGEST_WAIT)

    def again(self, error: BaseException, failures: int) -> bool:
        """Whether to try once more after this error, the `failures`-th in a row."""
        return failures <= self.times and is_access_failure(error)
