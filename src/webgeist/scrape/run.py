"""A run of a scraper: skip blocks and output rows, for any way of getting pages."""

from __future__ import annotations

import asyncio
import inspect
import time
from datetime import timedelta
from functools import wraps
from typing import TYPE_CHECKING, Any, Self, overload

from webgeist.errors import UsageError
from webgeist.scrape.blocks import Block, SkipBlock
from webgeist.scrape.freshness import ALWAYS, EVER, Freshness
from webgeist.scrape.holders import this_process
from webgeist.scrape.keys import check_name, make_key
from webgeist.scrape.retrying import Retries
from webgeist.scrape.rows import Draft, written
from webgeist.scrape.session import Counts, Session
from webgeist.scrape.sql_log import SqlLog

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    from webgeist.repository.repository import Repository
    from webgeist.scrape.duplicates import Duplicates
    from webgeist.scrape.export import ExportedRows
    from webgeist.scrape.fingerprint import Content
    from webgeist.scrape.log import Log
    from webgeist.scrape.rows import Row

__all__ = ["ALWAYS", "Retries", "Run"]


class Run:
    """A run of the program `name`, whose commit log and rows are in `store`.

    `store` is a SQLite file, which is made, or the address of a PostgreSQL database. Use it as a
    context manager, also with `async with`; a body that is left by an exception is a failed run,
    and the next one goes on where it stopped. Without, `rows` reads what is there.
    """

    def __init__(
        self,
        name: str,
        *,
        store: str | Path,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
        open_log: Callable[..., Log] = SqlLog,
    ) -> None:
        self.name = check_name("program", name)
        self._store = store
        self._clock = clock
        self._sleep = sleep
        self._open_log = open_log
        self._log: Log | None = None
        self._ended: Session | None = None
        self._session: Session | None = None

    # --- beginning and end ---------------------------------------------------------------------

    def __enter__(self) -> Self:
        if self._session is not None:
            raise RuntimeError("this run is under way already")
        self._log = self._open_log(self._store)
        try:
            begun = self._log.begin(self.name, self._clock(), this_process())
            self._session = Session(self._log, begun, self._clock, self._sleep)
        except BaseException:
            self._log.close()
            raise
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        session, log = self._under_way, self._log
        assert log is not None  # noqa: S101 - it was opened with the session
        self._ended, self._session, self._log = session, None, None
        try:
            session.end(reached=error is None)
        finally:
            log.close()

    async def __aenter__(self) -> Self:
        return await asyncio.to_thread(self.__enter__)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await asyncio.to_thread(self.__exit__, kind, error, traceback)

    @property
    def _under_way(self) -> Session:
        if self._session is None:
            raise RuntimeError(f'not under way: write with Run("{self.name}", store=…) as run:')
        return self._session

    @property
    def number(self) -> int:
        """The run's number in its log."""
        return self._under_way.begun.run

    @property
    def started(self) -> float:
        """When the run began, in seconds since 1970."""
        return self._under_way.started

    @property
    def counts(self) -> Counts:
        """Rows, and blocks that were committed, skipped, left; also after the end."""
        session = self._session or self._ended
        return session.counts if session else Counts()

    # --- blocks --------------------------------------------------------------------------------

    def skip_block(
        self,
        name: str,
        *attributes: object,
        within: str | Sequence[str] = (),
        fresh: Freshness = EVER,
        retries: int | Retries = 0,
    ) -> SkipBlock:
        """A loop whose body runs unless an object with these attributes was done before.

        Two objects are the same if all attributes are, and the blocks named by `within`, which
        are open around this one. The body's end commits it together with the rows that were put
        out directly in it; leaving the body in another way commits nothing of this block.
        """
        if not attributes:
            raise UsageError(
                f"block {name} has no attributes", remedy="name what tells objects apart"
            )
        if not isinstance(fresh, Freshness):
            raise UsageError(f"{fresh!r:.60} says not how fresh", remedy="fresh=run.last(days=7)")
        session = self._under_way
        names = [within] if isinstance(within, str) else list(within)
        above = session.ancestors(names, check_name("block", name))
        tries = retries if isinstance(retries, Retries) else Retries(retries)
        block = Block(make_key(name, attributes, above), fresh, tries)
        return SkipBlock(session, block)

    @overload
    def skip(
        self, name: str, key: object, body: Callable[[], Awaitable[object]], **options: Any
    ) -> Awaitable[bool]: ...
    @overload
    def skip(self, name: str, key: object, body: Callable[[], object], **options: Any) -> bool: ...
    def skip(self, name: str, key: object, body: Callable[[], object], **options: Any) -> Any:
        """Run `body` as a skip block; whether it ran. `key` is an attribute, or a tuple of them.

        Options are those of `skip_block`; an asynchronous body is to be awaited. With `retries`
        it is called again after a failure of the site.
        """
        block = self.skip_block(name, *(key if isinstance(key, tuple) else (key,)), **options)
        if inspect.iscoroutinefunction(body):
            return self._skip_async(block, body)
        for attempt in block:
            with attempt:
                body()
        return block.committed

    async def _skip_async(self, block: SkipBlock, body: Callable[[], Awaitable[object]]) -> bool:
        async for attempt in block:
            async with attempt:
                await body()
        return block.committed

    def block(
        self, name: str, *, key: Callable[..., object], **options: Any
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """A decorator: calls of the function are skip blocks, with the key that `key` makes of
        their arguments. A skipped call gives None.
        """

        def decorate(body: Callable[..., Any]) -> Callable[..., Any]:
            if inspect.iscoroutinefunction(body):

                @wraps(body)
                async def calling(*given: Any, **named: Any) -> Any:
                    results: list[Any] = [None]

                    async def keep() -> None:
                        results.append(await body(*given, **named))

                    await self.skip(name, key(*given, **named), keep, **options)
                    return results[-1]

                return calling

            @wraps(body)
            def call(*given: Any, **named: Any) -> Any:
                results: list[Any] = [None]
                made = key(*given, **named)
                self.skip(name, made, lambda: results.append(body(*given, **named)), **options)
                return results[-1]

            return call

        return decorate

    def stop_after_duplicates(self, most: int, *, block: str | None = None) -> Duplicates:
        """For loops over feeds: `for post in run.stop_after_duplicates(30).over(posts)`.

        Counted are the blocks directly inside the one that is open here, or those named `block`.
        """
        if most < 1:
            raise UsageError(f"a loop cannot stop after {most} duplicates", remedy="give 1 or more")
        return self._under_way.watch(most, block)

    # --- how fresh -----------------------------------------------------------------------------

    def last(
        self, *, days: float = 0, hours: float = 0, minutes: float = 0, weeks: float = 0
    ) -> Freshness:
        """Skip what was done in this time up to now."""
        span = timedelta(days=days, hours=hours, minutes=minutes, weeks=weeks).total_seconds()
        if span <= 0:
            raise UsageError("the time is empty", remedy="run.last(days=7); ALWAYS skips nothing")
        return Freshness(since=self._under_way.now() - span)

    def runs(self, full: int) -> Freshness:
        """Skip what was done since the given number of full runs before this one began.

        `run.runs(3)` is this run and the last three; `run.runs(0)` only goes on after failures.
        """
        if full < 0:
            raise UsageError(f"there are no {full} runs", remedy="run.runs(3), or run.runs(0)")
        return Freshness(logical=self._under_way.begun.logical - full)

    def unless_changed(
        self, content: Content, *, repository: Repository | None = None
    ) -> Freshness:
        """Skip while a page is what it was when the block was done: a capture, its URL, a text.

        Of captures in a repository an important change counts (`webgeist.compare`), of others any
        word or link. With a `repository`, a URL means its last capture there; else it is loaded.
        """
        from webgeist.scrape.unchanged import unchanged

        return unchanged(content, repository)

    # --- rows ----------------------------------------------------------------------------------

    def output(
        self,
        row: Mapping[str, object] | None = None,
        /,
        *,
        source: str | None = None,
        **columns: object,
    ) -> None:
        """Put out a row, as a dictionary, as named columns or both; `source` is its page's URL.

        It becomes permanent with the innermost block; outside of blocks at once.
        """
        values = {**(row or {}), **columns}
        if not values:
            raise UsageError("a row needs a column", remedy="run.output(title=…)")
        session = self._under_way
        session.output(Draft(written(values), source, session.now()))

    def export(
        self, folder: str | Path, *, form: str = "csv", overwrite: bool = False
    ) -> ExportedRows:
        """Write all permanent rows to a file in a folder, with a manifest.json.

        `form` is csv, jsonl, parquet or sqlite. All of it appears, or nothing.
        """
        from webgeist.scrape.export import export_rows

        return export_rows(self.name, self.rows, folder, form=form, overwrite=overwrite)

    def rows(self) -> Iterator[Row]:
        """The permanent rows of all runs of the program, in the order in which they became so."""
        if self._log is not None:
            self._under_way.sync()
            yield from self._log.rows(self.name)
            return
        log = self._open_log(self._store, create=False)
        try:
            yield from log.rows(self.name)
        finally:
            log.close()
