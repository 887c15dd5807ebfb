"""Data of a newer webgeist: refused in a sentence, and never touched."""

from __future__ import annotations

from webgeist.errors import DamagedError


class NewerVersionError(DamagedError):
    """Nothing is broken: a newer webgeist wrote this, and only that knows what it means."""

    def __init__(self, what: object, version: str) -> None:
        super().__init__(
            f"{what} was written by a newer webgeist ({version})",
            remedy="use that webgeist or a newer one",
        )
