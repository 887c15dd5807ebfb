"""Which command for which system."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webgeist.capture.packages import (
    System,
    as_administrator,
    download_command,
    libraries_command,
    needs_administrator,
    package_commands,
    remedy,
    this_system,
)

if TYPE_CHECKING:
    from pathlib import Path

DEBIAN = System("debian", "apt-get", root=False, python="/x y/python")
APT = ("apt-get", "install", "-y", "--no-install-recommends")


def _system(manager: str | None, distribution: str = "", *, root: bool = False) -> System:
    return System(distribution, manager, root=root, python="python3")


@pytest.mark.parametrize(
    ("manager", "last"),
    [
        ("apt-get", ["chromium-headless-shell", "chromium"]),
        ("dnf", ["chromium"]),
        ("pacman", ["chromium"]),
        ("zypper", ["chromium"]),
        ("brew", ["google-chrome"]),
        ("winget", ["Google.Chrome"]),
        (None, []),
    ],
)
def test_packages_by_manager(manager: str | None, last: list[str]) -> None:
    commands = package_commands(_system(manager))
    assert [command[-1] for command in commands] == last
    assert all(command[0] == manager for command in commands)


def test_ubuntus_chromium_is_not_installed() -> None:
    ubuntu = _system("apt-get", "ubuntu")
    assert package_commands(ubuntu) == ()
    said = remedy(ubuntu)
    assert "playwright install chromium-headless-shell" in said
    assert "google-chrome" in said
    assert "snap" in said


def test_remedy_can_be_typed_as_it_is() -> None:
    assert remedy(DEBIAN) == (
        "run: sudo apt-get install -y --no-install-recommends chromium-headless-shell"
        " (needs an administrator); where that package is unknown: chromium,"
        " or: '/x y/python' -m playwright install chromium-headless-shell"
    )
    assert "sudo" not in remedy(_system("apt-get", "debian", root=True))
    assert remedy(_system("brew")).startswith("run: brew install --cask google-chrome, or:")
    assert "browser.executable" in remedy(_system(None))


def test_who_needs_an_administrator() -> None:
    assert needs_administrator(DEBIAN)
    assert not needs_administrator(_system("apt-get", root=True))
    assert not needs_administrator(_system("brew"))


def test_administrator_by_sudo() -> None:
    assert as_administrator(("dnf",), _system("dnf")) == ("sudo", "dnf")
    assert as_administrator(("dnf",), _system("dnf"), "sudo", "-n") == ("sudo", "-n", "dnf")
    assert as_administrator(("dnf",), _system("dnf", root=True)) == ("dnf",)


def test_playwright_runs_in_our_own_python() -> None:
    assert download_command(DEBIAN)[:4] == ("/x y/python", "-m", "playwright", "install")
    assert libraries_command(DEBIAN)[3] == "install-deps"


@pytest.mark.parametrize(
    ("text", "distribution"),
    [
        ("NAME=x\nID=debian\nVERSION_ID=12\n", "debian"),
        ('ID="ubuntu"\n', "ubuntu"),
        ("NAME=x\n", ""),
        (None, ""),
    ],
)
def test_this_system_is_read_from_its_files(
    tmp_path: Path, text: str | None, distribution: str
) -> None:
    release = tmp_path / "os-release"
    if text is not None:
        release.write_text(text)
    for name in ("dnf", "brew"):
        (tmp_path / name).touch(mode=0o755)
    system = this_system({"PATH": str(tmp_path)}, os_release=release)
    assert (system.distribution, system.manager) == (distribution, "dnf")
    assert this_system({"PATH": str(tmp_path / "none")}, os_release=release).manager is None
