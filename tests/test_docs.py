"""The docs say what the code has: commands, options, settings, variables, exit codes, dependencies."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import typer

from webgeist.cli.app import root_command
from webgeist.cli.exits import ExitCode
from webgeist.settings import KEYS, OTHER_VARIABLES, VARIABLES

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parent.parent
REFERENCE = ROOT / "docs" / "reference"


def _reference() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reference", ROOT / "scripts" / "reference.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def text() -> str:
    return "\n".join(page.read_text(encoding="utf-8") for page in sorted(REFERENCE.glob("*.md")))


def test_reference_is_what_the_code_generates() -> None:
    pages = {page.name: page.read_text(encoding="utf-8") for page in REFERENCE.glob("*.md")}
    generated = _reference().pages()
    assert {name: pages.get(name) for name in generated} == generated, (
        "run .venv/bin/python scripts/reference.py"
    )


def test_every_command_and_option_is_documented(text: str) -> None:
    root = root_command()
    all_commands = list(_reference().commands(root, typer.Context(root, info_name="webgeist")))
    assert len(all_commands) > 4
    for command, ctx in all_commands:
        assert f"## {ctx.command_path}\n" in text
        for param in command.params:
            for option in param.opts if param.param_type_name == "option" else ():
                assert re.search(rf"[`, ]{option}[`, ]", text), f"{ctx.command_path} {option}"


def test_every_command_has_an_example() -> None:
    root = root_command()
    for command, ctx in _reference().commands(root, typer.Context(root, info_name="webgeist")):
        assert "Example: " in (command.help or ""), ctx.command_path


@pytest.mark.parametrize("name", [*KEYS, *VARIABLES, *OTHER_VARIABLES])
def test_every_setting_and_variable_is_documented(name: str, text: str) -> None:
    assert f"`{name}`" in text


@pytest.mark.parametrize("code", list(ExitCode), ids=lambda code: str(code.name))
def test_every_exit_code_is_documented(code: ExitCode, text: str) -> None:
    assert f"| {code.value} | {code.meaning} |" in text


def test_every_variable_in_the_code_is_a_known_one() -> None:
    files = [ROOT / "webgeist", ROOT / "test", *(ROOT / "scripts").iterdir()]
    files += (ROOT / "src").rglob("*.py")
    used = {
        name
        for file in files
        if file.is_file()
        for name in re.findall(r"(?<!_)\bWEBGEIST_[A-Z_]*[A-Z]\b", file.read_text(encoding="utf-8"))
    }
    assert "WEBGEIST_PYTHON" in used
    assert used <= {*VARIABLES, *OTHER_VARIABLES}


def _requirements() -> set[str]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    lines = list(chain(project["dependencies"], *project["optional-dependencies"].values()))
    names = {re.split(r"[\[<>=~ ]", line)[0] for line in lines}
    return names - {"webgeist"}


def test_every_dependency_has_its_reason() -> None:
    text = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    assert {name for name in _requirements() if f"| {name} |" not in text} == set()


def test_constraints_are_plain_pins_of_what_is_used() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not re.fullmatch(r"[\w.-]+==[\w.+!]+", line)] == []
    pinned = {line.partition("==")[0].lower() for line in lines}
    assert _requirements() - pinned == {"pyspark"}  # an extra that no test installs
