"""Makes sure there is a Chromium: found, else Playwright's download, else the system's package.

`python -m webgeist.capture.install` does it; `./webgeist` runs that once, when it sets itself up.
What to run is decided in `webgeist.capture.packages`; here it is run, with a limit on every wait.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webgeist.capture.find import FoundBrowser, find_browser
from webgeist.capture.packages import (
    HEADLESS_PACKAGE,
    Command,
    System,
    as_administrator,
    download_command,
    libraries_command,
    needs_administrator,
    package_commands,
    remedy,
    this_system,
)
from webgeist.errors import BrowserError, WebgeistError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

DOWNLOAD_SECONDS = 180.0
PACKAGE_SECONDS = 900.0  # a package manager cut short leaves the system half configured
QUESTION_SECONDS = 20.0
SKIP_DOWNLOAD = "WEBGEIST_SKIP_BROWSER_DOWNLOAD"


@dataclass(frozen=True)
class Finished:
    """How a command ended; `ok` is false too when it ran out of time or does not exist."""

    ok: bool
    last_line: str


def install_browser(
    say: Callable[[str], None],
    *,
    environ: Mapping[str, str] = os.environ,
    system: System | None = None,
) -> FoundBrowser:
    """A Chromium that starts, installed if need be; `say` hears what is going on.

    BrowserError holds the command that the user has to run when nothing here was allowed or worked.
    """
    system = system or this_system(environ)
    setting = environ.get("WEBGEIST_BROWSER_EXECUTABLE")
    if setting:
        return find_browser(setting, environ=environ)
    found = _look(environ)
    if found:
        return found
    for attempt in (_download, _install_package):
        attempt(say, environ, system)
        found = _look(environ)
        if found and _starts(found, say, environ, system):
            return found
    raise BrowserError("no Chromium found, and none could be installed", remedy=remedy(system))


def _look(environ: Mapping[str, str]) -> FoundBrowser | None:
    try:
        return find_browser(environ=environ)
    except BrowserError:  # the question here is only whether there is one
        return None


def _download(say: Callable[[str], None], environ: Mapping[str, str], system: System) -> None:
    if environ.get(SKIP_DOWNLOAD) == "1":
        say(f"{SKIP_DOWNLOAD}=1: not downloading Chromium")
        return
    say(f"downloading Chromium with Playwright (about 100 MB, at most {DOWNLOAD_SECONDS:.0f} s)")
    ended = _run(download_command(system), environ, DOWNLOAD_SECONDS)
    if not ended.ok:
        say(f"the download failed: {ended.last_line}")


def _install_package(
    say: Callable[[str], None], environ: Mapping[str, str], system: System
) -> None:
    commands = package_commands(system)
    if not commands:
        return
    if not _may_install(system, environ):
        say("a system package would do, but installing one needs administrator rights")
        return
    for command in _known_packages(commands, environ, system):
        ready = as_administrator(command, system, "sudo", "-n")
        say(f"running {shlex.join(ready)} (some minutes)")
        ended = _run(ready, environ, PACKAGE_SECONDS)
        if ended.ok:
            return
        say(f"{command[0]} failed: {ended.last_line}")


def _may_install(system: System, environ: Mapping[str, str]) -> bool:
    if not needs_administrator(system):
        return True
    return _run(("sudo", "-n", "true"), environ, QUESTION_SECONDS).ok


def _known_packages(
    commands: tuple[Command, ...], environ: Mapping[str, str], system: System
) -> Iterator[Command]:
    """Those whose package exists here; Debian's list is fetched once if it lacks the best one."""
    if system.manager != "apt-get":
        yield from commands
        return
    if not _is_known(HEADLESS_PACKAGE, environ):
        update = as_administrator(("apt-get", "update"), system, "sudo", "-n")
        _run(update, environ, PACKAGE_SECONDS)
    yield from (command for command in commands if _is_known(command[-1], environ))


def _is_known(package: str, environ: Mapping[str, str]) -> bool:
    return _run(("apt-cache", "show", package), environ, QUESTION_SECONDS).ok


def _starts(
    found: FoundBrowser, say: Callable[[str], None], environ: Mapping[str, str], system: System
) -> bool:
    """Whether it can say its version: a downloaded Chromium may lack system libraries."""
    version = (str(found.path), "--version")
    ended = _run(version, environ, QUESTION_SECONDS)
    if not ended.ok and found.source == "playwright" and _may_install(system, environ):
        say("installing the system libraries that Chromium needs (some minutes)")
        _run(libraries_command(system), environ, PACKAGE_SECONDS)
        ended = _run(version, environ, QUESTION_SECONDS)
    if not ended.ok:
        say(f"{found.path} does not start: {ended.last_line}")
    return ended.ok


def _run(command: Command, environ: Mapping[str, str], seconds: float) -> Finished:
    """Run to the end or to the limit; the whole process group ends with it."""
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**environ, "DEBIAN_FRONTEND": "noninteractive"},
            start_new_session=True,
        )
    except OSError as error:
        return Finished(ok=False, last_line=f"{command[0]}: {error.strerror}")
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        _end(process)
        return Finished(ok=False, last_line=f"no success within {seconds:.0f} s")
    except BaseException:  # interrupted: leave nothing running behind
        _end(process)
        raise
    return Finished(ok=process.returncode == 0, last_line=_last_line(output))


def _end(process: subprocess.Popen[bytes]) -> None:
    """End it with its children; what runs by sudo is not ours to end and finishes by itself."""
    try:
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    except PermissionError:
        return
    process.communicate()


def _last_line(output: bytes) -> str:
    """The line that says what went wrong: the last with "error" in it, else the last."""
    lines = [line.strip() for line in output.decode(errors="replace").splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    return (errors or lines or ["it said nothing"])[-1]


def main() -> int:
    """0 when there is a Chromium; else one sentence on stderr and the error's exit code."""

    def say(line: str) -> None:
        sys.stderr.write(f"webgeist: {line}\n")
        sys.stderr.flush()

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        found = install_browser(say)
    except KeyboardInterrupt:
        return 1
    except WebgeistError as error:
        say(str(error))
        return error.exit_code
    say(f"using {found.path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
