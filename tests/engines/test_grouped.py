"""Analyses of whole hosts and pages: by real processes, which know them from the test's folder."""

from __future__ import annotations

import os
import sys
from collections import Counter
from importlib import import_module
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from tests.engines.conftest import PAGES
from tests.repository.making import make_capture

from webgeist.analyses import registry
from webgeist.engines.analysing import Analysing, _joined
from webgeist.repository.check import check

if TYPE_CHECKING:
    from pathlib import Path

    from webgeist.repository.repository import Repository

MODULE = """
import time

import pyarrow as pa
from webgeist.analyses import registry
from webgeist.analyses.group import Grain, GroupAnalysis

def words(group):
    found = group.shared("words", lambda: [
        (member.capture, len(subject.page.text(0).split())) for member, subject in group.subjects()
    ])
    return pa.table({"capture": [c for c, _ in found], "of": [len(found)] * len(found)})

def newest(group):
    return pa.table({"capture": [group.members[-1].capture], "of": [len(group.members)]})

def slow(group):
    for _ in group.subjects():
        time.sleep(0.5)
    return newest(group)

def hangs(group):
    time.sleep(1000)

SCHEMA = pa.schema([("of", pa.int32())])
OWN = (
    GroupAnalysis("words", "1", SCHEMA, words, Grain.HOST),
    GroupAnalysis("newest", "1", SCHEMA, newest, Grain.PAGE),
    GroupAnalysis("slow", "1", SCHEMA, slow, Grain.HOST),
    GroupAnalysis("hangs", "1", SCHEMA, hangs, Grain.HOST),
)
"""
CUSTOMIZE = "import grouped\nfrom webgeist.analyses import registry\nregistry._OWN = grouped.OWN\n"
NAMES = ("words", "newest")


@pytest.fixture(autouse=True)
def _known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers take over the analyses when they start; so does this process."""
    folder = tmp_path / "known"
    folder.mkdir()
    (folder / "grouped.py").write_text(MODULE)
    (folder / "sitecustomize.py").write_text(CUSTOMIZE)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
    monkeypatch.delitem(sys.modules, "grouped", raising=False)
    monkeypatch.setattr(registry, "_OWN", import_module("grouped").OWN)


def published(repository: Repository, name: str) -> list[tuple[str, int]]:
    repository.publish()
    with repository.release() as release:
        return [(row["capture"], row["of"]) for row in release.table(name).to_pylist()]


def test_a_host_is_looked_at_as_a_whole(repository: Repository) -> None:
    done = Analysing(repository, only=NAMES).run()
    assert done.outcomes == Counter({(name, "ok"): PAGES for name in NAMES})
    captures = [entry.capture for entry in repository.captures()]
    assert published(repository, "words") == [(capture, PAGES) for capture in captures]
    assert published(repository, "newest") == [(capture, 1) for capture in captures]
    assert len(Analysing(repository, only=NAMES)) == 0
    assert check(repository) == []


def test_a_new_capture_has_its_group_looked_at_anew(repository: Repository) -> None:
    first = repository.add(make_capture(8, url="http://h.test/p"))
    Analysing(repository, only=NAMES).run()
    before = dict(published(repository, "words"))
    assert dict(published(repository, "newest"))[first] == 1
    second = repository.add(make_capture(9, url="http://h.test/p"))
    again = Analysing(repository, only=NAMES)
    assert len(again) == (PAGES + 2) + 2  # all of the host, both of the page
    again.run()
    of_host = dict(published(repository, "words"))
    assert of_host == dict.fromkeys([*before, second], PAGES + 2)
    of_page = dict(published(repository, "newest"))
    assert of_page[second] == 2
    assert first not in of_page  # the older capture's row is gone from the release, too
    assert check(repository) == []


def test_hosts_lie_between_each_other(repository: Repository) -> None:
    for number in range(3):
        repository.add(make_capture(20 + number, url=f"http://other.test/{number}"))
        repository.add(make_capture(30 + number, url=f"http://h.test/x{number}"))
    Analysing(repository, only=["words"], workers=1).run()
    rows = published(repository, "words")
    assert [capture for capture, _ in rows] == sorted(capture for capture, _ in rows)
    assert Counter(of for _, of in rows) == Counter({PAGES + 3: PAGES + 3, 3: 3})


def test_who_goes_on_is_not_given_up_and_who_hangs_is(repository: Repository) -> None:
    done = Analysing(repository, only=["slow", "hangs"], seconds=1.5, workers=1).run()
    assert done.outcomes == Counter({("slow", "ok"): PAGES, ("hangs", "timeout"): PAGES})
    assert len(Analysing(repository, only=["slow", "hangs"])) == 0


def test_rows_of_groups_that_lie_between_each_other_are_sorted() -> None:
    def part(*captures: str) -> pa.Table:
        ids = pa.array(captures).dictionary_encode()
        return pa.table({"capture": ids, "of": [[captures[0]]] * len(captures)})

    joined = _joined([part("b", "d", "d"), part("a", "c", "e")])
    assert joined["capture"].to_pylist() == ["a", "b", "c", "d", "d", "e"]
    assert joined["of"].to_pylist() == [["a"], ["b"], ["a"], ["b"], ["b"], ["a"]]
