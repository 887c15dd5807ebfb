"""Chromium as a process: it starts, ends when told to, and never outlives us."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from webgeist.capture import process
from webgeist.capture.find import find_browser
from webgeist.errors import BrowserError

if TYPE_CHECKING:
    from collections.abc import Callable

FLAGS = ["--no-sandbox"] if os.geteuid() == 0 else []
PATIENCE = 20.0

# A program that starts Chromium and tells its number and folder, then waits for its own end.
CHILD = """
import asyncio, os
from webgeist.capture import process
from webgeist.capture.find import find_browser

async def main():
    path = find_browser(environ=os.environ).path
    running = await process.start(path, {flags!r}, 20)
    await running.connection.send("Browser.getVersion")
    print(running.pid, running.folder, flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.fixture
def chromium() -> Path:
    return find_browser(environ=os.environ).path


def left_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that temporary folders are made in."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def script(folder: Path, text: str) -> Path:
    """An executable that is no browser."""
    path = folder / "fake-browser"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def wait_until(condition: Callable[[], bool]) -> None:
    """Ask again and again; a condition that never comes true fails the test."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


def gone(pid: int) -> bool:
    """Whether a process has ended; one that nobody has asked about yet counts as ended."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def wait_until_gone(pids: list[int]) -> None:
    wait_until(lambda: all(gone(pid) for pid in pids))


def family(pid: int) -> list[int]:
    return [pid, *(child.pid for child in psutil.Process(pid).children(recursive=True))]


async def test_chromium_starts_and_ends_and_leaves_nothing(chromium: Path, temporary: Path) -> None:
    running = await process.start(chromium, FLAGS, 20)
    assert "Chrom" in (await running.connection.send("Browser.getVersion"))["product"]
    assert running.folder.parent == temporary
    pids = family(running.pid)
    assert len(pids) > 1
    await running.stop()
    wait_until_gone(pids)
    assert left_in(temporary) == []
    assert not psutil.pid_exists(running.pid)  # it was waited for: no zombie is left


async def test_no_file_descriptor_is_left_open(chromium: Path, temporary: Path) -> None:
    before = psutil.Process().num_fds()
    running = await process.start(chromium, FLAGS, 20)
    assert psutil.Process().num_fds() == before + 3
    await running.stop()
    await asyncio.sleep(0)  # the transports close their files in the loop's next turn
    assert psutil.Process().num_fds() == before


async def test_an_interruption_while_it_ends_leaves_nothing_behind(chromium: Path) -> None:
    running = await process.start(chromium, FLAGS, 20)
    stopping = asyncio.create_task(running.stop())
    await asyncio.sleep(0)
    stopping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await stopping
    assert not running.folder.exists()
    assert not psutil.pid_exists(running.pid)


async def test_an_interruption_while_it_starts_leaves_nothing_behind(
    chromium: Path, temporary: Path
) -> None:
    before, others = psutil.Process().num_fds(), psutil.Process().children()
    starting = asyncio.create_task(process.start(chromium, FLAGS, 20))
    await asyncio.sleep(0)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    await asyncio.sleep(0)
    assert psutil.Process().num_fds() == before
    assert psutil.Process().children() == others
    assert not any(temporary.iterdir())  # noqa: ASYNC240 - a folder of our own, nobody waits


async def test_a_killed_browser_is_noticed_and_cleared_away(
    chromium: Path, temporary: Path
) -> None:
    running = await process.start(chromium, FLAGS, 20)
    await running.connection.send("Browser.getVersion")
    running.kill()
    async with asyncio.timeout(PATIENCE):
        await running.connection.closed
    with pytest.raises(BrowserError):
        await running.connection.send("Browser.getVersion")
    await running.stop()
    assert not psutil.pid_exists(running.pid)  # no zombie is left of it
    assert left_in(temporary) == []


async def test_a_browser_that_does_not_end_is_made_to(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_EXIT_SECONDS", 0.05)
    running = await process.start(
        script(tmp_path, "trap '' TERM; while :; do sleep 1; done"), [], 1
    )
    await running.stop()
    assert gone(running.pid)
    assert left_in(temporary) == []


def test_chromium_dies_with_a_parent_that_is_killed() -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", CHILD.format(flags=FLAGS)], stdout=subprocess.PIPE, text=True
    )
    folder = None
    try:
        assert parent.stdout is not None
        told, _, folder = parent.stdout.readline().strip().partition(" ")
        pids = family(int(told))
        parent.send_signal(signal.SIGKILL)
        parent.wait()
        wait_until_gone(pids)
    finally:
        parent.kill()
        parent.communicate()
        if folder:
            wait_until(lambda: removed(Path(folder)))


def removed(folder: Path) -> bool:
    """Take away what a killed parent could not; the dying browser may still be writing."""
    shutil.rmtree(folder, ignore_errors=True)
    return not folder.exists()


async def test_a_missing_executable_is_an_error_with_a_remedy(
    tmp_path: Path, temporary: Path
) -> None:
    before = psutil.Process().num_fds()
    with pytest.raises(BrowserError, match="cannot start") as caught:
        await process.start(tmp_path / "missing", [], 1)
    assert "browser.executable" in str(caught.value.remedy)
    assert left_in(temporary) == []
    assert psutil.Process().num_fds() == before


async def test_a_file_that_cannot_be_run_is_an_error_too(tmp_path: Path, temporary: Path) -> None:
    path = tmp_path / "data"
    path.write_bytes(b"\x00\x01")
    path.chmod(0o755)
    with pytest.raises(BrowserError, match="cannot start"):
        await process.start(path, [], 1)
    assert left_in(temporary) == []


async def test_an_executable_that_exits_at_once_closes_the_connection(
    tmp_path: Path, temporary: Path
) -> None:
    running = await process.start(script(tmp_path, "echo no display >&2; exit 3"), [], 1)
    async with asyncio.timeout(PATIENCE):
        await running.connection.closed
    assert running.last_words() == "no display"
    await running.stop()
    assert left_in(temporary) == []
