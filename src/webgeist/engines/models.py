"""Layouts of descriptors in a repository's folder of models: made from it, named by contents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.analyses.features.descriptor import VERSION
from webgeist.analyses.features.layout import Census, dump, parse
from webgeist.errors import DamagedError
from webgeist.repository.files import DISK, write_atomically

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from webgeist.analyses.features.layout import Layout
    from webgeist.repository.repository import Repository

_SAMPLE = 100  # captures that a layout is made from
_GROWTH = 4  # times as many captures as then: a new one is worth the work
_TIME = 10  # characters of a capture's id that tell when it was taken


def layout_path(folder: Path, version: str) -> Path:
    return folder / "models" / f"descriptors-{version}.json"


def read_layout(folder: Path, version: str) -> Layout:
    """The layout of this version. DamagedError where it is not there any more."""
    path = layout_path(folder, version)
    try:
        return parse(path.read_bytes(), str(path))
    except OSError as error:
        raise DamagedError(
            f"{path} cannot be read: {error.strerror}",
            remedy="webgeist analyse --recompute descriptors",
        ) from error


def layout_of(analysis_version: str | None) -> str | None:
    """The layout that a version of the descriptors names."""
    code, _, layout = (analysis_version or "").partition("-")
    return layout if code == VERSION and layout else None


def choose_layout(repository: Repository, present: str | None, *, anew: bool) -> Layout | None:
    """The layout to go on with: the present one, until there is much more to learn from.

    None where the repository has no page yet.
    """
    captures = [entry.capture for entry in repository.captures()]
    if present is not None and not anew and layout_path(repository.path, present).exists():
        layout = read_layout(repository.path, present)
        if len(captures) < _GROWTH * layout.captures or layout.captures >= _SAMPLE:
            return layout
    return _new_layout(repository, captures)


def _new_layout(repository: Repository, captures: Sequence[str]) -> Layout | None:
    """From a sample that is always the same: ids end with a hash."""
    census = Census()
    for capture in sorted(captures, key=lambda id_: id_[_TIME:]):
        page = repository.capture(capture).page
        if page is not None:
            census.add(page)
        if census.captures == _SAMPLE:
            break
    if not census.captures:
        return None
    layout = census.layout()
    path = layout_path(repository.path, layout.version)
    path.parent.mkdir(exist_ok=True)
    write_atomically(path, dump(layout), DISK)
    return layout
