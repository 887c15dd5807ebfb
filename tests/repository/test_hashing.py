"""A stream that knows the digest of what went through."""

from __future__ import annotations

import io
from hashlib import sha256

from webgeist.repository.hashing import Hashing


def test_what_is_written_is_passed_on_and_counted() -> None:
    target = io.BytesIO()
    hashing = Hashing(target)
    assert hashing.writable()
    assert hashing.write(b"ab") == 2
    assert hashing.write(memoryview(b"cdefgh").cast("H")) == 6, "bytes, not items"
    assert target.getvalue() == b"abcdefgh"
    assert (hashing.size, hashing.digest) == (8, sha256(b"abcdefgh").hexdigest())
