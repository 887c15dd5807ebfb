"""Memory of process trees, by processes that hold a known amount."""

from __future__ import annotations

import subprocess
import sys

from webgeist.capture.memory import tree_bytes

MEGABYTES = 64
HOLD = f"data = bytearray({MEGABYTES}_000_000); print(len(data), flush=True); input()"
PARENT = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {HOLD!r}])"


def test_children_count_and_the_dead_do_not() -> None:
    command = [sys.executable, "-c", PARENT]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        held = tree_bytes(process.pid)
        process.communicate("\n")
    assert MEGABYTES * 1e6 < held < 3 * MEGABYTES * 1e6
    assert tree_bytes(process.pid) == 0
