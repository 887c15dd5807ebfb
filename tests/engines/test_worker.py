"""One worker's work on captures that are not what they should be."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from webgeist.analyses.group import Group, Member
from webgeist.analyses.registry import analyses
from webgeist.engines.worker import analyse

if TYPE_CHECKING:
    from webgeist.repository.repository import Repository


def alone(repository: Repository, capture: str) -> Group:
    """A group of one, as single captures are looked at."""
    return Group("", (Member(capture, "", datetime.now(UTC)),), repository.capture)


def outcomes(repository: Repository) -> dict[str, tuple[str, str]]:
    known, _ = analyses(None)
    first = repository.captures()[0].capture
    made = [ended for ended, _ in analyse(alone(repository, first), list(known.values()))]
    return {ended.analysis: (ended.outcome, ended.reason) for ended in made}


def test_a_corrupt_picture_costs_what_needs_it(repository: Repository) -> None:
    for path in repository.layout.screenshots.glob("*/*.png"):
        path.write_bytes(path.read_bytes()[:60] + b"rubbish")
    found = outcomes(repository)
    assert found["blocks"] == ("ok", "")
    assert found["features"][0] == "failed"
    assert "image" in found["features"][1].lower() or "png" in found["features"][1].lower()


def test_a_missing_picture_is_told(repository: Repository) -> None:
    for path in repository.layout.screenshots.glob("*/*.png"):
        path.unlink()
    found = outcomes(repository)
    assert found["blocks"] == ("ok", "")
    assert found["features"][0] == "failed"
    assert "cannot be read: No such file" in found["features"][1]


def test_a_capture_that_is_gone_fails_them_all(repository: Repository) -> None:
    known, _ = analyses(None)
    made = [ended for ended, _ in analyse(alone(repository, "0" * 26), list(known.values()))]
    assert {ended.outcome for ended in made} == {"failed"}
    assert "there is no capture" in made[0].reason
