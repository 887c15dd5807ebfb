"""The names of settings: dotted keys, variables, and the nearest known name to a wrong one."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from webgeist.settings.models import Section, Settings

if TYPE_CHECKING:
    from collections.abc import Iterable

PREFIX = "WEBGEIST_"

# Variables that are no settings: each with what it does, for the docs.
OTHER_VARIABLES = {
    "WEBGEIST_PYTHON": "The Python that ./webgeist and ./test make their environment with.",
    "WEBGEIST_SKIP_BROWSER_DOWNLOAD": "1: never download Chromium; use what the system has.",
    "WEBGEIST_LOG": "Form of log lines on stderr: human (the default) or json, one object a line.",
    "WEBGEIST_SMTP_PASSWORD": "The password of watch.smtp_user, where no file has it.",
}

SECTIONS: dict[str, type[Section]] = {
    name: field.annotation
    for name, field in Settings.model_fields.items()
    if isinstance(field.annotation, type) and issubclass(field.annotation, Section)
}
KEYS: tuple[str, ...] = tuple(
    f"{section}.{key}" for section, model in SECTIONS.items() for key in model.model_fields
)
VARIABLES: dict[str, str] = {PREFIX + key.replace(".", "_").upper(): key for key in KEYS}
_ALL_VARIABLES = (*VARIABLES, *OTHER_VARIABLES)

_NEAR = 0.6  # how alike a suggestion must be
_SAME_BUT_FOR_A_SLIP = 0.85  # how alike a stray variable must be to count as a misspelt one


def description(key: str) -> str:
    section, name = key.split(".")
    return SECTIONS[section].model_fields[name].description or ""


def nearest_key(section: str, name: str) -> str | None:
    """The known key that was probably meant by `name` below `[section]`."""
    if section in SECTIONS:
        near = _nearest(name, SECTIONS[section].model_fields)
        if near:
            return f"{section}.{near}"
    elsewhere = [key for key in KEYS if key.partition(".")[2] == name]
    return elsewhere[0] if elsewhere else _nearest(f"{section}.{name}", KEYS)


def nearest_section(name: str) -> str | None:
    """The section or, for a key without its section, the full key that was probably meant."""
    elsewhere = [key for key in KEYS if key.partition(".")[2] == name]
    return elsewhere[0] if elsewhere else _nearest(name, SECTIONS)


def nearest_variable(name: str) -> str | None:
    return _nearest(name, _ALL_VARIABLES)


def is_misspelt(variable: str) -> bool:
    """Whether an unknown WEBGEIST_ variable must be meant for us.

    Others may use the prefix too (an orchestrator that announces a service called webgeist does),
    so only variables below a known section, or a slip away from a known one, count.
    """
    if variable in _ALL_VARIABLES or not variable.startswith(PREFIX):
        return False
    below_section = variable.removeprefix(PREFIX).lower().partition("_")[0] in SECTIONS
    near = get_close_matches(variable, _ALL_VARIABLES, n=1, cutoff=_SAME_BUT_FOR_A_SLIP)
    return below_section or bool(near)


def _nearest(name: str, known: Iterable[str]) -> str | None:
    return next(iter(get_close_matches(name, list(known), n=1, cutoff=_NEAR)), None)
