"""Browsers and workers that die or hang in the middle of a crawl."""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from typing import TYPE_CHECKING

import psutil
import pytest
from tests.crawl.crawling import attempts, page

from webgeist.crawl import crew
from webgeist.crawl.cameras import Cameras
from webgeist.crawl.plan import Bounds, Plan
from webgeist.crawl.run import Crawl, End
from webgeist.crawl.scope import Reach, Rules

if TYPE_CHECKING:
    from tests.conftest import Site

    from webgeist.capture.model import Capture
    from webgeist.repository.repository import Repository
    from webgeist.settings import Settings

pytestmark = pytest.mark.usefixtures("nothing_is_left")


def chromium() -> psutil.Process:
    """The browser of the crawl that runs in this process; a script that started it is none."""
    below = {each.pid: each for each in psutil.Process().children(recursive=True)}
    own = [each for each in below.values() if "--remote-debugging-pipe" in each.cmdline()]
    scripts = {each.pid for each in own if each.name() in {"sh", "bash"}}
    inner = {each.pid for each in own} - scripts  # those that it has forked look the same at first
    browsers = [each for each in own if each.pid in inner and each.ppid() not in inner]
    return max(browsers, key=psutil.Process.create_time)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
async def test_a_browser_that_dies_or_hangs_is_replaced(
    site: Site,
    repository: Repository,
    hasty: Settings,
    monkeypatch: pytest.MonkeyPatch,
    number: signal.Signals,
) -> None:
    """In the middle of a page: that is tried again, and the crawl goes on to its end."""
    outcomes = Counter[str]()
    capture = Cameras.capture

    async def told(self: Cameras, url: str, viewport: str, form: str | None) -> Capture:
        taken = await capture(self, url, viewport, form)
        outcomes[taken.info.outcome] += 1
        return taken

    monkeypatch.setattr(Cameras, "capture", told)
    crawl_settings = hasty.crawl.model_copy(update={"attempts": 2, "tabs": 2})
    other = site.url("/other", host="other.localhost")
    seed = site.add("/", page("/held", other))
    for path in ("/held", "/other"):
        site.add(path, "<p>words", headers={"hold": "yes"}, length=10_000)
    plan = Plan((seed,), Rules(Reach.ANY))
    settings = hasty.model_copy(update={"crawl": crawl_settings})
    running = asyncio.create_task(Crawl(repository, plan, Bounds(), settings).run())
    for path in ("/held", "/other"):
        await asyncio.to_thread(site.asked[path].wait)
    first = chromium()
    for path in ("/held", "/other"):
        site.add(path, page("/last"))
    site.add("/last", page())
    first.send_signal(number)
    assert await running is End.COMPLETE
    tried = {site.url("/held"): 2, other: 2}
    last = {site.url("/last"): 1, site.url("/last", host="other.localhost"): 1}
    assert attempts(repository) == {seed: 1} | tried | last
    assert len(repository) == 5
    assert outcomes["ok"] == 5
    assert not first.is_running() or first.status() == psutil.STATUS_ZOMBIE  # init's to reap


@pytest.mark.slow
async def test_a_worker_that_hangs_is_replaced(
    site: Site, repository: Repository, hasty: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is waited for as long as a capture may take, and then somewhat longer."""
    monkeypatch.setattr(crew, "_GRACE_SECONDS", 10.0)
    wanted = {"workers": 2, "tabs": 1, "attempts": 3}
    settings = hasty.model_copy(update={"crawl": hasty.crawl.model_copy(update=wanted)})
    seed = site.add("/", page("/held", "/fine"))
    site.add("/held", status=None)
    site.add("/fine", page())
    running = asyncio.create_task(Crawl(repository, Plan((seed,)), Bounds(), settings).run())
    await asyncio.to_thread(site.asked["/held"].wait)
    site.add("/held", page())
    below = psutil.Process().children()
    workers = [each for each in below if "webgeist.crawl.worker" in each.cmdline()]
    for worker in workers:
        worker.suspend()
    assert await running is End.COMPLETE
    assert attempts(repository) == {seed: 1, site.url("/held"): 2, site.url("/fine"): 1}
    assert len(repository) == 3
    assert psutil.wait_procs(workers, timeout=20)[1] == []
