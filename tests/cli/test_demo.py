"""`webgeist demo`: sample sites, a repository of a dozen pages, and nothing left running."""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from webgeist.cli.exits import ExitCode
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from collections.abc import Callable

PROGRAM = Path(sys.executable).parent / "webgeist"


@pytest.fixture
def demo(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """Starts the demo in a folder of its own, with a temporary folder that is looked at after."""
    (tmp_path / "temporary").mkdir()

    def start(*args: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [PROGRAM, "demo", *args],
            cwd=tmp_path,
            env={**os.environ, "TMPDIR": str(tmp_path / "temporary"), "COLUMNS": "200"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start


def test_once_crawls_twice_publishes_checks_and_renders_again(
    demo: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    repo = tmp_path / "a repo"
    for release in (1, 2):  # again and again into the same repository
        with demo("--once", "--repo", str(repo)) as process:
            out, err = process.communicate(timeout=300)
        assert ExitCode(process.returncode) is ExitCode.DONE, err
        assert f"Published as release {release}, which has {36 * release} captures" in err
        assert "Checked: every hash, count and reference" in err
        assert "Rendered again from the archive alone: http://magazine.localhost" in err
        assert "- node table: the same" in err
        assert "- not stored: nothing" in err
        assert "Traceback" not in err
        table = [line for line in out.splitlines() if re.search(r"\bok\b", line)]
        assert len(table) == 12
        assert out.count(", by its menus:") == 6
        assert re.search(r"interrupted on purpose: 4 rows, \d+ pages loaded", out)
        assert "the same command again: 4 rows skipped, 6 more, 7 pages loaded" in out
        assert "in all 10 rows, 10 of them different" in out
        assert "12 done, 0 failed" in err
        assert re.search(r"Other words than a day before, on [1-9]\d* of 12 pages: \w", out)
        assert re.search(r"Important change: http://\S+ \(score 0\.[7-9]\d\): .* the content", out)
        assert re.search(r"Unimportant change: http://\S+ \(score 0\.[0-6]\d\): \w", out)
        assert len(re.findall(r"mportant change: .*; for example '.*' -> '.*'", out)) == 2
        assert re.search(r"Lists that go on, [1-9]\d*: http://\S+ \(next: '.+'\)", out)
        assert "Most used text colours:" in out
        assert "Largest type:" in out
        assert re.search(r"Blocks that a person sees: [1-9],\d+, with", out)
        assert re.search(r"Texts with too little contrast \(WCAG AA\): [1-9]\d* of \d+", out)
    assert list((tmp_path / "temporary").iterdir()) == []
    asked = [line.partition("ask on:  ./webgeist ")[2] for line in out.splitlines()]
    commands = [shlex.split(line) for line in asked if line]
    assert [command[0] for command in commands] == ["stats", "sites", "query", "query", "changes"]
    for command in commands:  # the sample sites are gone
        told = subprocess.run([PROGRAM, *command], check=True, capture_output=True, text=True)
        assert len(told.stdout.splitlines()) >= 2, command
    with open_repository(repo, readonly=True) as repository:
        captures = list(repository.release())
        assert [capture.info.outcome for capture in captures] == ["ok"] * 72
        assert all(capture.page is not None and capture.screenshot for capture in captures)


def test_it_serves_on_until_it_is_interrupted(
    demo: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    with demo() as process:
        assert process.stderr is not None
        said = []
        for line in process.stderr:
            said.append(line)
            if "until Ctrl-C" in line:
                break
        assert any("until Ctrl-C" in line for line in said), said
        children = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert ExitCode(process.returncode) is ExitCode.DONE, err
    assert "stopped" in err
    assert psutil.wait_procs(children, timeout=20)[1] == []
    with open_repository(tmp_path / "webgeist-demo", readonly=True) as repository:
        assert len(repository) == 36


def test_a_folder_with_something_else_in_it_is_left_alone(
    demo: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    (tmp_path / "webgeist-demo").mkdir()
    (tmp_path / "webgeist-demo" / "mine").write_text("mine")
    with demo("--once") as process:
        _, err = process.communicate(timeout=60)
    assert ExitCode(process.returncode) is ExitCode.STORAGE
    assert "is not empty" in err
    assert [path.name for path in (tmp_path / "webgeist-demo").iterdir()] == ["mine"]


def test_a_port_that_is_taken_is_an_error(demo: Callable[..., subprocess.Popen[str]]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with demo("--once", "--port", str(port)) as process:
            _, err = process.communicate(timeout=60)
    assert ExitCode(process.returncode) is ExitCode.USAGE
    assert f"port {port} is taken" in err
