"""`webgeist.query`: ask a repository, a release, or the repository in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from webgeist.query.ask import Answer, Limits, ask
from webgeist.repository.release import Release
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from webgeist.repository.repository import Repository


def query(
    repository: Release | Repository | str | Path,
    dql: str | dict[str, Any],
    *,
    limits: Limits | None = None,
    scope: str | None = None,
) -> Answer:
    """The answer to a query: of a release, or of a repository's newest one."""
    if isinstance(repository, Release):
        return ask(repository, dql, limits=limits or Limits(), scope=scope)
    if isinstance(repository, (str, Path)):
        with open_repository(repository, readonly=True) as opened:
            return query(opened, dql, limits=limits, scope=scope)
    with repository.release() as release:
        return ask(release, dql, limits=limits or Limits(), scope=scope)
