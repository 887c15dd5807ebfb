"""webgeist doctor: is everything there that webgeist needs?"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

import typer

from webgeist import __version__
from webgeist.cli.exits import ExitCode
from webgeist.cli.repo import HERE, RepoOption
from webgeist.cli.session import JsonOption, session_of
from webgeist.errors import NotFoundError, WebgeistError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from webgeist.settings import Settings

app = typer.Typer(add_completion=False, rich_markup_mode=None)

_LITTLE = 2_000_000_000  # bytes; a thousand captures need about as much
_PACKAGES = ("playwright", "pyarrow", "sqlalchemy")
_SECONDS = 20


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: what it is, and what to do where it is not as it should be."""

    name: str
    ok: bool
    text: str
    remedy: str | None = None


@app.command()
def doctor(ctx: typer.Context, *, repo: RepoOption = HERE, as_json: JsonOption = False) -> None:
    """Look at what webgeist needs: browser, sandbox, disk, rights, and a repository's state.

    Each line says ok or problem, and what to do about it. The exit code is 1 if there is a problem.

    Example: webgeist doctor --repo my-pages
    """
    session = session_of(ctx)
    settings: list[Settings] = []

    def load() -> str:
        settings.append(session.load_settings(folder=repo).settings)
        return "can be read"

    findings = [_versions(), _try("settings", load)]
    if settings:
        findings += _browser(settings[0])
    findings += [_disk(repo), _rights(repo), _try("repository", lambda: _repository(repo))]
    _print(findings, session.output.json if as_json else None, session.output.data)
    if not all(finding.ok for finding in findings):
        raise typer.Exit(ExitCode.ERROR)


def _print(
    findings: list[Finding],
    as_json: Callable[[object], None] | None,
    line: Callable[[str], None],
) -> None:
    if as_json:
        as_json({"ok": all(each.ok for each in findings), "findings": findings})
        return
    for each in findings:
        line(f"{'ok     ' if each.ok else 'problem'}  {each.name}: {each.text}")
        if not each.ok and each.remedy:
            line(f"         try: {each.remedy}")


def _try(name: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(name, ok=True, text=look())
    except WebgeistError as error:
        return Finding(name, ok=False, text=error.message, remedy=error.remedy)


def _versions() -> Finding:
    packages = ", ".join(f"{name} {version(name)}" for name in _PACKAGES)
    python = f"Python {platform.python_version()} on {sys.platform}"
    return Finding("versions", ok=True, text=f"webgeist {__version__}, {python}, {packages}")


def _browser(settings: Settings) -> Iterator[Finding]:
    from webgeist.capture.find import find_browser

    try:
        found = find_browser(settings.browser.executable, environ=os.environ)
    except WebgeistError as error:
        yield Finding("browser", ok=False, text=error.message, remedy=error.remedy)
        return
    shell = "a headless shell" if found.headless_shell else "a full browser (slower)"
    yield _try("browser", lambda: f"{_ask_version(found.path)} at {found.path}, {shell}")
    yield _sandbox()


def _ask_version(path: Path) -> str:
    from webgeist.errors import BrowserError

    try:
        done = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BrowserError(f"{path} does not start: {error}") from error
    if done.returncode:
        words = done.stderr.strip().splitlines()
        raise BrowserError(
            f"{path} does not start: {words[-1] if words else done.returncode}",
            remedy="install the libraries that it lacks, or set another browser.executable",
        )
    return done.stdout.strip()


def _sandbox() -> Finding:
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        text = "off, because this is root: run webgeist as another user where pages are not trusted"
        return Finding("sandbox", ok=True, text=text)
    return Finding("sandbox", ok=True, text="on")


def _nearest_folder(path: Path) -> Path:
    """The path, or the first folder above it that is there."""
    path = path.absolute()
    return next(folder for folder in (path, *path.parents) if folder.is_dir())


def _disk(repo: Path) -> Finding:
    free = shutil.disk_usage(_nearest_folder(repo)).free
    text = f"{free / 1e9:,.1f} GB free for {repo.absolute()}"
    return Finding("disk space", free >= _LITTLE, text, "free some space")


def _rights(repo: Path) -> Finding:
    folder = _nearest_folder(repo)
    may = os.access(folder, os.W_OK)
    text = f"{folder} {'can' if may else 'cannot'} be written to"
    return Finding("rights", may, text, "choose a folder that you may write to")


def _repository(repo: Path) -> str:
    from webgeist.repository.readers import current_number
    from webgeist.repository.repository import open_repository

    try:
        with open_repository(repo, readonly=True) as repository:
            newest = current_number(repository.layout)
            published = f"release {newest}" if newest else "nothing published"
            if newest:
                repository.release()
            return f"{len(repository):,} captures, {published}; webgeist check looks deeper"
    except NotFoundError:
        return f"none in {repo.absolute()}"
