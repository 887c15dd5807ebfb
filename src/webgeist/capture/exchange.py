"""One HTTP exchange as it went over the wire: what the recorders make and the archive keeps."""

from __future__ import annotations

import hashlib
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol, Self, runtime_checkable

from webgeist.errors import writing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

_IN_MEMORY = 4 << 20
_CHUNK = 1 << 16

Headers = tuple[tuple[bytes, bytes], ...]  # names and values as sent, in order


class Spool:
    """A temporary file for the bodies of one page, in memory while it is small.

    One file for all: a page may have more bodies than a process may have open files. It goes with
    the last body that is closed. Threads may read it at the same time.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or Path(tempfile.gettempdir())
        self._file: IO[bytes] = tempfile.SpooledTemporaryFile(  # noqa: SIM115 - bodies close it
            _IN_MEMORY, dir=str(self._folder)
        )
        self._end = 0
        self._users = 0
        self._lock = threading.Lock()

    @classmethod
    def over(cls, file: IO[bytes]) -> Self:
        """The bodies are in this file already."""
        spool = cls()
        spool._file.close()
        spool._file = file
        return spool

    def open(self) -> Self:
        self._users += 1
        return self

    def append(self, data: bytes) -> int:
        """Where in the file `data` begins. StorageError if there is no room for it."""
        with self._lock, writing(self._folder):
            start = self._file.seek(self._end)
            self._file.write(data)
            self._end = start + len(data)
            return start

    def read(self, start: int, size: int) -> bytes:
        with self._lock:
            self._file.seek(start)
            return self._file.read(size)

    def close(self) -> None:
        self._users -= 1
        if self._users <= 0:
            self._file.close()


class Body:
    """The bytes of a message as sent: content-coded, no longer chunked, never whole in memory.

    Written once, then read as often as needed; gone with `close`.
    """

    def __init__(self, spool: Spool | None = None) -> None:
        self._spool = (spool or Spool()).open()
        self._closed = False
        self._pieces: list[tuple[int, int]] = []  # where they begin and end, neighbours as one
        self._sha256 = hashlib.sha256()
        self._known = ""  # its SHA-256, where it was written elsewhere
        self.size = 0

    @classmethod
    def at(cls, spool: Spool, start: int, end: int, sha256: str) -> Self:
        """A body that its spool has already."""
        body = cls(spool)
        body._pieces = [(start, end)]
        body._known = sha256
        body.size = end - start
        return body

    def copy(self, spool: Spool) -> Body:
        """The same bytes in this spool; in its own one they are there already."""
        body = Body(spool)
        if spool is self._spool:
            body._pieces, body.size = list(self._pieces), self.size
        else:
            for chunk in self.chunks():
                body._append(chunk)
        body._known = self.sha256
        return body

    def write(self, data: bytes) -> None:
        self._append(data)
        self._sha256.update(data)

    def _append(self, data: bytes) -> None:
        start = self._spool.append(data)
        end = start + len(data)
        if self._pieces and self._pieces[-1][1] == start:
            start = self._pieces.pop()[0]
        self._pieces.append((start, end))
        self.size += len(data)

    @property
    def sha256(self) -> str:
        """Of what was written so far, in hexadecimal."""
        return self._known or self._sha256.hexdigest()

    def chunks(self) -> Iterator[bytes]:
        for start, end in self._pieces:
            for at in range(start, end, _CHUNK):
                yield self._spool.read(at, min(_CHUNK, end - at))

    def read(self) -> bytes:
        return b"".join(self.chunks())

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._spool.close()


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

    Headers and `version` of the answer are as it came, those of the request as it went on to its
    origin. `url` and `method` are empty where the request could not be read. A web socket is its
    handshake (status 101), under its http address; its frames are not recorded.

    `truncated` is empty, or the WARC word for why the body is not whole: length (of the body, by
    our limit), time (ours was up), disconnect or unspecified. `refused` is the gate's sentence
    where the request was not let out. `cause` names the error as RFC 9209 does, as in dns_error.
    `decoded`: the body is what the content coding, which the headers still name, was undone to.
    `cached`: it was made for an earlier page, at its time; this one had it from Chromium's cache.
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
    cause: str = ""
    address: str | None = None
    tls: Tls | None = None
    decoded: bool = False
    cached: bool = False

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
        """All exchanges since `begin`, as asked for; what is under way is cut and marked."""
        ...

    async def close(self) -> None: ...


class Session(Protocol):
    """The line to one target of a tab: its page, a worker."""

    async def send(
        self, method: str, params: dict[str, Any] | None = None, *, seconds: float | None = None
    ) -> dict[str, Any]: ...

    def post(self, method: str, params: dict[str, Any] | None = None) -> None:
        """Send a command whose answer nobody waits for."""
        ...

    def listen(self, listener: Callable[[str, dict[str, Any]], None]) -> None:
        """Have every event of the target told to `listener`, too."""
        ...


@runtime_checkable
class Attendant(Protocol):
    """A slot that wants to see the tab's targets themselves, not only what they send."""

    def attend(self, session: Session) -> None:
        """Called for each target of the tab before it may run."""
        ...


@runtime_checkable
class Named(Protocol):
    """A recorder whose name a capture is to say, as in `proxy` or `browser`."""

    form: str


class Recorder(Protocol):
    """Records what tabs ask for. `arguments` are what Chromium must be started with for it."""

    @property
    def arguments(self) -> tuple[str, ...]: ...

    async def slot(self) -> Slot: ...

    async def close(self) -> None: ...
