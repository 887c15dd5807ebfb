"""Notices that wait, and what becomes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.repository.making import new_repository

from webgeist.watch import outbox
from webgeist.watch.channels import DeliveryError
from webgeist.watch.delivering import deliver
from webgeist.watch.notices import Notice, query_notice
from webgeist.watch.tables import OUTBOX

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webgeist.repository.repository import Repository

ONE, TWO = (Notice(id_, "change", "http://a.test/", "why", {"score": 1.0}) for id_ in "12")


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    with new_repository(tmp_path / "r") as made:
        yield made


class Box:
    """A channel that fails so often, or as if the program were killed after it took the notice."""

    def __init__(self, key: str, *, failures: int = 0, dies: bool = False) -> None:
        self.key = key
        self.got: list[str] = []
        self._failures = failures
        self._dies = dies

    async def deliver(self, notice: Notice) -> None:
        if self._failures:
            self._failures -= 1
            raise DeliveryError("not now")
        self.got.append(notice.id)
        if self._dies:
            self._dies = False
            raise KeyboardInterrupt


def _put(repository: Repository, *keys: str, now: float = 0.0) -> None:
    with repository.transaction() as connection:
        outbox.put(connection, [ONE, TWO], keys, now)


async def test_each_channel_gets_each_notice_once(repository: Repository) -> None:
    boxes = Box("a"), Box("b")
    _put(repository, "a", "b")
    _put(repository, "a", "b")
    for _ in range(2):
        await deliver(repository, boxes, lambda: 1.0, attempts=3)
    assert [box.got for box in boxes] == [["1", "2"], ["1", "2"]]


async def test_what_failed_is_tried_again_later_and_hinders_nobody_else(
    repository: Repository,
) -> None:
    bad, good = Box("bad", failures=1), Box("good")
    _put(repository, "bad", "good")
    done = await deliver(repository, [bad, good], lambda: 0.0, attempts=3)
    assert (done.sent, [each[2] for each in done.failures]) == (2, ["not now"])
    assert (bad.got, good.got) == ([], ["1", "2"])
    await deliver(repository, [bad, good], lambda: 59.0, attempts=3)
    assert bad.got == [], "both wait for a minute"
    await deliver(repository, [bad, good], lambda: 61.0, attempts=3)
    assert bad.got == ["1", "2"]


async def test_after_so_many_attempts_it_is_given_up(repository: Repository) -> None:
    bad, now = Box("bad", failures=99), 0.0
    _put(repository, "bad")
    given_up = 0
    for _ in range(9):
        given_up += (await deliver(repository, [bad], lambda at=now: at, attempts=3)).given_up  # type: ignore[misc]
        now += outbox.LONGEST_SECONDS
    assert given_up == 2
    with repository.transaction() as connection:
        rows = connection.execute(OUTBOX.select()).all()
    assert {(row.state, row.attempts, row.reason) for row in rows} == {("given-up", 3, "not now")}


async def test_who_dies_after_delivering_delivers_again_with_the_same_id(
    repository: Repository,
) -> None:
    box = Box("a", dies=True)
    _put(repository, "a")
    with pytest.raises(KeyboardInterrupt):
        await deliver(repository, [box], lambda: 0.0, attempts=3)
    await deliver(repository, [box], lambda: 0.0, attempts=3)
    assert box.got == ["1", "1", "2"]


async def test_a_clock_that_was_set_back_keeps_nothing_waiting(repository: Repository) -> None:
    box = Box("a")
    _put(repository, "a", now=10_000.0)
    await deliver(repository, [box], lambda: 10_000.0 - outbox.LONGEST_SECONDS - 1, attempts=3)
    assert box.got == ["1", "2"]


def test_channels_that_nobody_asked_for_this_time_keep_waiting(repository: Repository) -> None:
    _put(repository, "a", "b")
    with repository.transaction() as connection:
        assert {letter.channel for letter in outbox.due(connection, ["a"], 0.0)} == {"a"}
        assert outbox.waiting(connection) == {"a": (2, 0.0), "b": (2, 0.0)}


def test_pauses_grow_to_an_hour() -> None:
    assert [outbox.pause(n) for n in (1, 2, 3, 7, 99)] == [60, 120, 240, 3600, 3600]


def test_a_query_notice_says_what_came_and_went() -> None:
    notice = query_notice("q", ['{"a": 1}', '{"a": 2}'], ['{"a": 2}', '{"a": 2}', '{"a": 3}'])
    assert notice.reason == "2 rows came, 1 went, of 3 now"
    assert notice.facts == {"came": [{"a": 2}, {"a": 3}], "gone": [{"a": 1}]}
    assert notice.id != query_notice("q", ['{"a": 1}'], ['{"a": 3}']).id
