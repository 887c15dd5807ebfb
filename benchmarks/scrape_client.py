"""Loads pages of boards.localhost by plain HTTP, and counts them: noise cannot decide then."""

from __future__ import annotations

import http.client
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from webgeist.samples.server import serve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webgeist.samples.server import SampleServer

_FORM = {"content-type": "application/x-www-form-urlencoded"}


class LoadError(ConnectionError):
    """A page did not come, or was not what was asked for."""


@dataclass
class Client:
    """`client("/ads?page=2")` is the text of a page; `loads` counts those that were asked for."""

    server: SampleServer
    seconds: float = 0.0
    loads: int = 0
    _connection: http.client.HTTPConnection = field(init=False)

    def __post_init__(self) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)

    def __call__(self, path: str) -> str:
        self.loads += 1
        time.sleep(self.seconds)
        status, text = self._ask("GET", path)
        if status != 200:
            raise LoadError(f"{path}: {status}")
        return text

    def fail_after(self, loads: int) -> None:
        """The page after so many more is an error."""
        self._ask("POST", "/control", urlencode({"after": loads, "how": "500"}))

    def _ask(self, method: str, path: str, body: str | None = None) -> tuple[int, str]:
        headers = {"host": f"boards.localhost:{self.server.port}"} | (_FORM if body else {})
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        return answer.status, answer.read().decode()


@contextmanager
def boards(seconds: float = 0.0) -> Iterator[tuple[Client, Path]]:
    """A sample web at day 0, whose pages take so long, and a folder for logs."""
    with serve() as server, TemporaryDirectory() as folder:
        yield Client(server, seconds), Path(folder)
