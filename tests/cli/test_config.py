"""webgeist config show: the same settings again, and where they come from."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING

import pytest

from webgeist.cli.config import as_toml
from webgeist.cli.exits import ExitCode
from webgeist.cli.run import run
from webgeist.settings import KEYS, VARIABLES, Settings, load_settings

if TYPE_CHECKING:
    from pathlib import Path

AGENT = 'a "quoted" \\ agent é'


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No settings of the machine: an empty folder, no variables."""
    monkeypatch.chdir(tmp_path)
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)


def test_text_is_a_settings_file_with_the_same_settings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEBGEIST_CAPTURE_USER_AGENT", AGENT)
    assert run(["config", "show", "--origin"]) == ExitCode.DONE
    file = tmp_path / "again.toml"
    file.write_text(capsys.readouterr().out, encoding="utf-8")
    settings = load_settings(file=file, environ={}, flags={}).settings
    assert settings.capture.user_agent == AGENT
    assert settings == Settings(capture=settings.capture)


def test_origin_stands_beside_each_value(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "webgeist.toml").write_text("[limits]\nnodes = 5\n")
    monkeypatch.setenv("WEBGEIST_CAPTURE_SCROLL", "no")
    run(["config", "show", "--origin"])
    lines = capsys.readouterr().out.splitlines()
    assert "nodes = 5  # file webgeist.toml" in lines
    assert "scroll = false  # WEBGEIST_CAPTURE_SCROLL" in lines
    assert 'viewport = "desktop"  # default' in lines
    assert "# executable is not set  # default" in lines


def test_origin_only_when_asked_for() -> None:
    loaded = load_settings(environ={}, flags={})
    assert not any("  # " in line for line in as_toml(loaded, with_origin=False))


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "my.toml"
    file.write_text('[capture]\nviewport = "mobile"\n')
    assert run(["--config", str(file), "config", "show", "--json", "--origin"]) == ExitCode.DONE
    document = json.loads(capsys.readouterr().out)
    assert document["settings"]["capture"]["viewport"] == "mobile"
    assert document["origins"]["capture.viewport"] == f"file {file}"
    assert set(document["origins"]) == set(KEYS)
    assert run(["config", "show", "--json"]) == ExitCode.DONE
    assert json.loads(capsys.readouterr().out) == {"settings": Settings().model_dump()}


def test_damaged_settings_file_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "webgeist.toml").write_text("[capture]\nviewprot = 'mobile'\n")
    assert run(["config", "show"]) == ExitCode.SETTINGS
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (
        "error: webgeist.toml: unknown key capture.viewprot\ntry: did you mean capture.viewport?\n"
    )


def test_example_file_reads_as_toml() -> None:
    lines = as_toml(load_settings(environ={}, flags={}), with_origin=True)
    assert set(tomllib.loads("\n".join(lines))) == set(Settings.model_fields)
