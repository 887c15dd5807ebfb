"""Which Chromium is taken: real executable files in made-up folder trees."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from webgeist.capture.find import FoundBrowser, Source, find_browser
from webgeist.errors import BrowserError

HEADLESS = "chrome-headless-shell-linux64/chrome-headless-shell"
FULL = "chrome-linux64/chrome"


class Machine:
    """A root folder with a home and a PATH of its own."""

    def __init__(self, root: Path, platform: str = "linux") -> None:
        self.root = root
        self.platform = platform
        self.bin = root / "usr/bin"
        self.bin.mkdir(parents=True)
        self.environ = {"HOME": str(root / "home"), "PATH": str(self.bin)}

    def executable(self, place: str | Path, text: str = "#!/bin/sh\n") -> Path:
        path = self.root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return path

    def command(self, name: str, text: str = "#!/bin/sh\n") -> Path:
        return self.executable(self.bin / name, text)

    def download(self, revision: str, file: str, cache: str = "home/.cache/ms-playwright") -> Path:
        path = self.executable(Path(cache, revision, file))
        (self.root / cache / revision / "INSTALLATION_COMPLETE").touch()
        return path

    def find(self, setting: str | None = None) -> FoundBrowser:
        return find_browser(setting, environ=self.environ, platform=self.platform, root=self.root)

    def finds(self, path: Path, source: Source, *, headless_shell: bool) -> bool:
        return self.find() == FoundBrowser(path, source, headless_shell)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_setting_beats_everything(machine: Machine) -> None:
    machine.download("chromium_headless_shell-9", HEADLESS)
    chosen = machine.executable("opt/my browser/chrome")
    assert machine.find(str(chosen)) == FoundBrowser(chosen, "setting", headless_shell=False)


def test_setting_may_be_a_headless_shell_a_command_or_below_home(machine: Machine) -> None:
    command = machine.command("chromium-headless-shell")
    at_home = machine.executable("home/bin/chrome")
    assert machine.find("chromium-headless-shell") == FoundBrowser(
        command, "setting", headless_shell=True
    )
    assert machine.find("~/bin/chrome").path == at_home


@pytest.mark.parametrize(
    ("setting", "why"),
    [
        ("/nowhere/chrome", "no such file"),
        ("no-such-chrome", "on the PATH"),
        ("{root}/home", "folder"),
        ("{root}/plain", "not executable"),
    ],
)
def test_wrong_setting_is_named_even_when_there_is_another(
    machine: Machine, setting: str, why: str
) -> None:
    machine.command("chromium")
    (machine.root / "home").mkdir()
    (machine.root / "plain").touch(mode=0o644)
    given = setting.format(root=machine.root)
    with pytest.raises(BrowserError, match=why) as caught:
        machine.find(given)
    assert given in caught.value.message
    assert "browser.executable" in (caught.value.remedy or "")


def test_downloads_beat_the_system(machine: Machine) -> None:
    machine.command("chromium-headless-shell")
    path = machine.download("chromium-12", FULL)
    assert machine.finds(path, "playwright", headless_shell=False)


def test_newest_headless_shell_beats_newer_full_browsers(machine: Machine) -> None:
    machine.download("chromium-1300", FULL)
    machine.download("chromium_headless_shell-999", HEADLESS)
    path = machine.download("chromium_headless_shell-1200", HEADLESS)
    machine.download("chromium_headless_shell-tip", HEADLESS)
    assert machine.finds(path, "playwright", headless_shell=True)


def test_half_finished_download_is_not_taken(machine: Machine) -> None:
    machine.download("chromium_headless_shell-2", HEADLESS)
    cache = machine.root / "home/.cache/ms-playwright"
    (cache / "chromium_headless_shell-2/INSTALLATION_COMPLETE").unlink()
    path = machine.download("chromium_headless_shell-1", HEADLESS)
    assert machine.finds(path, "playwright", headless_shell=True)


@pytest.mark.parametrize(
    ("platform", "cache", "file"),
    [
        ("linux", "home/.cache", "chrome-linux/headless_shell"),
        ("linux", "home/.cache", "chrome-headless-shell-linux-arm64/chrome-headless-shell"),
        ("linux", "home/.cache", "chrome-linux/chrome"),
        ("linux", "home/.cache", "chrome-linux-arm64/chrome"),
        (
            "darwin",
            "home/Library/Caches",
            "chrome-headless-shell-mac-arm64/chrome-headless-shell",
        ),
        (
            "darwin",
            "home/Library/Caches",
            "chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
        ),
        ("darwin", "home/Library/Caches", "chrome-mac/Chromium.app/Contents/MacOS/Chromium"),
        (
            "win32",
            "home/AppData/Local",
            "chrome-headless-shell-win64/chrome-headless-shell.exe",
        ),
        ("win32", "home/AppData/Local", "chrome-win/chrome.exe"),
    ],
)
def test_layouts_of_downloads(tmp_path: Path, platform: str, cache: str, file: str) -> None:
    machine = Machine(tmp_path, platform)
    headless_shell = "headless" in file
    revision = "chromium_headless_shell-1" if headless_shell else "chromium-1"
    path = machine.download(revision, file, f"{cache}/ms-playwright")
    assert machine.finds(path, "playwright", headless_shell=headless_shell)


@pytest.mark.parametrize(
    ("variable", "value", "cache"),
    [
        ("PLAYWRIGHT_BROWSERS_PATH", "{root}/mine", "mine"),
        ("XDG_CACHE_HOME", "{root}/xdg", "xdg/ms-playwright"),
    ],
)
def test_variables_move_the_downloads(
    machine: Machine, variable: str, value: str, cache: str
) -> None:
    path = machine.download("chromium_headless_shell-1", HEADLESS, cache)
    machine.environ[variable] = value.format(root=machine.root)
    assert machine.finds(path, "playwright", headless_shell=True)


def test_downloads_inside_the_package_are_looked_for(machine: Machine) -> None:
    machine.download("chromium_headless_shell-1", HEADLESS)
    machine.environ["PLAYWRIGHT_BROWSERS_PATH"] = "0"
    with pytest.raises(BrowserError):
        machine.find()


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("chromium-headless-shell", "chromium"),
        ("headless_shell", "google-chrome"),
        ("chromium", "google-chrome"),
        ("chromium-browser", "google-chrome-stable"),
        ("google-chrome", "chrome"),
    ],
)
def test_order_of_system_commands(machine: Machine, better: str, worse: str) -> None:
    machine.command(worse)
    path = machine.command(better)
    assert machine.finds(path, "system", headless_shell="headless" in better)


def test_headless_shell_outside_the_path(machine: Machine) -> None:
    machine.command("chromium-browser")
    path = machine.executable("usr/lib64/chromium-browser/headless_shell")
    assert machine.finds(path, "system", headless_shell=True)


def test_usual_place_on_a_mac(tmp_path: Path) -> None:
    machine = Machine(tmp_path, "darwin")
    path = machine.executable("Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
    assert machine.finds(path, "system", headless_shell=False)


def test_usual_place_on_windows(tmp_path: Path) -> None:
    machine = Machine(tmp_path, "win32")
    machine.environ["PROGRAMFILES"] = str(tmp_path / "Program Files")
    path = machine.executable("Program Files/Google/Chrome/Application/chrome.exe")
    assert machine.finds(path, "system", headless_shell=False)


def test_snap_is_the_last_choice(machine: Machine) -> None:
    snap = machine.executable("usr/lib/snapd/snap")
    (machine.bin / "chromium").symlink_to(snap)
    assert machine.finds(machine.bin / "chromium", "system", headless_shell=False)
    path = machine.command("google-chrome")
    assert machine.finds(path, "system", headless_shell=False)


def test_ubuntus_shim_counts_only_with_its_snap(machine: Machine) -> None:
    shim = machine.command("chromium-browser", '#!/bin/sh\nexec /snap/bin/chromium "$@"\n')
    with pytest.raises(BrowserError):
        machine.find()
    machine.executable("snap/bin/chromium")
    assert machine.finds(shim, "system", headless_shell=False)


def test_file_that_cannot_run_is_passed_over(machine: Machine) -> None:
    machine.command("chromium").chmod(0o644)
    path = machine.command("google-chrome")
    assert machine.finds(path, "system", headless_shell=False)


def test_nothing_found_says_what_to_run(machine: Machine) -> None:
    machine.command("pacman")
    with pytest.raises(BrowserError, match="no Chromium found") as caught:
        machine.find()
    remedy = caught.value.remedy or ""
    assert "pacman -S --noconfirm chromium" in remedy
    assert ("sudo" in remedy) == (os.geteuid() != 0)


def test_this_machine_has_one() -> None:
    found = find_browser(environ=os.environ)
    assert os.access(found.path, os.X_OK)
