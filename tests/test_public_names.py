"""The public names: a change here is a change for every user."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys

import pytest

import webgeist
from webgeist import aio


def test_webgeist_has_these_names() -> None:
    assert webgeist.__all__ == [
        "ALWAYS",
        "Capture",
        "Change",
        "Outcome",
        "Release",
        "Repository",
        "Run",
        "Settings",
        "WebgeistError",
        "__version__",
        "capture",
        "capture_all",
        "classify_blocks",
        "compare",
        "find_pagination",
        "mine_menus",
        "open_capture",
        "open_repository",
        "paginate",
        "query",
        "replay",
        "teach",
    ]


def test_the_asynchronous_forms_have_the_same_names() -> None:
    assert aio.__all__ == ["capture", "capture_all", "paginate", "replay"]


@pytest.mark.parametrize("name", webgeist.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(webgeist, name) is not None


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = webgeist.no_such_name


def test_the_version_is_the_packages() -> None:
    assert webgeist.__version__ == importlib.metadata.version("webgeist")


def test_importing_webgeist_loads_nothing_heavy() -> None:
    code = "import sys, webgeist; print([n for n in ('pyarrow', 'numpy', 'PIL', 'pydantic', 'sqlalchemy', 'duckdb', 'sqlglot') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_capture_is_the_function_even_after_its_room_was_imported() -> None:
    import webgeist.capture.model

    assert callable(webgeist.capture)
