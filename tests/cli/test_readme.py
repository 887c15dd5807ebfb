"""The README's walk through a repository does what it says, on the sample web."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from webgeist.cli.exits import ExitCode
from webgeist.cli.run import run
from webgeist.samples.server import serve

if TYPE_CHECKING:
    import pytest

README = Path(__file__).parents[2] / "README.md"


def test_the_commands_run_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WEBGEIST_GATE_ALLOW", "127.0.0.0/8")
    monkeypatch.setenv("WEBGEIST_CRAWL_DELAY_SECONDS", "0")
    walks = re.findall(r"^```sh\n(.*?)^```", README.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    lines = [line for walk in walks for line in walk.replace("500", "2").splitlines()]
    commands = [shlex.split(line, comments=True)[1:] for line in lines]
    names = ["crawl"] * 3 + ["capture", "publish", "check", "capture"]
    names += ["analyse", "publish", "show", "export", "query", "stats"]
    names += ["sites", "pagination", "changes"]
    assert [command[0] for command in commands] == names
    with serve() as web:
        here = web.url("manual")
        for command in commands:
            local = [word.replace("https://example.org", here) for word in command]
            assert run(local) == ExitCode.DONE
    assert "node table: the same" in capsys.readouterr().out
