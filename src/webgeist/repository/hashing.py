"""A stream that knows the digest of what is written to it."""

from __future__ import annotations

import io
from hashlib import sha256
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class Hashing(io.RawIOBase):
    """Passes writes on, and knows the digest and size of all of them."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._sha256 = sha256()
        self.size = 0

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        self._stream.write(data)
        self._sha256.update(data)
        self.size += memoryview(data).nbytes
        return memoryview(data).nbytes

    @property
    def digest(self) -> str:
        return self._sha256.hexdigest()
