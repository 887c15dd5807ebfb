"""Metrics as files: small JavaScript in a repository's folder `metrics`, read once for a run."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from webgeist.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from webgeist.settings import LimitSettings

_log = logging.getLogger(__name__)
_NAME = re.compile(r"([a-z0-9_-]+)\.js")
_MOST_TOLD = 1_000  # files without use that each capture tells of
_MOST_NAMED = 10  # names in one warning


@dataclass(frozen=True)
class Metric:
    """JavaScript that measures something on every page, by the name of its file."""

    name: str
    source: str


@dataclass(frozen=True)
class Metrics:
    """The metrics of a run, sorted by name; `unusable` has those that cannot run, and why."""

    usable: tuple[Metric, ...] = ()
    unusable: dict[str, str] = field(default_factory=dict)

    def all_failed(self, reason: str) -> dict[str, str]:
        """What a capture says of all of them where none could be tried."""
        return {metric.name: reason for metric in self.usable} | self.unusable


METRICS = TypeAdapter(Metrics)  # on the way to another process
NO_METRICS = Metrics()


def read_metrics(folder: Path, limits: LimitSettings) -> Metrics:
    """The metrics in a folder; none where there is no folder. Odd names are warned of, once."""
    named = _named(folder)
    first, rest = named[: limits.metrics], named[limits.metrics :]
    read = {name: _read(name, path, limits.metric_file_bytes) for name, path in first}
    excess = f"{len(named)} files, more than limits.metrics = {limits.metrics}"
    if rest:
        _log.warning("%s: %s; the others are not run", folder, excess)
    return Metrics(
        tuple(metric for metric in read.values() if isinstance(metric, Metric)),
        {name: reason for name, reason in read.items() if isinstance(reason, str)}
        | {name: f"not run: there are {excess}" for name, _ in rest[:_MOST_TOLD]},
    )


def _named(folder: Path) -> list[tuple[str, Path]]:
    """The files that are metrics by their names, in the order of these."""
    try:
        paths = {path.name: path for path in folder.iterdir()}
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StorageError(f"cannot read {folder}: {error.strerror}") from error
    matches = {name: _NAME.fullmatch(name) for name in sorted(paths)}
    _warn_of_names([name for name, match in matches.items() if not match], folder)
    return sorted((match[1], paths[name]) for name, match in matches.items() if match)


def _read(name: str, path: Path, most: int) -> Metric | str:
    """The metric in a file, or why it cannot be used."""
    try:
        if not path.is_file():  # reading a pipe would never end
            return "it is no file"
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    if len(data) > most:
        return f"a file of more than limits.metric_file_bytes = {most}"
    try:
        return Metric(name, data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return f"it is not UTF-8 (line {line})"


def _warn_of_names(names: Sequence[str], folder: Path) -> None:
    """Files that look like no metric. Hidden ones are somebody else's."""
    odd = [ascii(name) for name in names if not name.startswith(".")]
    if odd:
        shown = ", ".join(odd[:_MOST_NAMED]) + (", …" if len(odd) > _MOST_NAMED else "")
        _log.warning("%s: no metrics, as names are [a-z0-9_-]+.js: %s", folder, shown)
