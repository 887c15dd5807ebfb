"""Labels that people made: JSON lines, one page each.

    {"target": "001.html", "url": "https://…", "nodes": ["/html/body/a[2]"], "ignore": []}

`nodes` are the XPaths of what is of the block type, as parsed from the file; `ignore` those that
are neither. Targets are files, relative to the label file. Other tools can write and read them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from publicsuffixlist import PublicSuffixList
from pydantic import TypeAdapter, ValidationError

from webgeist.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Labelled:
    """One page with its labels."""

    target: str
    url: str
    nodes: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    @property
    def site(self) -> str:
        """What somebody registered: pages of one site are never split between learning and test."""
        return registered(self.url)


_LABELLED = TypeAdapter(Labelled)
_SUFFIXES = PublicSuffixList()


def registered(url: str) -> str:
    host = urlsplit(url).hostname or ""
    return _SUFFIXES.privatesuffix(host) or host


def read_labels(file: Path) -> list[Labelled]:
    """All lines of a label file. UsageError for the first that is none."""
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {file}: {error}") from error
    found = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                found.append(_LABELLED.validate_json(line))
            except ValidationError as error:
                reason = error.errors()[0]["msg"]
                raise UsageError(f"{file}:{number} is no label: {reason}") from error
    return found
