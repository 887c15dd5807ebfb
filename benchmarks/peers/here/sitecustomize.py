"""Python imports this by itself when the folder is in PYTHONPATH: no name is resolved but ours.

So a program under measurement, and every process that it starts, stays on this machine, whatever
hosts its pages name. Chromium has rules of its own for that.

Where WEBGEIST_PROFILE names a folder, each thread leaves its profile there, in CPU time.
"""

from __future__ import annotations

import os
import socket
from typing import Any

_ask = socket.getaddrinfo


def _ask_here(host: bytes | str | None, *more: Any, **named: Any) -> list[Any]:
    name = host.decode() if isinstance(host, bytes) else host
    if name == "localhost" or (name or "").endswith(".localhost"):
        return _ask("127.0.0.1", *more, **named)
    if name in {None, "127.0.0.1", "::1"}:
        return _ask(name, *more, **named)
    raise socket.gaierror(socket.EAI_NONAME, f"{name} is not on this machine")


def _profile_threads(folder: str) -> None:
    """A profile sees one thread only: so each gets one, written when it ends."""
    import atexit
    import cProfile
    import threading
    import time

    def begin() -> cProfile.Profile:
        profile = cProfile.Profile(time.thread_time)
        profile.enable()
        return profile

    def end(profile: cProfile.Profile, name: str) -> None:
        profile.disable()
        profile.dump_stats(f"{folder}/{os.getpid()}-{name}.prof")

    run = threading.Thread.run

    def run_profiled(thread: threading.Thread) -> None:
        profile = begin()
        try:
            run(thread)
        finally:
            end(profile, str(threading.get_native_id()))

    setattr(threading.Thread, "run", run_profiled)  # noqa: B010 - mypy forbids to assign it
    atexit.register(end, begin(), "main")


socket.getaddrinfo = _ask_here
if folder := os.environ.get("WEBGEIST_PROFILE"):
    _profile_threads(folder)
