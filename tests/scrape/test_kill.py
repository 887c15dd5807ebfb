"""A program that is killed at a write and started again: the rows of an unbroken run, each once.

Before every statement that changes the log, and before every commit, the process may die. A normal
run tries every fourth of these points, ./test -m slow all of them, and dying again and again.
"""

from __future__ import annotations

import threading
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa
from tests.repository.faulty import Counting, Killing, failure_points, run_until_killed
from tests.scrape.making import Lab

from webgeist.errors import NotFoundError
from webgeist.scrape.plain import Plain

if TYPE_CHECKING:
    from pathlib import Path

    from webgeist.scrape.run import Run

CITIES = {"Ulm": {"Ox": ["soup", "roast"], "Swan": ["tea"]}, "Bonn": {"Ox": ["soup", "cake"]}}
_CHANGES = ("BEGIN", "INSERT", "UPDATE", "DELETE", "CREATE")


class Work:
    """The program, on a disk that hears of every write of the log."""

    def __init__(self, store: Path, *, again: bool = False) -> None:
        self.lab = Lab(store)
        self._again = again

    def __call__(self, disk: Any) -> None:
        with Listening(disk), self.lab.run() as run:
            eat(run, run.runs(0) if self._again else None)


class Listening:
    """While it lasts, `disk` hears of the writes of this thread: when tables are made, and later."""

    def __init__(self, disk: Counting) -> None:
        self._disk = disk
        self._thread = threading.get_ident()
        self._execute, self._commit = Plain.execute, Plain.commit

    def __enter__(self) -> None:
        sa.event.listen(sa.Engine, "before_cursor_execute", self._executing)
        sa.event.listen(sa.Engine, "commit", self._committing)
        this = self

        def execute(plain: Plain, statement: Any, values: Any = None) -> Any:
            this._executing(None, None, " ".join(str(statement).split()))
            return this._execute(plain, statement, values)

        def commit(plain: Plain) -> None:
            this._committing(None)
            this._commit(plain)

        self._put(execute, commit)

    @staticmethod
    def _put(execute: Any, commit: Any) -> None:
        Plain.execute = execute  # type: ignore[method-assign]
        Plain.commit = commit  # type: ignore[method-assign]

    def __exit__(self, *_: object) -> None:
        sa.event.remove(sa.Engine, "before_cursor_execute", self._executing)
        sa.event.remove(sa.Engine, "commit", self._committing)
        self._put(self._execute, self._commit)

    def _executing(self, _c: object, _u: object, statement: str, *_: object) -> None:
        if statement.startswith(_CHANGES) and threading.get_ident() == self._thread:
            self._disk.reached(f"before_{statement.partition(' (')[0]}")

    def _committing(self, _: object) -> None:
        if threading.get_ident() == self._thread:
            self._disk.reached("before_commit")


def eat(run: Run, fresh: Any) -> None:
    options = {"fresh": fresh} if fresh else {}
    for city, places in CITIES.items():
        for _ in run.skip_block("City", city, **options):
            run.output(city=city)
            for place, dishes in places.items():
                for _ in run.skip_block("Place", place, within="City", **options):
                    for dish in dishes:
                        for _ in run.skip_block("Dish", dish, within="Place", **options):
                            run.output(city=city, place=place, dish=dish)
                            run.output(city=city, place=place, dish=dish, price=1)
                    run.output(place=place)


def held(lab: Lab) -> Counter[str]:
    return Counter(map(str, lab.rows()))


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Counter[str]:
    work = Work(tmp_path_factory.mktemp("unbroken") / "log.db")
    work(Counting())
    whole = held(work.lab)
    assert whole.total() == 2 + 3 + 2 * 5
    return whole


@pytest.fixture(scope="module")
def points(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    found = failure_points(Work(tmp_path_factory.mktemp("count") / "log.db"))
    assert {"before_commit", "before_INSERT INTO scrape_rows"} <= set(found)
    assert any("CREATE TABLE" in name for name in found)
    return found


def kill_at(numbers: range, folder: Path, unbroken: Counter[str]) -> None:
    for n in numbers:
        work = Work(folder / f"{n}.db")
        assert run_until_killed(work, n), "it was over before"
        work(Counting())
        assert held(work.lab) == unbroken, n


def test_killed_somewhere(points: list[str], unbroken: Counter[str], tmp_path: Path) -> None:
    kill_at(range(0, len(points), 4), tmp_path, unbroken)


@pytest.mark.slow
def test_killed_anywhere(points: list[str], unbroken: Counter[str], tmp_path: Path) -> None:
    kill_at(range(len(points)), tmp_path, unbroken)


@pytest.mark.parametrize("step", [7, 11])
def test_killed_again_and_again(tmp_path: Path, unbroken: Counter[str], step: int) -> None:
    """Each attempt comes a few writes further than the one before."""
    work = Work(tmp_path / "log.db")
    deaths = 0
    while run_until_killed(work, 20 + step * (deaths % 3)):
        deaths += 1
        assert deaths < 60
    assert deaths > 1
    assert held(work.lab) == unbroken


def test_killed_while_everything_is_refreshed(tmp_path: Path, unbroken: Counter[str]) -> None:
    """A second full run that is killed twice adds each row once more, and not twice."""
    work = Work(tmp_path / "log.db", again=True)
    work(Counting())
    for n in (25, 40):
        assert run_until_killed(work, n)
    work(Counting())
    assert held(work.lab) == unbroken + unbroken


def test_killing_kills(tmp_path: Path) -> None:
    """What the tests above rely on: a child that dies at a point leaves nothing behind it."""
    work = Work(tmp_path / "log.db")
    assert run_until_killed(work, 0, Killing)
    with pytest.raises(NotFoundError):
        work.lab.rows()
