"""A capture on its way from one process of ours to another: one file, bodies never in memory.

The file is eight bytes that say where the head begins, the bodies one after the other, the head.
"""

from __future__ import annotations

import pickle
import struct
from dataclasses import fields, replace
from typing import IO, TYPE_CHECKING, Any

from webgeist.capture.decode import MemoryParts
from webgeist.capture.exchange import Body, Exchange, Spool
from webgeist.capture.model import Capture

if TYPE_CHECKING:
    from pathlib import Path

_START = struct.Struct("<q")
_BODIES = ("request_body", "body")

Place = tuple[int, int, str]  # where a body begins, where it ends, its SHA-256


def pack(capture: Capture, path: Path) -> None:
    """Write a capture that was just made to a new file. Its exchanges stay with the caller."""
    if not isinstance(capture.parts, MemoryParts):
        raise TypeError("this capture was stored already")
    page = capture.parts.page_
    parts = replace(capture.parts, page_=page and replace(page))  # without what it has cached
    with path.open("xb") as file:
        file.write(bytes(_START.size))
        exchanges = [_pack_exchange(exchange, file) for exchange in capture.exchanges]
        start = file.tell()
        pickle.dump((capture.info, parts, exchanges), file, protocol=5)
        file.seek(0)
        file.write(_START.pack(start))


def unpack(path: Path) -> Capture:
    """The capture in a file of `pack`, which is removed; its bodies last until they are closed.

    Only for files that a process of ours has written to a folder of our own.
    """
    file = path.open("rb")
    spool = Spool.over(file).open()
    try:
        path.unlink()
        (start,) = _START.unpack(file.read(_START.size))
        file.seek(start)
        info, parts, packed = pickle.load(file)  # noqa: S301 - written by `pack` a moment ago
        exchanges = tuple(_unpack_exchange(spool, plain, places) for plain, places in packed)
    finally:
        spool.close()
    return Capture(info, parts, exchanges)


def _pack_exchange(exchange: Exchange, file: IO[bytes]) -> tuple[dict[str, Any], dict[str, Place]]:
    plain = {
        field.name: getattr(exchange, field.name)
        for field in fields(exchange)
        if field.name not in _BODIES
    }
    return plain, {name: _append(getattr(exchange, name), file) for name in _BODIES}


def _append(body: Body, file: IO[bytes]) -> Place:
    start = file.tell()
    for chunk in body.chunks():
        file.write(chunk)
    return start, file.tell(), body.sha256


def _unpack_exchange(spool: Spool, plain: dict[str, Any], places: dict[str, Place]) -> Exchange:
    bodies: dict[str, Any] = {name: Body.at(spool, *place) for name, place in places.items()}
    return Exchange(**plain | bodies)
