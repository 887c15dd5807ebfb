"""./webgeist: set-up on first use, interrupted, repeated, twice at once.

The quick tests replace Python by a small program that notes what it is asked to do. The slow ones
install everything for real.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from webgeist import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
NEEDED = ("webgeist", "pyproject.toml", "constraints.txt", "README.md", "LICENSE")
TOOLS = ("bash", "chmod", "cksum", "cp", "env", "mkdir", "mv", "rm", "sleep", "tail")
PYTHON = """#!/bin/bash
echo "$*" >>"$NOTES"
case "$*" in
*version_info*) echo "$0"; exit "${TOO_OLD:-0}" ;;
*ensurepip*) exit "${NO_VENV:-0}" ;;
"-m venv "*)
    mkdir -p "$3/bin"
    cp "$0" "$3/bin/python"
    printf '#!/bin/bash\\necho "in $PWD:" "$@"\\nexit 7\\n' >"$3/bin/webgeist"
    chmod 755 "$3/bin/webgeist" ;;
"-m pip "*) eval "${PIP:-}" ;;
*capture.install*) eval "${CHROMIUM:-}" ;;
esac
"""


class Clone:
    """A copy of the project in a folder with a space in its name, with a home of its own."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "a clone [1]"
        self.home = folder / "home"
        self.notes = folder / "notes"
        for path in (self.root, self.home, folder / "bin"):
            path.mkdir()
        for name in NEEDED:
            shutil.copy(ROOT / name, self.root)
        shutil.copytree(ROOT / "scripts", self.root / "scripts")
        python = folder / "bin" / "python"
        python.write_text(PYTHON)
        python.chmod(0o755)
        self.environ = {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "NOTES": str(self.notes),
            "WEBGEIST_PYTHON": str(python),
        }

    def without_flock(self) -> None:
        """Only the tools that every system has."""
        tools = self.home / "tools"
        tools.mkdir()
        for name in TOOLS:
            found = shutil.which(name)
            assert found
            (tools / name).symlink_to(found)
        self.environ["PATH"] = str(tools)

    def run(self, *args: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.root / "webgeist", *args],
            cwd=cwd or self.home,
            env=self.environ,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )

    @contextmanager
    def started(self, *args: str) -> Iterator[subprocess.Popen[str]]:
        process = subprocess.Popen(
            [self.root / "webgeist", *args],
            env=self.environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        with process:
            try:
                yield process
            finally:
                process.kill()

    def steps(self) -> list[str]:
        """What Python was asked for, in short."""
        words = ("version_info", "ensurepip", "-m venv", "-m pip", "capture.install")
        lines = self.notes.read_text().splitlines() if self.notes.exists() else []
        return [word for line in lines for word in words if word in line]


class Pause:
    """Makes pip stop until the test has looked: `here` waits for it, `go` lets it end."""

    def __init__(self, clone: Clone) -> None:
        self._arrived = clone.home / "arrived"
        self._go = clone.home / "go"
        os.mkfifo(self._arrived)
        os.mkfifo(self._go)
        clone.environ["PIP"] = f'echo $$ >"{self._arrived}"; read -r <"{self._go}" || exit 1'

    def here(self) -> int:
        """The process id of pip."""
        return int(self._arrived.read_text())

    def go(self) -> None:
        self._go.write_text("go\n")


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path)


def _is_waiting(process: subprocess.Popen[str]) -> bool:
    assert process.stderr
    return "another set-up is under way" in process.stderr.readline()


def test_first_use_sets_up_in_order_and_passes_everything_on(clone: Clone) -> None:
    ended = clone.run("say", "a b", "*")
    assert ended.returncode == 7
    assert ended.stdout == f"in {clone.home}: say a b *\n"
    assert clone.steps() == ["version_info", "ensurepip", "-m venv", "-m pip", "capture.install"]
    assert all(line.startswith("webgeist: ") for line in ended.stderr.splitlines())
    assert "--constraint constraints.txt --editable .\n" in clone.notes.read_text()


def test_second_start_does_nothing_and_needs_no_tool(clone: Clone) -> None:
    clone.run()
    clone.notes.unlink()
    clone.environ["PATH"] = "/nowhere"
    ended = subprocess.run(
        [shutil.which("bash") or "bash", clone.root / "webgeist", "again"],
        cwd=clone.home,
        env=clone.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.stdout, ended.stderr) == (f"in {clone.home}: again\n", "")
    assert clone.steps() == []


def test_works_by_symbolic_links(clone: Clone) -> None:
    clone.run()
    (clone.home / "one").symlink_to(clone.root / "webgeist")
    (clone.home / "two").symlink_to("one")
    ended = subprocess.run(
        [clone.home / "two", "x"], cwd="/", env=clone.environ, capture_output=True, check=False
    )
    assert (ended.stdout, ended.stderr) == (b"in /: x\n", b"")


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_changed_project_is_installed_again_but_not_from_nothing(clone: Clone, name: str) -> None:
    clone.run()
    clone.notes.unlink()
    with (clone.root / name).open("a") as file:
        file.write("\n# changed\n")
    assert clone.run().returncode == 7
    assert clone.steps() == ["-m pip"]


def test_moved_folder_is_installed_again(clone: Clone) -> None:
    clone.run()
    clone.notes.unlink()
    clone.root = clone.root.rename(clone.root.with_name("moved"))
    assert clone.run().returncode == 7
    assert "-m pip" in clone.steps()


def test_lost_interpreter_means_a_new_environment(clone: Clone) -> None:
    clone.run()
    (clone.root / ".venv/bin/python").unlink()
    clone.notes.unlink()
    assert clone.run().returncode == 7
    assert "-m venv" in clone.steps()


def test_environment_of_ones_own_is_used_not_removed(clone: Clone) -> None:
    clone.run()
    (clone.root / ".venv/webgeist.stamp").unlink()
    (clone.root / ".venv/mine").touch()
    clone.notes.unlink()
    assert clone.run().returncode == 7
    assert clone.steps() == ["-m pip", "capture.install"]
    assert (clone.root / ".venv/mine").exists()


def test_failed_installation_shows_the_last_lines_and_is_tried_anew(clone: Clone) -> None:
    clone.environ["PIP"] = "seq 100; echo no index >&2; exit 1"
    ended = clone.run()
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "no index" in ended.stderr
    assert "\n50\n" not in ended.stderr
    assert "is the package index within reach?" in ended.stderr
    del clone.environ["PIP"]
    assert clone.run().returncode == 7


def test_missing_chromium_is_only_a_warning(clone: Clone) -> None:
    clone.environ["CHROMIUM"] = "echo webgeist: run this >&2; exit 9"
    ended = clone.run()
    assert ended.returncode == 7
    assert "run this\nwebgeist: commands that need a browser" in ended.stderr
    assert clone.run().stderr == ""


@pytest.mark.parametrize(
    ("variable", "said"),
    [("TOO_OLD", "no Python 3.11 or newer"), ("NO_VENV", "python3-venv")],
)
def test_unfit_python_is_said(clone: Clone, variable: str, said: str) -> None:
    clone.environ[variable] = "1"
    ended = clone.run()
    assert ended.returncode == 1
    assert said in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_missing_python_is_said(clone: Clone) -> None:
    clone.without_flock()
    del clone.environ["WEBGEIST_PYTHON"]
    ended = clone.run()
    assert ended.returncode == 1
    assert "needs Python 3.11 or newer" in ended.stderr


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_interrupted_set_up_ends_at_once_and_begins_anew(
    clone: Clone, name: str, code: int
) -> None:
    pause = Pause(clone)
    with clone.started() as process:
        pip = pause.here()
        process.send_signal(getattr(signal, name))
        _, said = process.communicate(timeout=60)
        assert process.returncode == code
    assert "start again" in said
    assert not _runs(pip)
    del clone.environ["PIP"]
    ended = clone.run()
    assert ended.returncode == 7
    assert "interrupted: starting anew" in ended.stderr


def _runs(pid: int) -> bool:
    status = Path(f"/proc/{pid}/status")
    return status.exists() and "State:\tZ" not in status.read_text()


@pytest.mark.parametrize("flock", [True, False])
def test_killed_set_up_is_waited_for_and_made_anew(clone: Clone, flock: bool) -> None:
    if not flock:
        clone.without_flock()
    pause = Pause(clone)
    with clone.started() as process:
        pip = pause.here()
    del clone.environ["PIP"]
    with clone.started("x") as second:
        assert _is_waiting(second)
        os.kill(pip, signal.SIGKILL)
        out, said = second.communicate(timeout=60)
        assert second.returncode == 7
    assert process.returncode == -signal.SIGKILL
    assert "starting anew" in said
    assert out.endswith(": x\n")
    assert not (clone.root / ".venv.lock").exists()


@pytest.mark.parametrize("flock", [True, False])
def test_two_first_starts_at_once_install_once(clone: Clone, flock: bool) -> None:
    if not flock:
        clone.without_flock()
    pause = Pause(clone)
    with clone.started("one") as first:
        pause.here()
        with clone.started("two") as second:
            assert _is_waiting(second)
            pause.go()
            assert "one" in first.communicate(timeout=60)[0]
            assert "two" in second.communicate(timeout=60)[0]
    assert clone.steps().count("-m pip") == 1


def test_tests_tools_are_kept(clone: Clone) -> None:
    clone.run()
    clone.notes.unlink()
    script = 'root=$1; . "$root/scripts/setup.sh"; set_up "$2"; echo "$venv"'
    for extras in ("dev", "dev", ""):
        ended = subprocess.run(
            ["bash", "-c", script, "bash", clone.root, extras],
            env=clone.environ,
            capture_output=True,
            text=True,
            check=True,
        )
        assert ended.stdout == f"{clone.root}/.venv\n"
    assert clone.steps() == ["-m pip"]
    assert "--editable .[dev]" in clone.notes.read_text()
    with (clone.root / "constraints.txt").open("a") as file:
        file.write("\n")
    clone.run()
    assert clone.notes.read_text().count("--editable .[dev]") == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_folder_that_cannot_be_written_uses_the_cache(clone: Clone) -> None:
    clone.root.chmod(0o555)
    try:
        assert clone.run().returncode == 7
        assert clone.run().stderr == ""
    finally:
        clone.root.chmod(0o755)
    assert not (clone.root / ".venv").exists()
    assert len(list((clone.home / ".cache/webgeist").iterdir())) == 1


def _make_real(clone: Clone) -> Clone:
    """With the code, this Python and pip's settings."""
    shutil.copytree(ROOT / "src", clone.root / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for name, value in os.environ.items():
        if name.startswith(("PIP_", "SSL_", "http", "HTTP", "PLAYWRIGHT_")):
            clone.environ[name] = value
    clone.environ["WEBGEIST_PYTHON"] = sys.executable
    return clone


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that everybody may read: pytest keeps its own to one user."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@pytest.mark.slow
def test_real_set_up_interrupted_and_finished(clone: Clone) -> None:
    real = _make_real(clone)
    with real.started("--version") as process:
        assert process.stderr
        while "installing webgeist" not in process.stderr.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
    ended = real.run("--version")
    assert ended.stdout == f"webgeist {__version__}\n", ended.stderr
    assert "starting anew" in ended.stderr
    again = real.run("config", "show", "--json", cwd=Path("/"))
    assert (again.returncode, again.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_real_set_up_by_another_user_in_a_folder_of_roots(public_folder: Path) -> None:
    python = shutil.which("python3", path="/usr/bin:/usr/local/bin")
    if not python or subprocess.run([python, "-c", _FIT], check=False).returncode:
        pytest.skip("no Python that everybody may use")
    real = _make_real(Clone(public_folder))
    shutil.chown(real.home, "nobody")
    real.environ |= {"WEBGEIST_PYTHON": python, "PATH": "/usr/bin:/bin"}
    for _ in range(2):
        ended = subprocess.run(
            [real.root / "webgeist", "--version"],
            user="nobody",
            group="nogroup",
            extra_groups=[],
            cwd="/",
            env=real.environ,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.stdout == f"webgeist {__version__}\n", ended.stderr
    assert ended.stderr == ""
    assert not (real.root / ".venv").exists()


_FIT = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))"
