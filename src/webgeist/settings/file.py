"""Reads webgeist.toml into plain values, with an error that names the file and the place."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from webgeist.errors import SettingsError

if TYPE_CHECKING:
    from pathlib import Path

FILE_NAME = "webgeist.toml"
_MOST_BYTES = 1_000_000


def read_toml(file: Path) -> dict[str, object]:
    text = _decode(file, _read(file))
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # a syntax error names its line; a number or a nesting beyond reason has none
        raise SettingsError(
            f"{file} is not valid TOML: {error}", remedy="correct that place in the file"
        ) from error


def _read(file: Path) -> bytes:
    try:
        if file.exists() and not file.is_file():
            raise SettingsError(f"{file} is not a file", remedy="give a TOML file")
        with file.open("rb") as opened:
            data = opened.read(_MOST_BYTES + 1)
    except OSError as error:
        raise SettingsError(
            f"cannot read settings from {file}: {error.strerror}",
            remedy="check the path and your right to read it",
        ) from error
    if len(data) > _MOST_BYTES:
        raise SettingsError(f"{file} is too large for a settings file", remedy="give a TOML file")
    return data


def _decode(file: Path, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SettingsError(
            f"{file} is not UTF-8 (line {line})", remedy="save the file as UTF-8"
        ) from error
