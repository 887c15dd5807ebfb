"""Finds a Chromium: the setting's, Playwright's downloads, the system's; headless shell first.

Only folders are looked at. Starting Playwright's driver to ask it would cost more than a capture.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from webgeist.capture.packages import remedy, this_system
from webgeist.errors import BrowserError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Source = Literal["setting", "playwright", "system"]

_HEADLESS_NAMES = ("chromium-headless-shell", "chrome-headless-shell", "headless_shell")
_BROWSER_NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
_LINUX_PLACES = (  # where packages put a headless shell without a command on the PATH
    "/usr/lib64/chromium-browser/headless_shell",
    "/usr/lib/chromium-browser/headless_shell",
)
_MAC_PLACES = (
    "Applications/Chromium.app/Contents/MacOS/Chromium",
    "Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
_WINDOWS_PLACES = ("Chromium/Application/chrome.exe", "Google/Chrome/Application/chrome.exe")

# Playwright's folders by platform: (folder of a revision, executables inside it).
_HEADLESS_REVISION = re.compile(r"chromium_headless_shell-(\d+)")
_BROWSER_REVISION = re.compile(r"chromium-(\d+)")
_HEADLESS_FILES = {
    "linux": ("chrome-headless-shell-*/chrome-headless-shell", "chrome-linux*/headless_shell"),
    "darwin": ("chrome-headless-shell-*/chrome-headless-shell", "chrome-mac*/headless_shell"),
    "win32": (
        "chrome-headless-shell-*/chrome-headless-shell.exe",
        "chrome-win*/headless_shell.exe",
    ),
}
_BROWSER_FILES = {
    "linux": ("chrome-linux*/chrome",),
    "darwin": ("chrome-mac*/*.app/Contents/MacOS/*",),
    "win32": ("chrome-win*/chrome.exe",),
}
_COMPLETE = "INSTALLATION_COMPLETE"  # Playwright writes it when all files are unpacked
_SHIM_BYTES = 4096  # a launcher script names its snap within this


@dataclass(frozen=True)
class FoundBrowser:
    """An executable Chromium, and where it was found."""

    path: Path
    source: Source
    headless_shell: bool


def find_browser(
    setting: str | None = None,
    *,
    environ: Mapping[str, str],
    platform: str = sys.platform,
    root: Path = Path("/"),
) -> FoundBrowser:
    """The Chromium to use; `setting` is `browser.executable`. BrowserError says what to run.

    `platform` and `root` (of the file system) are for looking at another system's folders.
    """
    if setting:
        return _from_setting(setting, environ)
    found = next(_everywhere(environ, platform, root), None)
    if found is None:
        raise BrowserError("no Chromium found", remedy=remedy(this_system(environ)))
    return found


def _everywhere(environ: Mapping[str, str], platform: str, root: Path) -> Iterator[FoundBrowser]:
    for path, headless in _downloads(_playwright_folder(environ, platform), platform):
        yield FoundBrowser(path, "playwright", headless)
    for path, headless in _installed(environ, platform, root):
        yield FoundBrowser(path, "system", headless)


def _from_setting(setting: str, environ: Mapping[str, str]) -> FoundBrowser:
    given = _home(environ) / setting[2:] if setting.startswith("~/") else Path(setting)
    executable = shutil.which(str(given), path=environ.get("PATH", ""))
    if executable is None:
        raise BrowserError(
            f"browser.executable is {setting}, but {_why_not(given)}",
            remedy="set browser.executable (WEBGEIST_BROWSER_EXECUTABLE) to a Chromium or Chrome,"
            " or unset it to have one found",
        )
    path = Path(executable).absolute()
    headless = any("headless" in name for name in (path.name, path.resolve().name))
    return FoundBrowser(path, "setting", headless)


def _why_not(given: Path) -> str:
    if given.is_dir():
        return "that is a folder"
    if given.exists():
        return "that file is not executable"
    return "there is no such file" if given.name != str(given) else "no such command is on the PATH"


def _home(environ: Mapping[str, str]) -> Path:
    home = environ.get("HOME") or environ.get("USERPROFILE")
    return Path(home) if home else Path.home()


def _playwright_folder(environ: Mapping[str, str], platform: str) -> Path:
    """Where Playwright keeps its browsers: the same rule as in its registry."""
    chosen = environ.get("PLAYWRIGHT_BROWSERS_PATH")
    if chosen == "0":
        package = find_spec("playwright")
        folders = (package and package.submodule_search_locations) or ["."]
        return Path(folders[0], "driver", "package", ".local-browsers")
    if chosen:
        return Path(chosen).absolute()
    if platform == "darwin":
        return _home(environ) / "Library/Caches/ms-playwright"
    if platform == "win32":
        local = environ.get("LOCALAPPDATA")
        return Path(local or _home(environ) / "AppData/Local") / "ms-playwright"
    cache = environ.get("XDG_CACHE_HOME")
    return Path(cache or _home(environ) / ".cache") / "ms-playwright"


def _downloads(folder: Path, platform: str) -> Iterator[tuple[Path, bool]]:
    for pattern, files, headless in (
        (_HEADLESS_REVISION, _HEADLESS_FILES, True),
        (_BROWSER_REVISION, _BROWSER_FILES, False),
    ):
        for revision in _revisions(folder, pattern):
            for file in files.get(platform, files["linux"]):
                for path in _executables(sorted(revision.glob(file))):
                    yield path, headless


def _revisions(folder: Path, pattern: re.Pattern[str]) -> list[Path]:
    """Completely downloaded revisions, newest first."""
    if not folder.is_dir():
        return []
    numbered = [
        (int(match[1]), revision)
        for revision in folder.iterdir()
        if (match := pattern.fullmatch(revision.name)) and (revision / _COMPLETE).exists()
    ]
    return [revision for _, revision in sorted(numbered, reverse=True)]


def _installed(
    environ: Mapping[str, str], platform: str, root: Path
) -> Iterator[tuple[Path, bool]]:
    for path in _on_path(_HEADLESS_NAMES, environ):
        yield path, True
    if platform not in ("darwin", "win32"):
        for path in _executables(root / place.lstrip("/") for place in _LINUX_PLACES):
            yield path, True
    commands = [path for path in _on_path(_BROWSER_NAMES, environ) if not _is_dead_shim(path, root)]
    commands.extend(_executables(_usual_places(environ, platform, root)))
    # A snap may not read or write outside its own folders: only when there is nothing else.
    for path in sorted(commands, key=_is_snap):
        yield path, False


def _on_path(names: Iterable[str], environ: Mapping[str, str]) -> Iterator[Path]:
    for name in names:
        executable = shutil.which(name, path=environ.get("PATH", ""))
        if executable:
            yield Path(executable).absolute()


def _usual_places(environ: Mapping[str, str], platform: str, root: Path) -> Iterator[Path]:
    if platform == "darwin":
        for folder in (root, _home(environ)):
            yield from (folder / place for place in _MAC_PLACES)
    elif platform == "win32":
        for name in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
            if environ.get(name):
                yield from (Path(environ[name]) / place for place in _WINDOWS_PLACES)


def _executables(paths: Iterable[Path]) -> Iterator[Path]:
    return (path for path in paths if shutil.which(str(path)))


def _is_snap(path: Path) -> bool:
    return path.resolve().name == "snap" or _names_snap(path)


def _names_snap(path: Path) -> bool:
    if not os.access(path, os.R_OK):
        return False
    with path.open("rb") as file:
        start = file.read(_SHIM_BYTES)
    return start.startswith(b"#!") and b"/snap/bin/" in start


def _is_dead_shim(path: Path, root: Path) -> bool:
    """Ubuntu's /usr/bin/chromium-browser is a script that only works once the snap is there."""
    return _names_snap(path) and not (root / "snap/bin/chromium").exists()
