"""Where notices go. A channel that returns has confirmed; otherwise it raises DeliveryError.

Keys name channels in state.db without their secrets: addresses of webhooks often are some.
"""

from __future__ import annotations

import json
import os
from hashlib import sha256
from typing import TYPE_CHECKING, BinaryIO, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from webgeist.watch.notices import Notice


class DeliveryError(Exception):
    """The notice did not get there, or nobody knows whether it did; the text says why."""


class Channel(Protocol):
    """`key` tells channels apart, also in later runs."""

    @property
    def key(self) -> str: ...

    async def deliver(self, notice: Notice) -> None: ...


class Console:
    """Tells whoever looks."""

    key = "console"

    def __init__(self, tell: Callable[[Notice], None]) -> None:
        self._tell = tell

    async def deliver(self, notice: Notice) -> None:
        try:
            self._tell(notice)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise DeliveryError(f"stdout: {error.strerror}") from error


class LinesFile:
    """A line of JSON for each notice, at the end of a file; on the disk when confirmed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.key = f"file {secret_name(str(path.absolute()))}"

    async def deliver(self, notice: Notice) -> None:
        line = json.dumps(notice.to_dict(), ensure_ascii=False).encode() + b"\n"
        try:
            with self._path.open("ab+") as file:
                file.write((b"\n" if _is_torn(file) else b"") + line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise DeliveryError(f"{self._path}: {error.strerror}") from error


def _is_torn(file: BinaryIO) -> bool:
    """Whether somebody died within the last line: what follows is to begin with one of its own."""
    if not file.seek(0, os.SEEK_END):
        return False
    file.seek(-1, os.SEEK_END)
    return file.read(1) != b"\n"


def secret_name(address: str) -> str:
    """A name for an address that must not be written down."""
    return sha256(address.encode()).hexdigest()[:12]
