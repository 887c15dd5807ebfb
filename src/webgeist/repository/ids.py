"""Names of captures and batches: short, stable, and sorted by time.

A capture's id is made from what tells it apart, so the same capture always has the same id, in
every repository: 26 characters of Crockford's base 32 in the form of a ULID. The first ten are
the milliseconds since 1970, the other sixteen are 80 bits of BLAKE2b over time, requested URL and
viewport.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webgeist.capture.info import CaptureInfo

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_TIME_LENGTH, _HASH_LENGTH = 10, 16
LENGTH = _TIME_LENGTH + _HASH_LENGTH


def capture_id(info: CaptureInfo) -> str:
    """The id of the capture that `info` tells of."""
    view = info.viewport
    window = f"{view.name} {view.width}x{view.height}@{view.scale:g} {view.mobile}"
    identity = (info.time.astimezone(UTC).isoformat(), info.requested_url, window)
    return _id(info.time, "\n".join(identity))


def batch_id(captures: Iterable[str], time: datetime) -> str:
    """The id of a batch with these captures that is written at `time`."""
    return _id(time, "\n".join(captures))


def is_id(text: str) -> bool:
    return len(text) == LENGTH and all(letter in _ALPHABET for letter in text)


def _id(time: datetime, identity: str) -> str:
    digest = blake2b(identity.encode("utf-8", "surrogatepass"), digest_size=10).digest()
    milliseconds = (time - _EPOCH) // _MILLISECOND
    if milliseconds < 0:
        raise ValueError(f"{time} is before 1970")
    return _base32(milliseconds, _TIME_LENGTH) + _base32(int.from_bytes(digest), _HASH_LENGTH)


def _base32(number: int, length: int) -> str:
    letters = [_ALPHABET[number >> (5 * place) & 31] for place in range(length)]
    return "".join(reversed(letters))
