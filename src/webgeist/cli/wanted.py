"""Which stored capture a user means: by id, by the beginning of one, or by address."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webgeist.repository.repository import Repository

WANTED = "A capture's id or its unique beginning, or a URL: its last capture."


def find_capture(repository: Repository, wanted: str) -> str:
    """The id of the capture that `wanted` means. NotFoundError, or UsageError if there are more."""
    from webgeist.errors import NotFoundError, UsageError
    from webgeist.repository.ids import capture_id, is_id

    if ":" in wanted:
        return capture_id(repository.latest(wanted).info)
    if is_id(wanted.upper()):
        return wanted.upper()
    ids = [entry.capture for entry in repository.captures()]
    found = [id_ for id_ in ids if id_.startswith(wanted.upper())]
    if not found:
        raise NotFoundError(
            f"there is no capture {wanted!r} in {repository.path}",
            remedy="give an id, or the URL as it was captured",
        )
    if len(found) > 1:
        raise UsageError(
            f"{len(found):,} captures begin with {wanted!r}, as {found[0]} and {found[1]} do",
            remedy="give more of the id",
        )
    return found[0]
