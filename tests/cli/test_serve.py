"""webgeist serve and webgeist token, as programs of their own."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import psutil
import pytest
from tests.repository.making import new_repository

from webgeist.cli.exits import ExitCode
from webgeist.cli.run import run

if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAM = Path(sys.executable).parent / "webgeist"
FREE = ("--port", "0", "--pages-port", "0")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with new_repository(tmp_path / "r", 1, 2) as repository:
        repository.publish()
    return tmp_path / "r"


@contextmanager
def serving(*args: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    process = subprocess.Popen(
        [PROGRAM, "serve", "--json", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            assert process.stdout
            lines = [process.stdout.readline() for _ in range(4)]
            yield process, json.loads("".join(lines))
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda each: each.name)
def test_serves_until_it_is_told_to_stop(folder: Path, number: signal.Signals) -> None:
    with serving("--repo", str(folder), *FREE) as (process, address):
        assert httpx.get(address["url"]).json()["captures"] == 2
        assert httpx.get(address["pages_url"]).status_code == 404
        below = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(number)
        assert process.wait(timeout=30) == ExitCode.DONE
        assert process.stderr
        assert "stopped" in process.stderr.read()
    assert not any(child.is_running() for child in below)
    with pytest.raises(httpx.ConnectError):
        httpx.get(address["url"])


def test_a_reader_that_hangs_does_not_keep_it(folder: Path) -> None:
    with serving("--repo", str(folder), *FREE) as (process, address):
        url = httpx.URL(address["url"])
        with socket.create_connection((url.host, url.port or 0), timeout=30) as client:
            client.sendall(b"GET /v1/ HTTP/1.1\r\nHost: loc")
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=30) == ExitCode.DONE


def test_work_that_hangs_does_not_keep_it(folder: Path) -> None:
    """A picture that cannot be read, as on a disk that does not answer."""
    pictures = [path for path in (folder / "screenshots").rglob("*.jpg") if path.is_file()]
    for picture in pictures:
        picture.unlink()
        os.mkfifo(picture)
    with serving("--repo", str(folder), *FREE) as (process, address):
        capture = httpx.get(f"{address['url']}pages.json").json()["items"][0]["capture"]
        url = httpx.URL(address["url"])
        with socket.create_connection((url.host, url.port or 0), timeout=30) as client:
            path = f"/v1/pages/{capture}/screenshot.jpeg"
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            while not httpx.get(f"{address['url']}limits.json").json()["now"]["queries"]:
                pass
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=30) == ExitCode.DONE


def test_others_need_a_token(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for host in ("0.0.0.0", "::", "192.0.2.1", "example.org"):
        assert run(["serve", "--repo", str(folder), "--host", host]) == ExitCode.USAGE
        assert "--token-file" in capsys.readouterr().err


def test_with_a_token_others_may(folder: Path, tmp_path: Path, capfd: Any) -> None:
    file = tmp_path / "tokens"
    assert run(["token", str(file), "--name", "alice", "--json"]) == 0
    made = json.loads(capfd.readouterr().out)
    assert (made["scope"], made["name"]) == ("read", "alice")
    assert made["token"] not in file.read_text()
    options = ("--repo", str(folder), "--host", "0.0.0.0", "--token-file", str(file), *FREE)
    with serving(*options) as (_, address):
        url = address["url"].replace("0.0.0.0", "127.0.0.1")
        assert httpx.get(url).status_code == 401
        given = {"authorization": f"Bearer {made['token']}"}
        assert httpx.get(url, headers=given).status_code == 200


def test_a_token_is_printed_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "tokens"
    assert run(["token", str(file)]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("webgeist_")
    assert "last time" in said.err
    assert run(["token", str(file)]) == ExitCode.USAGE
    assert "called anybody" in capsys.readouterr().err
    assert run(["token", str(tmp_path / "no" / "folder")]) == ExitCode.STORAGE


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--repo", "nowhere"], ExitCode.NOT_FOUND, "webgeist init"),
        (["--token-file", "missing"], ExitCode.SETTINGS, "webgeist token"),
        (["--host", "nonsense", "--token-file", "tokens"], ExitCode.USAGE, "IP address"),
    ],
)
def test_what_cannot_be_served(folder: Path, options: list[str], code: ExitCode, said: str) -> None:
    subprocess.run([PROGRAM, "token", "tokens"], cwd=folder, check=True, capture_output=True)
    ended = subprocess.run(
        [PROGRAM, "serve", *options], cwd=folder, capture_output=True, text=True, check=False
    )
    assert ended.returncode == code
    assert said in ended.stderr


def test_a_port_that_is_taken(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for options in (["--port", port], ["--port", "0", "--pages-port", port]):
            assert run(["serve", "--repo", str(folder), *options]) == ExitCode.USAGE
            assert f"choose another with {options[-2]}" in capsys.readouterr().err
