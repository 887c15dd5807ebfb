"""What is kept of a page whose time is up, and how long its stages took."""

from __future__ import annotations

import pytest

from webgeist.capture.journal import Journal
from webgeist.capture.loaded import Loaded
from webgeist.capture.outcome import Outcome


@pytest.fixture
def loaded() -> Loaded:
    return Loaded(Journal("MAIN", request_limit=9, message_limit=9))


def test_a_page_without_nodes_when_time_is_up_is_a_timeout(loaded: Loaded) -> None:
    loaded.run_out("late")
    assert (loaded.outcome, loaded.reason) == (Outcome.TIMEOUT, "late")
    assert loaded.journal.messages == []


def test_a_page_with_nodes_is_kept_without_its_picture(loaded: Loaded) -> None:
    loaded.snapshot = b"{}"
    loaded.run_out("late")
    assert (loaded.outcome, loaded.reason) == (Outcome.OK, "")
    assert [(said.kind, said.text) for said in loaded.journal.messages] == [("no-picture", "late")]


def test_a_stage_is_told_and_timed_even_if_it_fails(loaded: Loaded) -> None:
    told: list[str] = []
    loaded.on_stage = told.append
    with loaded.stage("settle"):
        first = dict(loaded.stages_ms)
    with pytest.raises(ValueError, match="broken"), loaded.stage("settle"):
        raise ValueError("broken")
    assert (told, first, list(loaded.stages_ms)) == (["settle", "settle"], {}, ["settle"])
