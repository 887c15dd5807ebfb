"""One HTTP exchange as it went over the wire: what the recorders make and the archive keeps."""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

_IN_MEMORY = 256 * 1024
_CHUNK = 1 << 16

Headers = tuple[tuple[bytes, bytes], ...]  # names and values as sent, in order


class Body:
    """The bytes of a message as sent: content-coded, no longer chunked, never whole in memory.

    Written once, then read as often as needed; gone with `close`.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._file: IO[bytes] = tempfile.SpooledTemporaryFile(  # noqa: SIM115 - the owner closes it
            _IN_MEMORY, dir=str(folder) if folder else None
        )
        self._sha256 = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes) -> None:
        self._file.write(data)
        self._sha256.update(data)
        self.size += len(data)

    @property
    def sha256(self) -> str:
        """Of what was written so far, in hexadecimal."""
        return self._sha256.hexdigest()

    def chunks(self) -> Iterator[bytes]:
        self._file.seek(0)
        while data := self._file.read(_CHUNK):
            yield data

    def read(self) -> bytes:
        return b"".join(self.chunks())

    def close(self) -> None:
        self._file.close()


@dataclass(frozen=True)
class Tls:
    """What checking the origin's certificate gave. `problem` is empty where it is to be trusted."""

    problem: str
    protocol: str
    subject: str
    issuer: str
    expires: str


@dataclass(frozen=True)
class Exchange:
    """A request and its answer. `status` is None where no answer came; `error` says why.

    `truncated` is empty, or the WARC word for why the body is not whole: length, time, disconnect
    or unspecified. `refused` is the gate's sentence where the request was not let out.
    """

    number: int
    method: str
    url: str
    version: str
    request_headers: Headers
    request_body: Body
    started: datetime
    seconds: float
    status: int | None
    reason: str
    response_headers: Headers
    body: Body
    truncated: str = ""
    error: str = ""
    refused: str = ""
    address: str | None = None
    tls: Tls | None = None

    def close(self) -> None:
        self.request_body.close()
        self.body.close()


class Slot(Protocol):
    """One tab's way out. A tab loads one page at a time: what comes through belongs to it."""

    @property
    def proxy(self) -> str:
        """The proxy that the tab's context must use."""
        ...

    def begin(self) -> None:
        """What is recorded from now on belongs to the next page."""
        ...

    async def end(self) -> list[Exchange]:
        """All exchanges since `begin`, as they were asked for; what is under way is cut and marked."""
        ...

    async def close(self) -> None: ...


class Recorder(Protocol):
    """Records what tabs ask for. `arguments` are what Chromium must be started with for it."""

    @property
    def arguments(self) -> tuple[str, ...]: ...

    async def slot(self) -> Slot: ...

    async def close(self) -> None: ...
