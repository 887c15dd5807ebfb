"""The error tree: its docstring, its exit codes, and refusals of the disk."""

from __future__ import annotations

import errno
import re
from pathlib import Path

import pytest

import webgeist.errors
from webgeist.cli.exits import ExitCode
from webgeist.errors import StorageError, WebgeistError, writing


def _children(kind: type[WebgeistError]) -> list[type[WebgeistError]]:
    return [kind, *(below for child in kind.__subclasses__() for below in _children(child))]


ALL = [kind for kind in _children(WebgeistError) if kind.__module__ == "webgeist.errors"]


def test_docstring_draws_the_tree_as_it_is() -> None:
    drawn = re.findall(r"(\w+Error)\s+(\d+)\s+(\d{3})", webgeist.errors.__doc__ or "")
    assert [(kind.__name__, str(kind.exit_code), str(kind.http_status)) for kind in ALL] == drawn


@pytest.mark.parametrize("kind", ALL)
def test_each_error_has_a_documented_exit_code(kind: type[WebgeistError]) -> None:
    assert ExitCode(kind.exit_code) is not ExitCode.DONE


def test_text_holds_the_remedy() -> None:
    error = WebgeistError("it broke", remedy="mend it")
    assert (error.message, error.remedy) == ("it broke", "mend it")
    assert str(error) == "it broke (mend it)"
    assert str(WebgeistError("it broke")) == "it broke"


def test_full_disk_is_a_storage_error() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no /dev/full here")
    with pytest.raises(StorageError, match=r"/dev/full.*free some space"), writing(full):
        full.write_text("x", encoding="utf-8")


def test_file_in_the_way_is_a_storage_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageError, match="a file stands where a folder is needed"):
        _make_below(tmp_path / "file")


def _make_below(file: Path) -> None:
    with writing(file):
        (file / "folder").mkdir()


def test_unusual_refusal_still_says_what_happened(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="Input/output error"), writing(tmp_path):
        raise OSError(errno.EIO, "Input/output error")


def test_other_exceptions_pass(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="mine"), writing(tmp_path):
        raise ValueError("mine")
