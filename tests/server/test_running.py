"""Where the server listens, and for whom; many clients at once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.server.asking import COUNT, IDS, serving

from webgeist.errors import SettingsError, UsageError
from webgeist.server.running import Address, is_loopback, listening
from webgeist.settings import Settings

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize(
    ("host", "only_here"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("localhost", True),
        ("::1", True),
        ("0.0.0.0", False),
        ("::", False),
        ("10.0.0.1", False),
        ("localhost.example", False),
        ("", False),
    ],
)
def test_who_can_reach_an_address(host: str, only_here: bool) -> None:
    assert is_loopback(host) == only_here


def test_nobody_else_without_a_token(folder: Path, tmp_path: Path) -> None:
    for host in ("0.0.0.0", "::", ""):
        settings = Settings.model_validate({"api": {"host": host, "port": 0, "pages_port": 0}})
        with pytest.raises(UsageError, match="tokens are needed"), listening(folder, settings):
            pass
    empty = tmp_path / "tokens"
    empty.write_text("")
    given = {"host": "0.0.0.0", "token_file": str(empty), "port": 0, "pages_port": 0}
    settings = Settings.model_validate({"api": given})
    with pytest.raises(SettingsError, match="no token"), listening(folder, settings):
        pass


def test_addresses() -> None:
    assert Address("::1", 1, 2).url == "http://[::1]:1/v1/"
    assert Address("127.0.0.1", 1, 2).pages_url == "http://127.0.0.1:2/"


def test_what_was_opened_is_closed(folder: Path) -> None:
    with serving(folder) as asked:
        asked.json("/v1/pages.json")
        shelf = asked.running.serving.shelf
        assert shelf.held == [2]
    assert shelf.held == []


@pytest.mark.slow
def test_two_hundred_clients_at_once(folder: Path) -> None:
    """Nobody is sent away, nobody gets anything wrong, and nothing is left behind."""
    paths = [f"/v1/pages/{IDS[number]}/nodes/3.json" for number in range(COUNT)]
    with serving(folder) as asked:
        order = {"url": asked.url, "clients": 200, "seconds": 20, "paths": paths}
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.serve_clients"],
            input=json.dumps(order),
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
        )
        found = json.loads(done.stdout)
        assert (found["errors"], found["error_kinds"]) == (0, [])
        assert found["requests"] > 200
        now = asked.json("/v1/limits.json")["now"]
        assert now == {"streams": 0, "requests": 0, "queries": 0}
