"""The examples of docs/changes.md about teaching and watching do what they say."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.analyses.changes.pages import LAST, MORE, PROSE, news
from tests.watch.servers import hook

import webgeist
from webgeist.cli.exits import ExitCode
from webgeist.cli.run import run
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import Site

TEXT = (Path(__file__).parents[2] / "docs" / "changes.md").read_text("utf-8")
_FENCE = re.compile(r"^```(sh|python)\n(.*?)^```", re.DOTALL | re.MULTILINE)


def _examples(section: str, language: str) -> list[str]:
    text = TEXT.split(f"## {section}\n", 1)[1].split("\n## ", 1)[0]
    return [code for kind, code in _FENCE.findall(text) if kind == language]


def _commands(section: str) -> list[str]:
    lines = [line for code in _examples(section, "sh") for line in code.splitlines()]
    return [line.partition("  #")[0].strip() for line in lines]


@pytest.fixture
def local(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """Two pages that were crawled twice; what stands for what in the examples."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WEBGEIST_GATE_ALLOW_PRIVATE", "true")
    monkeypatch.setenv("WEBGEIST_CRAWL_DELAY_SECONDS", "0")
    for html in (news(), news(PROSE.replace("three", "five"), MORE, LAST)):
        seeds = [site.add(path, html) for path in ("/terms", "/news")]
        assert run(["crawl", *seeds, "--repo", "my-pages", "--refresh", "0"]) == ExitCode.DONE
    with open_repository("my-pages", readonly=True) as repository:
        before, after = (each.capture for each in repository.captures(site.url("/news")))
    with hook() as heard:
        yield {
            "https://example.org/hook": heard.url,
            "https://example.org": site.url("").rstrip("/"),
            " A B ": f" {before} {after} ",
        }


def _translated(command: str, local: dict[str, str]) -> list[str]:
    for said, meant in local.items():
        command = command.replace(said, meant)
    once = ["--once"] if "watch" in command and "--once" not in command else []
    return [*shlex.split(command)[1:], *once]


@pytest.mark.parametrize("section", ["Teach", "Watch"])
def test_commands_in_turn(section: str, local: dict[str, str]) -> None:
    commands = _commands(section)
    assert len(commands) >= 5
    for command in commands:
        assert run(_translated(command, local)) == ExitCode.DONE, command


def test_python(local: dict[str, str]) -> None:
    (code,) = _examples("Teach", "python")
    before, after = local[" A B "].split()
    with open_repository("my-pages") as repository:
        known = {"webgeist": webgeist, "repository": repository, "before": before, "after": after}
        exec(compile(code, "docs/changes.md", "exec"), known)
        change = webgeist.compare(repository.capture(before), repository.capture(after))
    assert not change.important
    assert "as taught" in change.reason
