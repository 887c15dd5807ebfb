"""A crawl of more than a thousand pages of documentation on several hosts, killed twice on its way:
it ends all the same, and nothing is wrong with what it leaves.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from benchmarks import pages
from benchmarks.crawl_commands import REPOSITORY, environment, webgeist
from benchmarks.crawl_memory import Watcher
from benchmarks.spread import load
from webgeist import open_repository
from webgeist.capture.find import find_browser

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_LOOK_SECONDS = 0.2
_MOST_SECONDS = 3600
_STARTS = {
    "apache": "apache2-doc/usr/share/doc/apache2-doc/manual/en/index.html",
    "cmake": "cmake-doc/usr/share/doc/cmake-data/html/index.html",
    "python": "python3.11-doc/usr/share/doc/python3.11/html/index.html",
    "twisted": "twisted-doc/usr/share/doc/twisted-doc/html/index.html",
}


def run(*, short: bool) -> dict[str, Any]:
    count, kills = (40, (10, 25)) if short else (1200, (300, 800))
    environ = environment(str(find_browser(environ=os.environ).path))
    start = time.monotonic()
    with TemporaryDirectory() as folder, pages.serve(pages.fetch()) as files:
        port = files.rpartition(":")[2]
        seeds = [f"http://{host}.localhost:{port}/{path}" for host, path in _STARTS.items()]
        options = ["--scope=host", "--delay=0", "--tabs=2", "--allow-private", f"--pages={count}"]
        command = webgeist("crawl", *seeds, *options)
        killed = [_kill_at(pages_done, command, Path(folder), environ) for pages_done in kills]
        said = _said(command, Path(folder), environ)
        problems = _said(webgeist("check"), Path(folder), environ)
        with open_repository(Path(folder, REPOSITORY)) as repository:
            captures = repository.release().table("captures").column("url").to_pylist()
    return {
        "hosts": len(seeds),
        "killed_at": killed,
        "done": said["done"],
        "failed": said["failed"],
        "captures": len(captures),
        "twice": len(captures) - len(set(captures)),
        "problems": problems,
        "seconds": time.monotonic() - start,
        "load": load(),
    }


def _kill_at(done: int, command: Sequence[str], folder: Path, environ: Mapping[str, str]) -> int:
    """Crawl until so many pages are done, and end the crawl without a word; how many there were."""
    watcher = Watcher(folder / REPOSITORY / "state.db")
    crawling = subprocess.Popen(
        command, cwd=folder, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    deadline = time.monotonic() + _MOST_SECONDS
    found = 0
    while found < done:
        time.sleep(_LOOK_SECONDS)
        if crawling.poll() is not None or time.monotonic() > deadline:
            crawling.kill()
            raise RuntimeError(f"the crawl ended by itself, with {crawling.wait()}")
        found = watcher.done() if watcher.database.exists() else 0
    crawling.kill()
    crawling.wait()
    print(f"  killed with {found} pages done", file=sys.stderr)
    return found


def _said(command: Sequence[str], folder: Path, environ: Mapping[str, str]) -> Any:
    """What a command says as JSON. RuntimeError with its words if it fails."""
    ran = subprocess.run(
        command, cwd=folder, env=environ, capture_output=True, text=True, check=False
    )
    if ran.returncode:
        raise RuntimeError(f"{command[:2]} ended with {ran.returncode}: {ran.stderr[-2000:]}")
    return json.loads(ran.stdout)


def report(figures: dict[str, Any]) -> list[str]:
    killed = " and ".join(map(str, figures["killed_at"]))
    return [
        f"A crawl of {figures['hosts']} hosts, killed with {killed} pages done ({figures['load']})",
        "",
        f"{figures['done']} pages done, {figures['failed']} failed in {figures['seconds']:.0f} s",
        f"{figures['captures']} captures, {figures['twice']} of them of a page that has another",
        f"problems that `webgeist check` found: {figures['problems']}",
    ]
