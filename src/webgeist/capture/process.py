"""A Chromium process of our own: started with two pipes, it ends when they close or we die."""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webgeist.capture.cdp import Connection
from webgeist.capture.own_folder import OwnFolder
from webgeist.errors import BrowserError
from webgeist.undisturbed import undisturbed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_PIPE_BYTES = 1 << 20  # fewer, larger reads of snapshots and pictures
_EXIT_SECONDS = 5.0

_FEATURES = (
    "AcceptCHFrame",
    "BackForwardCache",
    "CertificateTransparencyComponentUpdater",
    "DialMediaRouteProvider",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "IsolateOrigins",
    "LazyFrameLoading",
    "MediaRouter",
    "OptimizationHints",
    "PaintHolding",
    "Translate",
    "site-per-process",
)
FLAGS = (
    "--remote-debugging-pipe",
    "--headless",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-startup-window",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-component-extensions-with-background-pages",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--disable-quic",
    "--disable-breakpad",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-field-trial-config",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-ipc-flooding-protection",
    "--disable-back-forward-cache",
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    "--disable-search-engine-choice-screen",
    "--block-new-web-contents",  # no pop-up opens: nobody has clicked
    "--disable-dev-shm-usage",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--hide-scrollbars",
    "--mute-audio",
    "--no-service-autorun",
    "--password-store=basic",
    "--use-mock-keychain",
    "--metrics-recording-only",
    "--disable-gpu",
    # The same pixels each time: tiles are painted whole, pictures stand still and are there.
    "--disable-partial-raster",
    "--disable-checker-imaging",
    "--blink-settings=imageAnimationPolicy=2",
    # Painted by the processor, a page is cheaper in few large tiles than in many of 256 pixels.
    "--default-tile-width=1280",
    "--default-tile-height=1024",
    "--num-raster-threads=1",
    # One process per tab slot, so that one snapshot holds the frames of every site.
    "--disable-site-isolation-trials",
    "--disable-features=" + ",".join(_FEATURES),
    # No datagram leaves beside the proxy.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)


@dataclass
class Process:
    """A running Chromium and the folder it writes to. `stop` ends both."""

    pid: int
    _own_folder: OwnFolder
    connection: Connection
    _transports: tuple[asyncio.BaseTransport, ...]

    @property
    def folder(self) -> Path:
        return self._own_folder.path

    def last_words(self) -> str:
        """The end of what Chromium wrote to its log, for error messages."""
        log = (self.folder / "stderr.log").read_text("utf-8", "replace")
        return log.strip()[-2000:]

    async def stop(self) -> None:
        """End it and remove its folder, also if the caller is interrupted meanwhile."""
        await undisturbed(self._stop())

    async def _stop(self) -> None:
        for transport in self._transports:
            transport.close()
        try:
            async with asyncio.timeout(_EXIT_SECONDS):
                while not self._ended():  # noqa: ASYNC110 - a child's end is no event of the loop
                    await asyncio.sleep(0.01)
        except TimeoutError:
            self.kill()
            await asyncio.to_thread(os.waitpid, self.pid, 0)
        _kill_group(self.pid)  # what a dying browser left behind
        await asyncio.to_thread(self._own_folder.remove)

    def kill(self) -> None:
        _kill_group(self.pid)

    def _ended(self) -> bool:
        try:
            return os.waitpid(self.pid, os.WNOHANG)[0] == self.pid
        except ChildProcessError:
            return True


def _kill_group(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


async def start(executable: Path, flags: Sequence[str], command_seconds: float) -> Process:
    """Start Chromium. It has its own session, so that one signal reaches all its children."""
    folder = OwnFolder("webgeist-chromium-")
    commands_out, commands_in = _pipe()
    answers_out, answers_in = _pipe()
    try:
        arguments = [*FLAGS, *flags, f"--user-data-dir={folder.path}"]
        pid = _spawn(executable, arguments, folder.path, commands_out, answers_in)
    except OSError as error:
        os.close(commands_in)
        os.close(answers_out)
        folder.remove()
        raise BrowserError(
            f"cannot start {executable}: {error.strerror}",
            remedy="set another with browser.executable",
        ) from error
    finally:
        os.close(commands_out)
        os.close(answers_in)
    connecting = asyncio.ensure_future(_connect(commands_in, answers_out, command_seconds))
    try:
        return Process(pid, folder, *await undisturbed(connecting))
    except asyncio.CancelledError:
        await Process(pid, folder, *connecting.result()).stop()
        raise


def _pipe() -> tuple[int, int]:
    """A pipe whose ends are above the numbers 0 to 4 that the child will know it by."""
    ends = os.pipe()
    high = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends)
    for end in ends:
        os.close(end)
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        fcntl.fcntl(high[1], fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    return high[0], high[1]


def _spawn(
    executable: Path, arguments: Sequence[str], folder: Path, commands: int, answers: int
) -> int:
    log = os.open(folder / "stderr.log", os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC)
    null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    try:
        return os.posix_spawn(
            executable,
            [str(executable), *arguments],
            os.environ,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, null, 0),
                (os.POSIX_SPAWN_DUP2, null, 1),
                (os.POSIX_SPAWN_DUP2, log, 2),
                (os.POSIX_SPAWN_DUP2, commands, 3),
                (os.POSIX_SPAWN_DUP2, answers, 4),
            ],
            setsid=True,
        )
    finally:
        os.close(log)
        os.close(null)


async def _connect(
    commands: int, answers: int, command_seconds: float
) -> tuple[Connection, tuple[asyncio.BaseTransport, ...]]:
    loop = asyncio.get_running_loop()
    writer, _ = await loop.connect_write_pipe(asyncio.Protocol, os.fdopen(commands, "wb", 0))
    reader, connection = await loop.connect_read_pipe(
        lambda: Connection(writer, command_seconds), os.fdopen(answers, "rb", 0)
    )
    return connection, (writer, reader)
