"""Analyses of a whole repository: by real processes, with strangers' code in them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from tests.analyses.plugin_package import install
from tests.engines.conftest import PAGES
from tests.repository.making import make_capture

from webgeist.engines.analysing import Analysing
from webgeist.errors import NotFoundError
from webgeist.repository.check import check
from webgeist.repository.repository import open_repository
from webgeist.repository.results import TABLE

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

    from webgeist.repository.repository import Repository

VISUAL = ("blocks", "features", "pages", "descriptors")
SINGLE = (*VISUAL, "pagination", "block_types")
GROUPS = ("menus", "menu_items", "sites", "changes")
OWN = (*SINGLE, "metrics", *GROUPS)


def tables(repository: Repository) -> dict[str, list[dict[str, Any]]]:
    """What a release has of each analysis, without how long it took."""
    repository.publish()
    with repository.release() as release:
        found: dict[str, pa.Table] = {name: release.table(name) for name in VISUAL}
        return {name: table.to_pylist() for name, table in found.items()}


def test_what_is_missing_is_made_and_no_more(repository: Repository) -> None:
    first = Analysing(repository)
    assert len(first) == PAGES * len(OWN)
    done = first.run()
    assert done.outcomes == Counter({(name, "ok"): PAGES for name in OWN})
    assert not done.failed
    assert len(Analysing(repository)) == 0
    added = repository.add(make_capture(7, nodes=0))
    again = Analysing(repository)
    assert len(again) == len(OWN)
    assert again.run().outcomes == Counter(
        {(name, "nothing"): 1 for name in SINGLE}
        | {(name, "ok"): 1 for name in ("metrics", *GROUPS)}
    )
    repository.publish()
    with repository.release() as release:
        told = release.table(TABLE, captures=[added]).to_pylist()
        blocks = release.table("blocks")
    assert {row["reason"] for row in told} == {"no page: timeout", ""}
    assert len(set(blocks["capture"].to_pylist())) == PAGES
    assert check(repository) == []


def test_results_can_be_read_before_and_after_publishing(repository: Repository) -> None:
    capture = repository.captures()[0].capture
    with pytest.raises(NotFoundError, match="webgeist analyse"):
        repository.result("blocks", capture)
    Analysing(repository, only=["blocks"]).run()
    staged = repository.result("blocks", capture).to_pylist()
    repository.publish()
    assert repository.result("blocks", capture).to_pylist() == staged


def test_one_can_be_made_alone_or_anew(repository: Repository) -> None:
    assert len(Analysing(repository, only=["features"])) == PAGES
    Analysing(repository).run()
    before = tables(repository)
    anew = Analysing(repository, recompute=["blocks"])
    assert len(anew) == PAGES
    anew.run()
    assert tables(repository) == before


def test_an_unknown_one_is_told(repository: Repository) -> None:
    with pytest.raises(NotFoundError, match="menus, menu_items, sites, pagination, block_types"):
        Analysing(repository, only=["blocks", "features", "descriptors", "colours"])


def test_how_many_work_makes_no_difference(repository: Repository) -> None:
    Analysing(repository, workers=1).run()
    one = tables(repository)
    Analysing(repository, recompute=OWN, workers=3).run()
    assert tables(repository) == one


@pytest.fixture
def strangers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "plugins"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
    monkeypatch.delitem(sys.modules, "strange", raising=False)
    return folder


def test_what_a_plugin_does_wrong_stays_its_own(repository: Repository, strangers: Path) -> None:
    names = ("RAISES", "DIES", "HANGS", "SHORT", "OTHER", "GOOD")
    install(strangers, {name.lower(): f"strange:{name}" for name in names} | {"gone": "nowhere:X"})
    work = Analysing(repository, seconds=2.0)
    done = work.run()
    assert [plugin.name for plugin in done.broken] == ["gone"]
    assert done.outcomes == Counter(
        {(name, "ok"): PAGES for name in (*OWN, "features_corners")}
        | {(f"features_{name}", "failed"): PAGES for name in ("raises", "short", "other")}
        | {("features_hangs", "timeout"): PAGES, ("features_dies", "crashed"): PAGES}
    )
    repository.publish()
    with repository.release() as release:
        reasons = {row["analysis"]: row["reason"] for row in release.table(TABLE).to_pylist()}
        assert release.table("features_corners").num_rows == release.table("blocks").num_rows
    assert reasons["features_raises"] == "RuntimeError: no such luck"
    assert reasons["features_hangs"] == "no answer within 2 s"
    assert reasons["features_dies"] == "its process ended (code -9)"
    assert len(Analysing(repository, seconds=2.0)) == 0  # not tried again and again
    assert not _workers()


def _workers() -> list[psutil.Process]:
    """Worker processes that are still there."""
    below = psutil.Process().children(recursive=True)
    return [each for each in below if "webgeist.engines.worker" in " ".join(each.cmdline())]


SCRIPT = """
import sys
from webgeist.engines.analysing import Analysing
from webgeist.repository.repository import open_repository
with open_repository(sys.argv[1]) as repository:
    Analysing(repository, workers=2).run(lambda _: print(".", flush=True))
"""


@pytest.mark.parametrize("when", [0, 3, 9])
def test_a_killed_run_goes_on(repository: Repository, when: int) -> None:
    repository.close()
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(repository.path)], stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    for _ in range(when):
        process.stdout.readline()
    workers = psutil.Process(process.pid).children(recursive=True)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    _, alive = psutil.wait_procs(workers, timeout=30)
    assert not alive  # they cannot outlive their foreman
    with open_repository(repository.path) as again:
        Analysing(again).run()
        broken = tables(again)
        Analysing(again, recompute=OWN).run()
        assert tables(again) == broken
        assert check(again) == []


def test_an_error_in_the_loop_ends_the_workers(repository: Repository) -> None:
    def fail(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Analysing(repository).run(fail)
    deadline = time.monotonic() + 30
    while _workers() and time.monotonic() < deadline:
        os.sched_yield()
    assert not _workers()
    Analysing(repository).run()
    assert len(Analysing(repository)) == 0
