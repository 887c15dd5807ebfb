"""Installing a Chromium: what is tried in which order, with small real programs as the tools."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from webgeist.capture import install
from webgeist.capture.install import install_browser
from webgeist.capture.packages import System
from webgeist.errors import BrowserError


class Tools:
    """A PATH with tools that write down how they were called, and a system that has them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.calls = folder / "calls"
        self.said: list[str] = []
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.environ = {"HOME": str(folder), "PATH": f"{self.bin}", "BIN": str(self.bin)}

    def add(self, name: str, body: str = "") -> str:
        path = self.bin / name
        path.write_text(
            f'#!/bin/sh\nPATH=/usr/bin:/bin\necho "{name} $*" >>"{self.calls}"\n{body}\n'
        )
        path.chmod(0o755)
        return str(path)

    def install(self, *, manager: str | None = "apt-get", root: bool = True, python: str) -> Path:
        system = System("debian", manager, root=root, python=python)
        return install_browser(self.said.append, environ=self.environ, system=system).path

    def called(self) -> list[str]:
        return self.calls.read_text().splitlines() if self.calls.exists() else []


MAKES_CHROMIUM = """
case "$*" in *install*{package})
printf '#!/bin/sh\\nexit 0\\n' >"$BIN/chromium"; chmod 755 "$BIN/chromium"; esac
"""
KNOWS = 'case "$*" in *{package}) exit 0;; esac; exit 100'


@pytest.fixture
def tools(tmp_path: Path) -> Tools:
    return Tools(tmp_path)


def test_nothing_is_run_when_there_is_one(tools: Tools) -> None:
    chromium = tools.add("chromium")
    assert tools.install(python=tools.add("python", "exit 1")) == Path(chromium)
    assert tools.called() == []


def test_chosen_browser_is_the_one(tools: Tools) -> None:
    tools.environ["WEBGEIST_BROWSER_EXECUTABLE"] = str(tools.folder / "none")
    with pytest.raises(BrowserError, match=r"browser\.executable"):
        tools.install(python=tools.add("python"))
    assert tools.called() == []


def test_download_comes_first(tools: Tools) -> None:
    python = tools.add("python", MAKES_CHROMIUM.format(package="chromium-headless-shell"))
    tools.add("apt-get")
    assert tools.install(python=python) == tools.bin / "chromium"
    assert tools.called() == ["python -m playwright install chromium-headless-shell"]


def test_download_can_be_forbidden(tools: Tools) -> None:
    tools.environ["WEBGEIST_SKIP_BROWSER_DOWNLOAD"] = "1"
    with pytest.raises(BrowserError):
        tools.install(python=tools.add("python"), manager=None)
    assert tools.called() == []


def test_package_after_a_failed_download(tools: Tools) -> None:
    python = tools.add("python", "echo 'Error: no network'; exit 1")
    tools.add("apt-cache", KNOWS.format(package="chromium-headless-shell"))
    tools.add("apt-get", MAKES_CHROMIUM.format(package="chromium-headless-shell"))
    tools.install(python=python)
    assert tools.called() == [
        "python -m playwright install chromium-headless-shell",
        "apt-cache show chromium-headless-shell",
        "apt-cache show chromium-headless-shell",
        "apt-get install -y --no-install-recommends chromium-headless-shell",
    ]
    assert "the download failed: Error: no network" in tools.said


def test_list_is_fetched_once_and_the_second_package_taken(tools: Tools) -> None:
    tools.add("apt-cache", KNOWS.format(package="show\\ chromium"))
    tools.add("apt-get", MAKES_CHROMIUM.format(package="chromium"))
    tools.install(python=tools.add("python", "exit 1"))
    assert [call for call in tools.called() if call.startswith("apt-get")] == [
        "apt-get update",
        "apt-get install -y --no-install-recommends chromium",
    ]


def test_sudo_only_where_it_asks_nothing(tools: Tools) -> None:
    tools.add("dnf", MAKES_CHROMIUM.format(package="chromium"))
    tools.add("sudo", f'PATH={tools.bin}:$PATH; [ "$1" = -n ] && shift && exec "$@"')
    tools.add("true")
    tools.install(python=tools.add("python", "exit 1"), manager="dnf", root=False)
    assert "sudo -n dnf install -y chromium" in tools.called()


def test_without_rights_the_command_is_said(tools: Tools) -> None:
    tools.add("sudo", "exit 1")
    tools.add("apt-get")
    with pytest.raises(BrowserError) as caught:
        tools.install(python=tools.add("python", "exit 1"), root=False)
    assert "run: sudo apt-get install" in (caught.value.remedy or "")
    assert any("administrator rights" in line for line in tools.said)
    assert not any(call.startswith("apt-get") for call in tools.called())


def test_missing_sudo_is_a_no(tools: Tools) -> None:
    with pytest.raises(BrowserError):
        tools.install(python=tools.add("python", "exit 1"), root=False)


def test_download_without_its_libraries_gets_them(tools: Tools) -> None:
    folder = tools.folder / ".cache/ms-playwright/chromium_headless_shell-1"
    shell = folder / "chrome-headless-shell-linux64/chrome-headless-shell"
    python = tools.add(
        "python",
        f"""
        case "$*" in
        *install-deps*) touch "{folder}/libraries" ;;
        *) mkdir -p "{shell.parent}"; touch "{folder}/INSTALLATION_COMPLETE"
           printf '#!/bin/sh\\ntest -e "{folder}/libraries"\\n' >"{shell}"; chmod 755 "{shell}" ;;
        esac""",
    )
    assert tools.install(python=python) == shell
    assert tools.called()[-1] == "python -m playwright install-deps chromium-headless-shell"


def test_browser_that_does_not_start_is_not_enough(tools: Tools) -> None:
    python = tools.add("python", MAKES_CHROMIUM.format(package="shell").replace("exit 0", "exit 1"))
    with pytest.raises(BrowserError):
        tools.install(python=python, manager=None)
    assert any("does not start" in line for line in tools.said)


def test_endless_download_is_ended_with_its_children(
    tools: Tools, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(install, "DOWNLOAD_SECONDS", 0.5)
    pid_file = tools.folder / "pid"
    python = tools.add("python", f'sleep 600 & echo $! >"{pid_file}"; wait')
    with pytest.raises(BrowserError):
        tools.install(python=python, manager=None)
    assert any("no success within" in line for line in tools.said)
    _wait_until_gone(int(pid_file.read_text()))


def _wait_until_gone(pid: int) -> None:
    """A process that was killed takes a moment to die."""
    deadline = time.monotonic() + 10
    while _runs(pid):
        assert time.monotonic() < deadline, f"{pid} still runs"
        time.sleep(0.01)


def _runs(pid: int) -> bool:
    """Whether the process is there and no zombie."""
    status = Path(f"/proc/{pid}/status")
    return status.exists() and "State:\tZ" not in status.read_text()


def test_program_ends_with_the_errors_code(tools: Tools) -> None:
    tools.environ["WEBGEIST_SKIP_BROWSER_DOWNLOAD"] = "1"
    code, said = _program(tools)
    assert code == BrowserError.exit_code
    assert sys.executable in said[-1]
    tools.add("chromium")
    assert _program(tools) == (0, [f"webgeist: using {tools.bin / 'chromium'}"])


def _program(tools: Tools) -> tuple[int, list[str]]:
    ended = subprocess.run(
        [sys.executable, "-m", "webgeist.capture.install"],
        env=tools.environ,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return ended.returncode, ended.stderr.splitlines()
