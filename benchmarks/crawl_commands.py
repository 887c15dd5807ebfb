"""Who crawls: webgeist as a user runs it, and its peers in an environment of their own."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import pages
from benchmarks.crawl_tree import watch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import psutil

    from benchmarks.crawl_tree import Ran

WEBGEIST, CRAWLEE, SCRAPY = "webgeist", "crawlee", "scrapy-playwright"
CRAWLERS = (WEBGEIST, CRAWLEE, SCRAPY)
REPOSITORY = "repository"  # where webgeist leaves it, in the folder that it ran in
_PACKAGES = ("crawlee[playwright]", "scrapy", "scrapy-playwright")
_SCRIPTS = {CRAWLEE: "crawlee_peer.py", SCRAPY: "scrapy_peer.py"}
_PEERS = Path(__file__).parent / "peers"


def peers_python() -> Path:
    """The Python that has the peers; they are installed when they are first needed."""
    folder = pages.cache_folder().with_name("webgeist-peers")
    if not folder.exists():
        print(f"installing {', '.join(_PACKAGES)}", file=sys.stderr)
        try:
            venv.create(folder, with_pip=True)
            pip = [str(folder / "bin" / "pip"), "install", "--quiet", *_PACKAGES]
            subprocess.run(pip, check=True, capture_output=True)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
    return folder / "bin" / "python"


def crawl(
    who: str,
    addresses: Sequence[str],
    browser: str,
    folder: Path,
    *,
    environ: dict[str, str] | None = None,
    on_look: Callable[[list[psutil.Process]], None] = lambda _: None,
) -> Ran:
    """Let one of them crawl these pages with two tabs, in an empty folder."""
    folder.mkdir()
    rules = shlex.split(pages.LOOPBACK_ONLY)[0]
    if who == WEBGEIST:
        command = webgeist(
            "crawl", *addresses, "--scope=page", "--delay=0", "--tabs=2", "--allow-private"
        )
    else:
        wanted = folder / "addresses"
        wanted.write_text("\n".join(addresses), "utf-8")
        command = [str(peers_python()), str(_PEERS / _SCRIPTS[who]), browser, rules, str(wanted)]
    ours = {"TMPDIR": str(folder)}  # what a peer leaves behind goes with the folder
    return watch(command, environment(browser) | ours | (environ or {}), folder, on_look)


def webgeist(command: str, *arguments: str) -> list[str]:
    """A command line of webgeist about the repository of the folder that it runs in."""
    program = str(Path(sys.executable).with_name("webgeist"))
    return [program, command, *arguments, f"--repo={REPOSITORY}", "--json"]


def environment(browser: str) -> dict[str, str]:
    """What keeps all of them on this machine, and says to webgeist which Chromium to take.

    What was in PYTHONPATH stays there: it may say which webgeist is to be measured.
    """
    paths = (str(_PEERS / "here"), os.environ.get("PYTHONPATH", ""))
    return os.environ | {
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "WEBGEIST_BROWSER_ARGUMENTS": pages.LOOPBACK_ONLY,
        "WEBGEIST_BROWSER_EXECUTABLE": browser,
    }
