"""`webgeist crawl` with a real Chromium is killed, or runs out of disk, and goes on afterwards."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest
from tests.crawl.breakable import held

from webgeist.cli.exits import ExitCode
from webgeist.cli.run import run
from webgeist.repository.check import check

if TYPE_CHECKING:
    from tests.conftest import Site
    from tests.crawl.breakable import Held

    from webgeist.capture.model import Capture

ROOT = Path(__file__).parents[2]
BEYOND = 1_000_000
PAGES = {"/": ["/a", "/moved", "/gone"], "/a": ["/", "/deep"], "/b": ["/a", "/deep"], "/deep": []}


@dataclass(frozen=True)
class Child:
    """How a crawl in a process of its own ended."""

    code: int
    err: str

    @property
    def points(self) -> int:
        """How many failure points it passed."""
        return int(self.err.splitlines()[-1])


class Crawling:
    """A small site, and `webgeist crawl` of it."""

    def __init__(self, site: Site, folder: Path) -> None:
        self._folder = folder
        for path, links in PAGES.items():
            anchors = "".join(f"<a href={link}>{link}</a>" for link in links)
            site.add(path, f"<link rel=stylesheet href=/shared.css><p>words of {path} {anchors}")
        site.add("/shared.css", "p { color: teal }", headers={"content-type": "text/css"})
        site.add("/moved", status=301, headers={"location": "/b"})
        self.seed = site.url("/")

    def arguments(self, path: Path) -> list[str]:
        quick = ["--allow-private", "--delay", "0", "--viewport", "desktop", "--viewport", "mobile"]
        return ["crawl", self.seed, "--repo", str(path), *quick]

    def broken(self, path: Path, how: str, n: int) -> Child:
        """Crawl on a disk that breaks; no process may outlive it."""
        temporary = self._folder / f"temporary-{path.name}"
        temporary.mkdir(exist_ok=True)
        done = subprocess.run(
            [sys.executable, "-m", "tests.crawl.breaking", how, str(n), *self.arguments(path)],
            cwd=ROOT,
            env={**os.environ, "TMPDIR": str(temporary)},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert psutil.wait_procs(mentioning(temporary), timeout=30)[1] == []
        return Child(done.returncode, done.stderr)

    def go_on(self, path: Path) -> Held:
        """Crawl to the end: what there is then."""
        assert run(self.arguments(path)) == ExitCode.DONE
        assert check(path) == []
        return held(path, outline)


def outline(capture: Capture) -> object:
    """What two captures of one unchanged page have in common."""
    info = capture.info
    text = capture.page.text(0) if capture.page else None
    links = [(link["href"], link["followed"]) for link in capture.links.to_pylist()]
    return info.outcome, info.status, info.redirects, info.nodes, links, text


def mentioning(folder: Path) -> list[psutil.Process]:
    """Processes whose command line names the folder: a Chromium that works in it."""
    running = psutil.process_iter(["cmdline"])
    return [each for each in running if str(folder) in " ".join(each.info["cmdline"] or ())]


@pytest.fixture
def crawling(site: Site, tmp_path: Path) -> Crawling:
    return Crawling(site, tmp_path)


@pytest.mark.parametrize("parts", [3, pytest.param(24, marks=pytest.mark.slow)])
def test_a_crawl_that_is_killed_goes_on(crawling: Crawling, tmp_path: Path, parts: int) -> None:
    whole = crawling.broken(tmp_path / "whole", "SIGKILL", BEYOND)
    unbroken = crawling.go_on(tmp_path / "whole")
    assert len(unbroken.captures) == 2 * len(PAGES) + 1  # what fails in one viewport has failed
    codes = []
    for n in range(whole.points // (2 * parts), whole.points, whole.points // parts):
        path = tmp_path / str(n)
        codes.append(crawling.broken(path, "SIGKILL", n).code)
        assert crawling.go_on(path) == unbroken
    # How many points there are depends on how many pages are stored at once.
    assert codes[0] == -signal.SIGKILL
    assert set(codes) <= {-signal.SIGKILL, ExitCode.DONE}


@pytest.mark.parametrize("how", ["ENOSPC", "EIO"])
def test_a_crawl_that_runs_out_of_disk_says_so_and_goes_on(
    crawling: Crawling, tmp_path: Path, how: str
) -> None:
    crawling.broken(tmp_path / "whole", "SIGKILL", BEYOND)
    broken = crawling.broken(tmp_path / "r", how, 200)
    assert broken.code == ExitCode.STORAGE
    assert ("free some space" if how == "ENOSPC" else "check the disk") in broken.err
    assert "Traceback" not in broken.err
    assert list((tmp_path / "temporary-r").iterdir()) == []
    assert crawling.go_on(tmp_path / "r") == crawling.go_on(tmp_path / "whole")
