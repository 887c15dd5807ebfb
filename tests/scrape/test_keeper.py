"""What happens beside a run: the disk is waited for, and what goes wrong there ends the run."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from webgeist.errors import StorageError
from webgeist.scrape import keeper
from webgeist.scrape.sql_log import SqlLog

if TYPE_CHECKING:
    from tests.scrape.making import Lab

    from webgeist.scrape.log import Begun


class Watched(SqlLog):
    """Says when the disk was waited for, and fails then if it is told to."""

    said = threading.Event()
    broken = False

    def stay(self, begun: Begun) -> None:
        if self.broken:
            self.said.set()
            raise StorageError("the disk is gone")
        super().stay(begun)
        self.said.set()


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "SYNC_SECONDS", 0.01)
    Watched.said.clear()
    monkeypatch.setattr(Watched, "broken", False)


def test_what_was_not_waited_for_is_synced_soon(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper.Keeper, "wants_sync", lambda _: False)
    with lab.run(open_log=Watched) as run:
        run.skip("B", 1, lambda: run.output(a=1))
        assert Watched.said.wait(30)
    assert lab.rows() == [{"a": 1}]


def test_a_failure_beside_the_run_ends_it(lab: Lab) -> None:
    with lab.run(open_log=Watched) as run:
        session = run._session
        assert session
        Watched.broken = True
        session._keeper.wrote(durable=False)
        assert Watched.said.wait(30)
        session._keeper._thread.join(30)
        with pytest.raises(StorageError, match="the disk is gone"):
            run.skip("B", 1, lambda: None)
    assert lab.rows() == []
