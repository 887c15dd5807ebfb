"""A stored record, read forwards and checked: nothing of it is believed before its digest was."""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from webgeist.errors import DamagedError, LimitError
from webgeist.repository.archive.http import HeadError
from webgeist.repository.archive.members import Member, MemberError
from webgeist.repository.archive.records import END, RecordError, parse_head

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_LONGEST_HEAD = 16 << 20  # Chromium's longest URL has 2 MB, and a revisit names two
MOST_BYTES = 16 << 30  # of a block: what claims to be larger is not expanded


@contextmanager
def reading(path: Path, offset: int) -> Iterator[None]:
    """Turn everything that can be wrong with a record into a DamagedError with its place."""
    try:
        yield
    except FileNotFoundError as error:
        raise DamagedError(f"{path} is missing") from error
    except OSError as error:
        raise DamagedError(f"{path} cannot be read: {error.strerror or error}") from error
    except (MemberError, RecordError, HeadError) as error:
        raise DamagedError(f"{path} is damaged at byte {offset:,}: {error}") from error


class OpenRecord:
    """The record at a place. Raises DamagedError; LimitError where its block is too large.

    Read the HTTP head first (where there is one), then the rest of the block, to its end.
    """

    def __init__(
        self, path: Path, offset: int, length: int | None = None, most_bytes: int = MOST_BYTES
    ) -> None:
        self.path = path
        self.offset = offset
        self._member = Member(path, offset, length)
        self._block_digest = hashlib.sha256()
        with reading(path, offset):
            self.head = parse_head(self._member.read_head(_LONGEST_HEAD))
        self.left = self.head.length
        if self.left > most_bytes:
            self.close()
            raise LimitError(
                f"the record at byte {offset:,} of {path} has {self.left:,} bytes, "
                f"more than {most_bytes:,}"
            )

    @property
    def end(self) -> int:
        """Where the next record begins, once this one was read."""
        return self._member.end

    def http_head(self) -> bytes:
        """The head of the stored message; the rest of the block is its body."""
        with reading(self.path, self.offset):
            head = self._member.read_head(_LONGEST_HEAD)
            self._take(head)
        return head

    def rest(self) -> Iterator[bytes]:
        """What is left of the block; lengths and digests are checked at its end."""
        payload_digest = hashlib.sha256()
        with reading(self.path, self.offset):
            for piece in self._member.read(self.left):
                self._take(piece)
                payload_digest.update(piece)
                yield piece
            self._member.finish(END)
            _check("block", self.head.get("WARC-Block-Digest"), self._block_digest.hexdigest())
            if self.head.kind != "revisit":
                stated = self.head.get("WARC-Payload-Digest")
                _check("payload", stated, payload_digest.hexdigest())

    @property
    def has_http_head(self) -> bool:
        return self.head.get("Content-Type").startswith("application/http")

    def skip(self) -> None:
        """Read to the end, for the checks alone."""
        if self.has_http_head:
            self.http_head()
        for _ in self.rest():
            pass

    def _take(self, piece: bytes) -> None:
        self.left -= len(piece)
        if self.left < 0:
            raise RecordError("the head is longer than the block")
        self._block_digest.update(piece)

    def close(self) -> None:
        self._member.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _check(what: str, stated: str, found: str) -> None:
    """Digests of another kind than ours, or none, cannot be checked: those are not our records."""
    if stated.startswith("sha256:") and stated != f"sha256:{found}":
        raise RecordError(f"its {what} is not what was written: {found}, not {stated}")
