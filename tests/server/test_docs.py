"""The docs say what the API has."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from webgeist.server.about import CONNECTIONS
from webgeist.server.app import create_api
from webgeist.settings.models import ApiSettings

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parent.parent.parent
OPERATIONS = [
    (path, method, operation)
    for path, operations in create_api().openapi()["paths"].items()
    for method, operation in operations.items()
]


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("api", ROOT / "scripts" / "api.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reference_is_what_the_code_generates() -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert text == _script().page(), "run .venv/bin/python scripts/api.py"


def test_every_operation_is_in_the_reference() -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert len(OPERATIONS) > 20
    for path, method, _ in OPERATIONS:
        assert f"### {method.upper()} {path}\n" in text


@pytest.mark.parametrize(
    ("path", "method", "operation"), OPERATIONS, ids=[f"{m} {p}" for p, m, _ in OPERATIONS]
)
def test_every_operation_is_explained_and_has_an_example(
    path: str, method: str, operation: dict[str, Any]
) -> None:
    assert operation["summary"]
    assert operation["description"]
    answers = [operation["responses"].get("200", operation["responses"].get("307"))]
    contents = [content for answer in answers for content in answer.get("content", {}).values()]
    shown = [content for content in contents if "example" in content]
    parameters = [each for each in operation.get("parameters", []) if each["in"] == "path"]
    assert shown or all(each["schema"].get("examples") for each in parameters)
    for parameter in operation.get("parameters", []):
        assert parameter["description"], parameter["name"]
    problems = {status for status in operation["responses"] if status[0] in "45"}
    assert {"400", "401", "403", "404", "500", "503"} <= problems
    for status in problems:
        assert list(operation["responses"][status]["content"]) == ["application/problem+json"]


def test_every_limit_is_explained() -> None:
    text = (ROOT / "docs" / "serving.md").read_text(encoding="utf-8")
    for name in ApiSettings.model_fields:
        assert f"`{name}`" in text, name
    assert f"{CONNECTIONS:,}" in text


def test_it_is_openapi_3_1() -> None:
    assert create_api().openapi()["openapi"].startswith("3.1")
