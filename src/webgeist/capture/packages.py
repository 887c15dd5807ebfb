"""What to run on which system to get a Chromium: decisions only, nothing is started here."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

HEADLESS_PACKAGE = "chromium-headless-shell"

_MANAGERS = {
    "apt-get": ("apt-get", "install", "-y", "--no-install-recommends"),
    "dnf": ("dnf", "install", "-y"),
    "pacman": ("pacman", "-S", "--noconfirm"),
    "zypper": ("zypper", "--non-interactive", "install"),
    "brew": ("brew", "install", "--cask"),
    "winget": ("winget", "install", "--exact", "--id"),
}
_PACKAGES = {
    "apt-get": (HEADLESS_PACKAGE, "chromium"),
    "brew": ("google-chrome",),
    "winget": ("Google.Chrome",),
}
_WITHOUT_ADMINISTRATOR = ("brew", "winget")

Command = tuple[str, ...]


@dataclass(frozen=True)
class System:
    """What the choice of a command depends on."""

    distribution: str  # ID of os-release, such as "debian"; "" elsewhere
    manager: str | None  # the first known package manager on the PATH
    root: bool
    python: str  # the interpreter that has Playwright

    @property
    def chromium_is_a_snap(self) -> bool:
        """Ubuntu's chromium package only fetches a snap, which may not write where we need it."""
        return self.distribution == "ubuntu"


def this_system(environ: Mapping[str, str], *, os_release: Path | None = None) -> System:
    path = environ.get("PATH")
    return System(
        distribution=_distribution(os_release or Path("/etc/os-release")),
        manager=next((name for name in _MANAGERS if shutil.which(name, path=path)), None),
        root=hasattr(os, "geteuid") and os.geteuid() == 0,
        python=sys.executable,
    )


def download_command(system: System) -> Command:
    """Playwright's own download of the headless shell; needs no administrator."""
    return (system.python, "-m", "playwright", "install", HEADLESS_PACKAGE)


def libraries_command(system: System) -> Command:
    """Installs the libraries that a downloaded Chromium needs; calls sudo by itself."""
    return (system.python, "-m", "playwright", "install-deps", HEADLESS_PACKAGE)


def package_commands(system: System) -> tuple[Command, ...]:
    """What the system's package manager can run, best first; nothing where it has no Chromium."""
    if system.manager is None or system.chromium_is_a_snap:
        return ()
    install = _MANAGERS[system.manager]
    names = _PACKAGES.get(system.manager, ("chromium",))
    return tuple((*install, name) for name in names)


def needs_administrator(system: System) -> bool:
    return not system.root and system.manager not in _WITHOUT_ADMINISTRATOR


def as_administrator(command: Command, system: System, *sudo: str) -> Command:
    """The same command with `sudo` in front where the user needs it."""
    return (*(sudo or ("sudo",)), *command) if needs_administrator(system) else command


def remedy(system: System) -> str:
    """One sentence that says what to type here to get a Chromium."""
    download = shlex.join(download_command(system))
    if system.chromium_is_a_snap:
        libraries = shlex.join(libraries_command(system))
        return (
            f"run: {download} && {libraries} (the second asks for an administrator's password),"
            " or install Google Chrome (google-chrome-stable); Ubuntu's chromium package is a snap"
            " and does not suffice"
        )
    packages = package_commands(system)
    if not packages:
        return f"run: {download}, or set browser.executable to a Chromium or Chrome"
    install = shlex.join(as_administrator(packages[0], system))
    note = " (needs an administrator)" if needs_administrator(system) else ""
    fallback = f"; where that package is unknown: {packages[1][-1]}" if packages[1:] else ""
    return f"run: {install}{note}{fallback}, or: {download}"


def _distribution(os_release: Path) -> str:
    """The ID line; a system without the file is none that we must tell apart."""
    if not os_release.is_file():
        return ""
    for line in os_release.read_text(encoding="utf-8", errors="replace").splitlines():
        key, _, value = line.partition("=")
        if key == "ID":
            return value.strip().strip("\"'").lower()
    return ""
