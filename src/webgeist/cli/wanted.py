"""Which stored capture a user means, and which part of it: by id or address, and a number."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webgeist.repository.release import Release
    from webgeist.repository.repository import Repository

WANTED = "A capture's id or its unique beginning, or a URL: its last capture."

# What may follow a capture: a node's number, or a block's behind a b. An address must have a path,
# or its port would do.
_PART = re.compile(
    r"(?P<capture>[0-9][0-9A-Za-z]*|[a-z][a-z0-9+.-]*:.*/.*):(?P<block>b?)(?P<number>[0-9]{1,9})"
)


@dataclass(frozen=True)
class Wanted:
    """A capture's id, and the number of a node or block of it where one is meant."""

    capture: str
    node: int | None = None
    block: int | None = None


def is_digest(wanted: str) -> bool:
    """Whether a resource is meant, by its SHA-256."""
    return re.fullmatch(r"[0-9a-fA-F]{64}", wanted) is not None


def find_part(repository: Repository, wanted: str, release: Release | None = None) -> Wanted:
    """The same for a capture, a node of it (CAPTURE:NODE), or a block of it (CAPTURE:bBLOCK)."""
    from webgeist.errors import NotFoundError

    part = _PART.fullmatch(wanted)
    if part is None:
        return Wanted(find_capture(repository, wanted, release))
    try:
        return Wanted(find_capture(repository, wanted, release))  # an address may end so
    except NotFoundError:
        id_ = find_capture(repository, part["capture"], release)
        number = int(part["number"])
        return Wanted(id_, block=number) if part["block"] else Wanted(id_, node=number)


def find_capture(repository: Repository, wanted: str, release: Release | None = None) -> str:
    """The id of the capture that `wanted` means. NotFoundError, or UsageError if there are more.

    It is looked for in a release, or else among all that was committed.
    """
    from webgeist.errors import NotFoundError, UsageError
    from webgeist.repository.ids import capture_id, is_id

    if ":" in wanted:
        return capture_id((release or repository).latest(wanted).info)
    if is_id(wanted.upper()):
        return wanted.upper()
    found = [id_ for id_ in _ids(repository, release) if id_.startswith(wanted.upper())]
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


def _ids(repository: Repository, release: Release | None) -> list[str]:
    if release is None:
        return [entry.capture for entry in repository.captures()]
    ids: list[str] = release.table("captures", ["capture"]).column("capture").to_pylist()
    return sorted(ids)
