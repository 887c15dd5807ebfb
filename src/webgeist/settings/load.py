"""Puts the settings together: flag > WEBGEIST_<SECTION>_<KEY> > webgeist.toml > default."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from webgeist.errors import SettingsError
from webgeist.settings import keys
from webgeist.settings.file import FILE_NAME, read_toml
from webgeist.settings.models import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@dataclass(frozen=True)
class LoadedSettings:
    """The settings in force, and for each dotted key where its value came from."""

    settings: Settings
    origins: Mapping[str, str]


@dataclass(frozen=True)
class _Given:
    """One value that somebody set, as found."""

    key: str
    value: object
    origin: str
    strict: bool  # a TOML file has types of its own; variables are all text


def load_settings(
    *,
    file: Path | None = None,
    environ: Mapping[str, str],
    flags: Mapping[str, object],
    folder: Path | None = None,
) -> LoadedSettings:
    """The settings for one command.

    `file` must exist; without it, webgeist.toml in `folder` (the current one, or a repository) is
    read when there is one. `flags` holds dotted keys as in `{"capture.viewport": "mobile"}`; a flag
    that is None was not given. An empty variable counts as not set. SettingsError names the place.
    """
    origins = dict.fromkeys(keys.KEYS, "default")
    values: dict[str, dict[str, object]] = {section: {} for section in keys.SECTIONS}
    for given in (*_from_file(file, folder), *_from_variables(environ), *_from_flags(flags)):
        section, name = given.key.split(".")
        values[section][name] = _checked(given)
        origins[given.key] = given.origin
    return LoadedSettings(Settings.model_validate(values), origins)


def _from_file(file: Path | None, folder: Path | None) -> Iterator[_Given]:
    if file is None:
        file = (folder or Path()) / FILE_NAME
        if not file.exists():
            return
    origin = f"file {file}"
    for section, table in read_toml(file).items():
        for name, value in _known_table(file, section, table).items():
            yield _Given(f"{section}.{name}", value, origin, strict=True)


def _known_table(file: Path, section: str, table: object) -> dict[str, object]:
    if section not in keys.SECTIONS:
        what = (
            f"unknown section [{section}]"
            if isinstance(table, dict)
            else f"{section} in no section"
        )
        raise SettingsError(f"{file}: {what}", remedy=_did_you_mean(keys.nearest_section(section)))
    if not isinstance(table, dict):
        raise SettingsError(
            f"{file}: {section} is a section, not a value",
            remedy=f"write [{section}] above its keys",
        )
    for name in table:
        if f"{section}.{name}" not in keys.KEYS:
            raise SettingsError(
                f"{file}: unknown key {section}.{name}",
                remedy=_did_you_mean(keys.nearest_key(section, name)),
            )
    return table


def _from_variables(environ: Mapping[str, str]) -> Iterator[_Given]:
    for variable, text in environ.items():
        if keys.is_misspelt(variable):
            raise SettingsError(
                f"unknown variable {variable}",
                remedy=_did_you_mean(keys.nearest_variable(variable)),
            )
        if variable in keys.VARIABLES and text:
            yield _Given(keys.VARIABLES[variable], text, variable, strict=False)


def _from_flags(flags: Mapping[str, object]) -> Iterator[_Given]:
    for key, value in flags.items():
        if key not in keys.KEYS:
            raise KeyError(key)
        if value is not None:
            name = key.partition(".")[2].replace("_", "-")
            yield _Given(key, value, f"flag --{name}", strict=False)


def _checked(given: _Given) -> object:
    """The value as its setting's type."""
    section, name = given.key.split(".")
    try:
        checked = keys.SECTIONS[section].model_validate({name: given.value}, strict=given.strict)
    except ValidationError as error:
        complaint = error.errors(include_url=False)[0]["msg"]
        raise SettingsError(
            f"{given.origin}: {given.key} cannot be {reprlib.repr(given.value)}: {complaint}",
            remedy=f"{given.key}: {keys.description(given.key)}",
        ) from error
    value: object = getattr(checked, name)
    return value


def _did_you_mean(nearest: str | None) -> str:
    return f"did you mean {nearest}?" if nearest else "webgeist config show lists all settings"
