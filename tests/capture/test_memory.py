"""Memory of process trees, by processes that hold a known amount."""

from __future__ import annotations

import platform
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from webgeist.capture.memory import tree_bytes

if TYPE_CHECKING:
    from pathlib import Path

MEGABYTES = 64
HOLD = f"data = bytearray({MEGABYTES}_000_000); print(len(data), flush=True); input()"
ARENAS = """
import ctypes, sys, threading
from webgeist.capture.memory import stay_small
if sys.argv[2] == "share":
    stay_small()
together = threading.Barrier(8)
def work():
    together.wait()
    held = [bytes(5000) for _ in range(200)]
    together.wait()
threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
file = ctypes.c_void_p(libc.fopen(sys.argv[1].encode(), b"w"))
libc.malloc_info(0, file)
libc.fclose(file)
"""
LARGE = """
import pyarrow as pa, sys
from webgeist.capture.memory import stay_small, tree_bytes
import os
if sys.argv[1] == "small":
    stay_small()
for size in (4 << 20, 8 << 20, 16 << 20):  # glibc learns that such blocks come and go
    bytes(size)
large, between = [], []
for _ in range(20):
    large.append(b"x" * (6 << 20))
    between.append(b"x" * 5000)
held = tree_bytes(os.getpid())
large.clear()
print(held - tree_bytes(os.getpid()), pa.default_memory_pool().backend_name)
"""
BETWEEN = """
import os
from webgeist.capture.memory import Leftovers, tree_bytes
leftovers = Leftovers()
leftovers.give_back()
blocks = [b"x" * 5000 for _ in range(20_000)]
last = blocks[-1]
del blocks
held = tree_bytes(os.getpid())
leftovers.give_back()
print(held - tree_bytes(os.getpid()))
"""
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


glibc_only = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="other allocators are left as they are"
)


def said(program: str, *arguments: str) -> list[str]:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


@glibc_only
def test_large_blocks_go_back_at_once() -> None:
    given_back, pool = said(LARGE, "small")
    assert int(given_back) > 100e6
    assert pool == "system"
    given_back, _ = said(LARGE, "as it was")
    assert int(given_back) < 100e6


@glibc_only
def test_what_is_free_between_blocks_can_be_given_back() -> None:
    (given_back,) = said(BETWEEN)
    assert int(given_back) > 50e6


@glibc_only
def test_threads_share_arenas(tmp_path: Path) -> None:
    def arenas(how: str) -> int:
        told = tmp_path / how
        subprocess.run([sys.executable, "-c", ARENAS, str(told), how], check=True)
        return told.read_text().count("<heap nr=")

    assert arenas("share") <= 2 < arenas("each")
