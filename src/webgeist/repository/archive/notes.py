"""What WARC has no place for: the metadata record of an exchange, one JSON value a line. Pure."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webgeist.capture.exchange import Tls
from webgeist.repository.archive.records import RecordError

if TYPE_CHECKING:
    from webgeist.capture.exchange import Exchange


@dataclass(frozen=True)
class Notes:
    """Which capture asked, in which place among its exchanges, and how it went.

    The last seven are as in `Exchange`. Unknown lines are passed over: a newer webgeist may add
    some.
    """

    capture: str
    number: int
    seconds: float
    truncated: str = ""
    error: str = ""
    refused: str = ""
    cause: str = ""
    address: str | None = None
    tls: Tls | None = None
    cached: bool = False


def notes_of(exchange: Exchange, capture: str) -> Notes:
    return Notes(
        capture=capture,
        number=exchange.number,
        seconds=exchange.seconds,
        truncated=exchange.truncated,
        error=exchange.error,
        refused=exchange.refused,
        cause=exchange.cause,
        address=exchange.address,
        tls=exchange.tls,
        cached=exchange.cached,
    )


def format_notes(notes: Notes) -> bytes:
    """As `application/warc-fields`; what is empty is left out."""
    given = {name: value for name, value in vars(notes).items() if value not in ("", None)}
    if not notes.cached:
        del given["cached"]
    if notes.tls:
        given["tls"] = vars(notes.tls)
    return "".join(f"{name}: {json.dumps(value)}\r\n" for name, value in given.items()).encode()


def parse_notes(block: bytes) -> Notes:
    try:
        lines = [line.partition(b":") for line in block.splitlines() if line]
        found: dict[str, Any] = {name.decode(): json.loads(value) for name, _, value in lines}
        tls = found.pop("tls", None)
        known = {name: found[name] for name in Notes.__dataclass_fields__ if name in found}
        return Notes(**known, tls=Tls(**tls) if tls else None)
    except (ValueError, TypeError) as error:
        raise RecordError(f"notes that cannot be read: {error}") from error
