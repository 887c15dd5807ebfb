"""`kill` ends every command as Ctrl-C does: everything it began is put away."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from webgeist.cli.exits import ExitCode
from webgeist.repository.check import check
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Site

PROGRAM = Path(sys.executable).parent / "webgeist"


@pytest.fixture
def start(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """Starts a command with a temporary folder of its own, which must be empty afterwards."""
    (tmp_path / "temporary").mkdir()

    def start(*args: str) -> subprocess.Popen[str]:
        environ = {**os.environ, "TMPDIR": str(tmp_path / "temporary")}
        return subprocess.Popen(
            [PROGRAM, *args],
            cwd=tmp_path,
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start


def killed(process: subprocess.Popen[str]) -> tuple[ExitCode, str]:
    """How a command ends that gets SIGTERM; nothing that it started may outlive it."""
    children = psutil.Process(process.pid).children(recursive=True)
    assert children
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=60)
    assert psutil.wait_procs(children, timeout=20)[1] == []
    return ExitCode(process.returncode), err


@pytest.mark.parametrize("extra", [[], ["--repo", "repo"]])
def test_a_capture_that_is_killed_leaves_nothing(
    start: Callable[..., subprocess.Popen[str]], site: Site, tmp_path: Path, extra: list[str]
) -> None:
    url = site.add("/stuck", "<p>words<script src=/never></script>")
    site.add("/never", status=None)
    with start("capture", url, "--allow-private", *extra) as process:
        assert site.asked["/never"].wait(60)
        code, err = killed(process)
    assert code is ExitCode.INTERRUPTED
    assert err.endswith("error: interrupted\n")
    assert list((tmp_path / "temporary").iterdir()) == []
    assert not list(tmp_path.glob("captures/**/*"))


def test_what_was_captured_before_is_kept(
    start: Callable[..., subprocess.Popen[str]], site: Site, tmp_path: Path
) -> None:
    whole = site.add("/whole", "<p>words")
    stuck = site.add("/stuck", "<p>words<script src=/never></script>")
    site.add("/never", status=None)
    with start("capture", whole, stuck, "--allow-private", "--repo", "repo") as process:
        assert site.asked["/never"].wait(60)
        code, err = killed(process)
    assert code is ExitCode.INTERRUPTED
    assert "1/2 " in err
    with open_repository(tmp_path / "repo") as repository:
        assert [entry.url for entry in repository.captures()] == [whole]
    assert check(tmp_path / "repo") == []


def test_a_demo_that_is_killed_leaves_nothing(
    start: Callable[..., subprocess.Popen[str]], tmp_path: Path
) -> None:
    with start("demo", "--once") as process:
        assert process.stderr is not None
        for line in process.stderr:
            if " done, " in line:  # by then there is a browser
                break
        code, err = killed(process)
    assert code is ExitCode.INTERRUPTED
    assert "Traceback" not in err
    assert list((tmp_path / "temporary").iterdir()) == []
