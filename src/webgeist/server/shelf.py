"""The releases that requests read: opened once, shared, and let go when nobody needs them."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webgeist.errors import NotFoundError
from webgeist.repository.readers import current_number, open_release

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from webgeist.repository.layout import Layout
    from webgeist.repository.release import Release
    from webgeist.server.workers import Workers


@dataclass
class _Opened:
    release: Release
    users: int = 0


class Shelf:
    """One release object for all requests that read it at the same time.

    The newest stays open between requests. An older one is closed with its last reader, so that an
    idle server keeps nobody from removing it. Belongs to one event loop. `prepare` is what is done
    with a release before anybody reads it.
    """

    def __init__(
        self, layout: Layout, workers: Workers, prepare: Callable[[Release], None] = lambda _: None
    ) -> None:
        self._layout = layout
        self._prepare = prepare
        self._workers = workers
        self._opened: dict[int, _Opened] = {}
        self._opening = asyncio.Lock()

    @asynccontextmanager
    async def holding(self, number: int | None = None) -> AsyncIterator[Release]:
        """A release, the newest by default. It neither changes nor goes while the block runs."""
        opened = await self._get(number)
        opened.users += 1
        try:
            yield opened.release
        finally:
            opened.users -= 1
            self.tidy()

    async def _get(self, number: int | None) -> _Opened:
        wanted = self._newest() if number is None else number
        if wanted in self._opened:
            return self._opened[wanted]
        async with self._opening:
            if wanted not in self._opened:
                release = await self._workers.run(lambda: self._open(number))
                wanted = release.number  # a newer one, if it was published just now
                self._opened.setdefault(wanted, _Opened(release))
            return self._opened[wanted]

    def _open(self, number: int | None) -> Release:
        release = open_release(self._layout, number)
        try:
            self._prepare(release)
        except BaseException:
            release.close()
            raise
        return release

    def _newest(self) -> int:
        newest = current_number(self._layout)
        if newest is None:
            raise NotFoundError("nothing was published yet", remedy="webgeist publish")
        return newest

    def tidy(self) -> None:
        """Let go of what nobody reads and is not the newest."""
        idle = [number for number, opened in self._opened.items() if not opened.users]
        if idle:
            newest = current_number(self._layout)
            for number in idle:
                if number != newest:
                    self._opened.pop(number).release.close()

    @property
    def held(self) -> list[int]:
        """The releases that are open."""
        return sorted(self._opened)

    def close(self) -> None:
        while self._opened:
            self._opened.popitem()[1].release.close()
