"""A sorted index in gzipped blocks, and the list of the blocks by their first keys (ZipNum). Pure.

A replay tool reads the short list (`index.idx`), and then only the block that it needs of the long
one (`index.cdx.gz`).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from webgeist.repository.archive.members import compress

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LINES = 300  # of a block, as cdxj-indexer writes them


@dataclass
class BlockIndex:
    """`blocks` gives `index.cdx.gz`; afterwards `summary` is `index.idx`."""

    lines: Sequence[bytes]
    _places: list[tuple[str, dict[str, str | int]]] = field(default_factory=list)

    def blocks(self) -> Iterator[bytes]:
        self._places.clear()
        offset = 0
        for first in range(0, len(self.lines), _LINES):
            block = b"".join(compress(self.lines[first : first + _LINES]))
            digest = f"sha256:{hashlib.sha256(block).hexdigest()}"
            place: dict[str, str | int] = {"offset": offset, "length": len(block), "digest": digest}
            self._places.append((self.lines[first].partition(b" {")[0].decode(), place))
            offset += len(block)
            yield block

    def summary(self) -> Iterator[bytes]:
        meta = {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}
        yield f"!meta 0 {json.dumps(meta)}\n".encode()
        for start, place in self._places:
            yield f"{start} {json.dumps(place)}\n".encode()
