"""What all requests of one application share, and how a request gets at it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Query, Request

from webgeist.repository.ids import is_id
from webgeist.repository.release import Release
from webgeist.repository.repository import Repository, open_repository
from webgeist.scrape.output import attach_output
from webgeist.scrape.sql_log import SqlLog
from webgeist.server.keys import PageKeys
from webgeist.server.problems import ProblemError
from webgeist.server.shelf import Shelf
from webgeist.server.workers import Workers
from webgeist.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Streams:
    """Counts the streams that are open."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.open = 0

    @contextmanager
    def one(self) -> Iterator[None]:
        """Another stream, as long as the block runs; a problem where there are too many."""
        if self.open >= self._most:
            raise ProblemError(
                503,
                f"{self.open} streams are open, and more are not allowed",
                remedy="wait until one has ended, or raise api.streams",
                headers={"retry-after": "10"},
            )
        self.open += 1
        try:
            yield
        finally:
            self.open -= 1


@dataclass
class Serving:
    """A repository and the means to answer from it: threads, open releases, open streams.

    `pages_port` is where captured HTML is shown; None where it is not.
    """

    repository: Repository
    settings: Settings
    quick: Workers
    slow: Workers
    shelf: Shelf
    streams: Streams
    keys: PageKeys = field(default_factory=PageKeys)
    pages_port: int | None = None

    def close(self) -> None:
        self.shelf.close()
        self.quick.close()
        self.slow.close()
        self.repository.close()


def open_serving(path: str | Path, settings: Settings) -> Serving:
    """Everything for serving the repository in a folder. NotFoundError where there is none, or no
    store of rows where the settings say so.
    """
    limits = settings.api
    if limits.output is not None:
        SqlLog(limits.output, create=False).close()  # now, and not when somebody asks
    repository = open_repository(path, readonly=True)
    waiting, seconds = limits.waiting, limits.waiting_seconds
    quick = Workers("quick", threads=limits.threads, waiting=waiting, seconds=seconds)
    slow = Workers("slow", threads=limits.queries, waiting=waiting, seconds=seconds)
    return Serving(
        repository,
        settings,
        quick,
        slow,
        Shelf(repository.layout, quick, lambda release: attach_output(release, limits.output)),
        Streams(limits.streams),
    )


def serving_of(request: Request) -> Serving:
    found: Serving = request.app.state.serving
    return found


Shared = Annotated[Serving, Depends(serving_of)]


async def _held(
    serving: Shared,
    release: Annotated[
        int | None,
        Query(
            ge=1,
            le=10**12,
            description="The release to read; the newest by default.",
            examples=[1],
        ),
    ] = None,
) -> AsyncIterator[Release]:
    """The request's one release, held until its answer has been sent."""
    async with serving.shelf.holding(release) as held:
        yield held


Held = Annotated[Release, Depends(_held)]


def capture_id(text: str, where: str = "path capture") -> str:
    """A capture's id as it came. What cannot be one is a mistake, not something to look for."""
    if not is_id(text):
        raise ProblemError(
            400,
            f"{text[:80]!r} is no capture's id",
            remedy="an id has 26 letters and digits; GET /v1/pages.json lists them",
            where=where,
        )
    return text
