"""The examples in README.md and docs/getting-started.md do what they say, on the sample web."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from webgeist.cli.run import run
from webgeist.samples.server import serve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from webgeist.samples.server import SampleServer

ROOT = Path(__file__).parent.parent
PAGES = ("README.md", "docs/getting-started.md")
_FENCE = re.compile(r"^```(bash|python)\n(.*?)^```", re.DOTALL | re.MULTILINE)


def _examples(language: str) -> Iterator[tuple[str, str]]:
    for page in PAGES:
        for kind, code in _FENCE.findall((ROOT / page).read_text("utf-8")):
            if kind == language:
                yield page, code


def _commands() -> list[str]:
    lines = [line for _, code in _examples("bash") for line in code.splitlines()]
    wanted = [line.partition("  #")[0].strip() for line in lines if line.startswith("./webgeist ")]
    endless = ("./webgeist demo", "./webgeist samples serve")  # until Ctrl-C; they have own tests
    return [line for line in wanted if not line.startswith(endless)]


@pytest.fixture(scope="module")
def server() -> Iterator[SampleServer]:
    with serve() as server:
        yield server


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "saved.html").write_text("<title>saved</title><h1>Saved</h1>", "utf-8")


@pytest.fixture
def local(server: SampleServer, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Makes examples use the sample web in place of the outside one, which they may reach."""

    def translate(code: str) -> str:
        if "https://example.org" in code:
            monkeypatch.setenv("WEBGEIST_GATE_ALLOW_PRIVATE", "true")
        return _local(code, server)

    return translate


def _local(code: str, server: SampleServer) -> str:
    shown = code.replace("https://example.org", server.url("magazine").rstrip("/"))
    return shown.replace(".localhost:8000", f".localhost:{server.port}")


def test_there_are_examples() -> None:
    assert len(_commands()) >= 5
    assert len(list(_examples("python"))) >= 2


@pytest.mark.parametrize("command", _commands())
def test_command(command: str, local: Callable[[str], str]) -> None:
    expected = 3 if "nosuch" in command else 0
    assert run(shlex.split(local(command))[1:]) == expected


@pytest.mark.parametrize(("page", "code"), list(_examples("python")))
def test_python(page: str, code: str, local: Callable[[str], str]) -> None:
    exec(compile(local(code), page, "exec"), {})
