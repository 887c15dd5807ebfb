"""All ways out of a block's body, in all forms of blocks."""

from __future__ import annotations

import asyncio
import gc
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from tests.scrape.making import GoneError, Lab

from webgeist.scrape.retrying import Retries

if TYPE_CHECKING:
    from webgeist.scrape.run import Run


def leave_by_break(run: Run) -> None:
    for _ in run.skip_block("B", 1):
        run.output(lost=True)
        break


def leave_by_return(run: Run) -> None:
    for _ in run.skip_block("B", 1):
        run.output(lost=True)
        return


def leave_by_outer_continue(run: Run) -> None:
    for _ in range(1):
        for _ in run.skip_block("B", 1):
            run.output(lost=True)
            break
        else:
            raise AssertionError
        continue


def leave_by_exception(run: Run) -> None:
    with suppress(GoneError):
        for _ in run.skip_block("B", 1):
            run.output(lost=True)
            raise GoneError


def leave_by_exception_in_a_variable(run: Run) -> None:
    block = run.skip_block("B", 1)
    with suppress(GoneError):
        for _ in block:
            run.output(lost=True)
            raise GoneError


def leave_by_exception_inside(run: Run) -> None:
    with suppress(GoneError):
        for _ in run.skip_block("B", 1):
            run.output(lost=True)
            for _ in run.skip_block("C", 1):
                run.output(lost=True)
                raise GoneError


def leave_a_generator(run: Run) -> None:
    def pages() -> Any:
        for _ in run.skip_block("B", 1):
            run.output(lost=True)
            yield 1

    for _ in pages():
        break


LEAVINGS = [
    leave_by_break,
    leave_by_return,
    leave_by_outer_continue,
    leave_by_exception,
    leave_by_exception_in_a_variable,
    leave_by_exception_inside,
    leave_a_generator,
]


@pytest.mark.parametrize("leave", LEAVINGS, ids=lambda each: each.__name__)
def test_leaving_commits_nothing(lab: Lab, leave: Any) -> None:
    with lab.run() as run:
        leave(run)
        run.output(outside=True)
        assert run.skip("B", 1, lambda: run.output(again=True))
        run.skip("C", 1, lambda: None)
    assert lab.rows() == [{"outside": True}, {"again": True}]
    assert run.counts.abandoned >= 1


def test_continue_is_the_end_of_the_body(lab: Lab) -> None:
    with lab.run() as run:
        for _ in run.skip_block("B", 1):
            run.output(kept=True)
            if run.number:
                continue
        assert not run.skip("B", 1, lambda: None)
    assert lab.rows() == [{"kept": True}]


def test_a_block_kept_open_over_the_end_is_not_committed(lab: Lab) -> None:
    with lab.run() as run:
        block = iter(run.skip_block("B", 1))
        next(block)
        run.output(lost=True)
    with pytest.raises(RuntimeError):
        next(block)
    del block
    gc.collect()
    assert lab.rows() == []
    with lab.run() as run:
        assert run.skip("B", 1, lambda: None)


def test_an_inner_block_cannot_outlive_the_outer(lab: Lab) -> None:
    with lab.run() as run:
        for _ in run.skip_block("Outer", 1):
            inner = iter(run.skip_block("Inner", 1))
            next(inner)
        run.output(outside=True)
        with pytest.raises(RuntimeError, match="Inner ended after"):
            next(inner)
    assert lab.rows() == [{"outside": True}]


def test_a_block_is_used_once(lab: Lab) -> None:
    with lab.run() as run:
        block = run.skip_block("B", 1)
        assert len(list(block)) == 1
        assert list(block) == []


# --- functions and decorators ------------------------------------------------------------------


def test_a_function(lab: Lab) -> None:
    with lab.run() as run:
        assert run.skip("B", ("a", 1), lambda: run.output(n=1))
        assert not run.skip("B", ("a", 1), lambda: run.output(n=2))
        assert run.skip("B", ["a", 1], lambda: run.output(n=3))  # one attribute, a list
        with pytest.raises(GoneError):
            run.skip("C", 1, _fail)
        assert run.skip("C", 1, lambda: None)
    assert lab.rows() == [{"n": 1}, {"n": 3}]


def _fail() -> None:
    raise GoneError


def test_a_decorator(lab: Lab) -> None:
    with lab.run() as run:

        @run.block("Author", key=lambda name, **_: name)
        def author(name: str, *, papers: int) -> int:
            """Says how many."""
            run.output(name=name, papers=papers)
            return papers

        assert author("Ada", papers=2) == 2
        assert author("Ada", papers=3) is None
        assert author.__doc__ == "Says how many."
    assert lab.rows() == [{"name": "Ada", "papers": 2}]


# --- asynchronous ------------------------------------------------------------------------------


async def test_async_for(lab: Lab) -> None:
    async with lab.run() as run:
        async for _ in run.skip_block("A", 1):
            async for _ in run.skip_block("B", 1, within="A"):
                run.output(b=1)
            run.output(a=1)
        async for _ in run.skip_block("A", 1):
            raise AssertionError
    assert lab.rows() == [{"b": 1}, {"a": 1}]


async def test_leaving_an_async_for(lab: Lab) -> None:
    async with lab.run() as run:
        async for _ in run.skip_block("A", 1):
            run.output(lost=True)
            break
        with suppress(GoneError):
            async for _ in run.skip_block("A", 1):
                run.output(lost=True)
                raise GoneError
        run.output(outside=True)
        assert await run.skip("A", 1, _nothing)
    assert lab.rows() == [{"outside": True}]


async def _nothing() -> None:
    await asyncio.sleep(0)


async def test_tasks_are_inside_the_block_that_they_were_started_in(lab: Lab) -> None:
    async with lab.run() as run:

        async def paper(author: str, title: str) -> None:
            async for _ in run.skip_block("Paper", title, within="Author"):
                await asyncio.sleep(0)
                run.output(author=author, title=title)

        async def person(name: str) -> None:
            async for _ in run.skip_block("Author", name):
                await asyncio.gather(*(paper(name, title) for title in "abc"))
                run.output(author=name)

        await asyncio.gather(person("Ada"), person("Bob"))
    rows = lab.rows()
    assert len(rows) == 8
    assert rows.index({"author": "Ada"}) > rows.index({"author": "Ada", "title": "c"})


async def test_one_run_does_a_key_once_at_a_time(lab: Lab) -> None:
    async with lab.run() as run:

        async def body() -> None:
            await asyncio.sleep(0)
            run.output(row=1)

        done = await asyncio.gather(*(run.skip("B", 1, body) for _ in range(5)))
    assert sorted(done) == [False] * 4 + [True]
    assert lab.rows() == [{"row": 1}]


async def test_an_async_decorator(lab: Lab) -> None:
    async with lab.run() as run:

        @run.block("B", key=lambda number: number)
        async def body(number: int) -> int:
            await asyncio.sleep(0)
            return number

        assert [await body(number) for number in (1, 2, 1)] == [1, 2, None]


# --- attempts ----------------------------------------------------------------------------------


class Flaky:
    """Fails so many times."""

    def __init__(self, run: Run, times: int, error: Exception | None = None) -> None:
        self._run, self._left, self._error = run, times, error or GoneError()
        self.calls = 0

    def __call__(self) -> None:
        self.calls += 1
        self._run.output(call=self.calls)
        self._run.skip("Inner", 1, lambda: self._run.output(inner=True))
        if self._left:
            self._left -= 1
            raise self._error


def test_attempts(lab: Lab) -> None:
    with lab.run() as run:
        assert run.skip("B", 1, Flaky(run, 2), retries=3)
    assert lab.rows() == [{"inner": True}, {"call": 3}]
    assert lab.hands.slept == [1.0, 2.0]


def test_attempts_in_a_loop(lab: Lab) -> None:
    with lab.run() as run:
        body = Flaky(run, 1)
        for attempt in run.skip_block("B", 1, retries=Retries(1, wait=5)):
            with attempt:
                body()
    assert lab.rows() == [{"inner": True}, {"call": 2}]
    assert lab.hands.slept == [5.0]


async def test_attempts_asynchronously(lab: Lab) -> None:
    async with lab.run() as run:
        body = Flaky(run, 2)

        async def calling() -> None:
            body()

        assert await run.skip("B", 1, calling, retries=Retries(2, wait=0))
    assert lab.rows() == [{"inner": True}, {"call": 3}]


def test_attempts_end(lab: Lab) -> None:
    with pytest.raises(GoneError), lab.run() as run:
        run.skip("B", 1, Flaky(run, 3), retries=2)
    assert lab.rows() == [{"inner": True}]


def test_a_mistake_is_not_tried_again(lab: Lab) -> None:
    with lab.run() as run:
        body = Flaky(run, 1, KeyError("title"))
        with pytest.raises(KeyError):
            run.skip("B", 1, body, retries=5)
    assert body.calls == 1
    assert lab.hands.slept == []


def test_a_block_that_has_a_name_is_left_like_any_other(lab: Lab) -> None:
    with lab.run() as run:
        block = run.skip_block("B", 1)
        for _ in block:
            run.output(value="lost")
            break
        run.output(value="kept")
        for _ in run.skip_block("B", 2):
            run.output(value="done")
        assert not block.committed
    assert [row["value"] for row in lab.rows()] == ["kept", "done"]
