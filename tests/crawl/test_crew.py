"""Worker processes: they capture, they die, they are replaced, they end."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import psutil
import pytest
from tests.crawl.test_run import page, repository, states

from webgeist.capture.metric_files import Metric, Metrics
from webgeist.capture.outcome import Outcome
from webgeist.crawl.crew import Crew
from webgeist.crawl.plan import Bounds, Plan
from webgeist.crawl.run import Crawl, End
from webgeist.crawl.visitor import LostError
from webgeist.errors import BrowserError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import SettingsMaker, Site

    from webgeist.repository.repository import Repository

__all__ = ["repository"]  # a fixture


def workers() -> list[psutil.Process]:
    children = psutil.Process().children()
    return [child for child in children if "webgeist.crawl.worker" in child.cmdline()]


@pytest.fixture
def crew(make_settings: SettingsMaker, tmp_path: Path) -> Crew:
    return Crew(make_settings(), tmp_path, "webgeist/test", 2)


async def test_each_worker_captures_and_all_end(crew: Crew, site: Site) -> None:
    urls = [site.add(f"/{number}", f"<title>page {number}</title>") for number in range(3)]
    async with crew:
        taken = await asyncio.gather(*(crew.capture(url, "desktop", None) for url in urls))
        assert len(workers()) == 2
    assert workers() == []
    for number, capture in enumerate(taken):
        assert capture.info.metadata is not None
        assert capture.info.metadata.title == f"page {number}"
        assert capture.info.recorder == "proxy"
        assert [exchange.status for exchange in capture.exchanges] == [200]
        capture.close()


async def test_a_worker_that_dies_is_replaced(crew: Crew, site: Site) -> None:
    slow = site.add("/slow", status=None)
    async with crew:
        capturing = asyncio.create_task(crew.capture(slow, "desktop", None))
        await asyncio.to_thread(site.asked["/slow"].wait)
        (worker,) = workers()
        family = worker.children(recursive=True)
        os.kill(worker.pid, signal.SIGKILL)
        with pytest.raises(LostError, match="its worker ended"):
            await capturing
        assert psutil.wait_procs(family, timeout=20)[1] == []  # its Chromium ends with it
        taken = await crew.capture(site.add("/", "<p>words"), "desktop", None)
        assert taken.ok
        taken.close()


async def test_a_worker_that_hangs_is_ended(
    crew: Crew, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with crew:
        (await crew.capture(site.add("/", "<p>words"), "desktop", None)).close()
        (worker,) = workers()
        worker.suspend()
        monkeypatch.setattr(crew, "_seconds", 0.2)
        with pytest.raises(LostError, match="did not answer"):
            await crew.capture(site.url("/"), "desktop", None)
        assert psutil.wait_procs([worker], timeout=20)[1] == []


async def test_a_worker_that_has_no_tab_free_is_not_taken_for_one_that_hangs(
    make_settings: SettingsMaker, tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two pages that take all their time, one after the other in the only tab."""
    monkeypatch.setattr("webgeist.crawl.crew._GRACE_SECONDS", 5.0)
    settings = make_settings(
        limits={"navigation_seconds": 8, "capture_seconds": 9},
        crawl={"tabs": 1},
        browser={"command_seconds": 20},
    )
    urls = [site.add(path, status=None) for path in ("/1", "/2")]
    async with Crew(settings, tmp_path, "webgeist/test", 1) as crew:
        taken = await asyncio.gather(*(crew.capture(url, "desktop", None) for url in urls))
    assert [each.info.outcome for each in taken] == [Outcome.TIMEOUT, Outcome.TIMEOUT]
    for capture in taken:
        capture.close()


async def test_what_keeps_a_worker_from_working_is_told(
    make_settings: SettingsMaker, tmp_path: Path
) -> None:
    settings = make_settings(browser={"executable": "/nowhere"})
    async with Crew(settings, tmp_path, "", 1) as crew:
        with pytest.raises(BrowserError, match="/nowhere"):
            await crew.capture("http://127.0.0.1:1/", "desktop", None)


async def test_a_crawl_goes_on_when_a_worker_dies(
    site: Site, repository: Repository, make_settings: SettingsMaker
) -> None:
    settings = make_settings(crawl={"delay_seconds": 0, "workers": 2, "tabs": 1})
    seed = site.add("/", page("/slow", "/a"))
    site.add("/a", page())
    site.add("/slow", status=None)
    crawl = Crawl(repository, Plan((seed,)), Bounds(), settings)
    running = asyncio.create_task(crawl.run())
    await asyncio.to_thread(site.asked["/slow"].wait)
    site.add("/slow", page())
    for worker in workers():
        worker.kill()
    assert await running is End.COMPLETE
    assert set(states(repository).values()) == {("done", "")}
    assert len(repository) == 3


async def test_all_workers_run_the_metrics_of_the_start(
    make_settings: SettingsMaker, tmp_path: Path, site: Site
) -> None:
    """Also more of them than one line of orders may hold."""
    many = [Metric(f"m{number:02}", f"// {'x' * 200_000}\n{number}") for number in range(12)]
    metrics = Metrics(tuple(many), {"bad": "it is not UTF-8 (line 1)"})
    urls = [site.add(f"/{number}", "<p>words") for number in range(2)]
    async with Crew(make_settings(), tmp_path, "", 2, metrics) as crew:
        taken = await asyncio.gather(*(crew.capture(url, "desktop", None) for url in urls))
        assert len(workers()) == 2
    for capture in taken:
        assert capture.info.metrics == {f"m{number:02}": str(number) for number in range(12)}
        assert capture.info.metrics_failed == metrics.unusable
        capture.close()


@pytest.mark.parametrize("hands", [1, 2])
async def test_a_crawl_measures_every_page(
    site: Site, repository: Repository, make_settings: SettingsMaker, hands: int
) -> None:
    settings = make_settings(crawl={"delay_seconds": 0, "workers": hands})
    (repository.layout.metrics / "path.js").write_text("location.pathname")
    (repository.layout.metrics / "broken.js").write_text("nowhere")
    seed = site.add("/", page("/a", "/gone"))
    site.add("/a", page())
    site.add("/gone", status=204)
    await Crawl(repository, Plan((seed,)), Bounds(), settings).run()
    told = {capture.info.url: capture.info for capture in repository}
    assert told[seed].metrics == {"path": '"/"'}
    assert told[site.url("/a")].metrics == {"path": '"/a"'}
    missing = "ReferenceError: nowhere is not defined"
    assert told[seed].metrics_failed == {"broken": missing}
    none = dict.fromkeys(("broken", "path"), "there is no page")
    assert told[site.url("/gone")].metrics_failed == none


def test_a_worker_ends_with_its_foreman(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "webgeist.crawl.worker"]
    (tmp_path / "metrics.json").write_text("{}")
    terms = {"settings": {}, "certificates": "/nowhere", "signature": "", "silent": False}
    line = json.dumps(terms | {"metrics": str(tmp_path / "metrics.json")}).encode() + b"\n"
    done = subprocess.run(command, input=line, capture_output=True, timeout=60, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")
