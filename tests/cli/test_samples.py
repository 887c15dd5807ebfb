"""webgeist samples serve, as a program of its own."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import Request, urlopen

from webgeist.cli.exits import ExitCode
from webgeist.cli.run import run

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

PROGRAM = Path(sys.executable).parent / "webgeist"


@contextmanager
def serving(*args: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [PROGRAM, "samples", "serve", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline()


def test_prints_addresses_serves_and_ends_with_ctrl_c() -> None:
    with serving() as process:
        address = _line(process).split()[0]
        port = int(address.rstrip("/").rpartition(":")[2])
        request = Request(f"http://127.0.0.1:{port}/", headers={"Host": f"localhost:{port}"})
        with urlopen(request, timeout=30) as answer:
            assert b"Sample sites" in answer.read()
        process.send_signal(signal.SIGINT)
        # not communicate(): it would miss the lines that readline() has buffered already
        assert process.stdout
        assert process.stderr
        rest, messages = process.stdout.read(), process.stderr.read()
        assert process.wait(timeout=30) == ExitCode.DONE
    assert f"http://shop.localhost:{port}/" in rest
    assert "stopped" in messages
    assert "Traceback" not in messages


def test_json_is_one_document() -> None:
    with serving("--json") as process:
        text = ""
        while not text.endswith("}\n") or text.count("{") != text.count("}"):
            text += _line(process)
        document = json.loads(text)
        assert document["url"] == f"http://localhost:{document['port']}/"
        assert {"name", "title", "url"} == set(document["sites"][0])
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        assert process.returncode == ExitCode.DONE


def test_taken_port_is_said_with_a_remedy(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run(["samples", "serve", "--port", str(port)]) == ExitCode.USAGE
    message = capsys.readouterr().err
    assert f"port {port} is taken" in message
    assert "try: " in message
