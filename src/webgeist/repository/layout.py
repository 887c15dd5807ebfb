"""Where everything lies inside a repository's folder."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from webgeist.errors import DamagedError

if TYPE_CHECKING:
    from collections.abc import Iterator

_MANIFEST = re.compile(r"manifest-([1-9][0-9]*)\.json")
_TABLE_FILE = re.compile(r"[a-z][a-z0-9_.-]*/[0-9]+-[0-9]+\.parquet")
_PICTURE = re.compile(r"[0-9a-f]{2}/[0-9a-f]{64}\.[a-z]+")


def layout_of(path: str | Path) -> Layout:
    """The layout of the repository in a folder, wherever the program goes afterwards."""
    return Layout(Path(path).absolute())


@dataclass(frozen=True)
class Layout:
    """The paths below one repository. Nothing here touches the disk but `manifest_numbers`."""

    root: Path

    @property
    def settings(self) -> Path:
        return self.root / "webgeist.toml"

    @property
    def state(self) -> Path:
        return self.root / "state.db"

    @property
    def lock(self) -> Path:
        return self.root / "writer.lock"

    @property
    def watch_lock(self) -> Path:
        return self.root / "watch.lock"

    @property
    def archive(self) -> Path:
        return self.root / "archive"

    @property
    def screenshots(self) -> Path:
        return self.root / "screenshots"

    @property
    def staging(self) -> Path:
        return self.root / "staging"

    @property
    def releases(self) -> Path:
        return self.root / "releases"

    @property
    def current(self) -> Path:
        return self.root / "CURRENT"

    @property
    def tables(self) -> Path:
        return self.root / "tables"

    @property
    def certificates(self) -> Path:
        """Where the recorder keeps its certificate authority."""
        return self.root / "ca"

    @property
    def metrics(self) -> Path:
        """Where the user keeps JavaScript that is run on every page."""
        return self.root / "metrics"

    @property
    def teachings(self) -> Path:
        """What users taught about changes."""
        return self.root / "teachings.json"

    @property
    def damaged(self) -> Path:
        return self.root / "damaged"

    @property
    def folders(self) -> tuple[Path, ...]:
        """What `webgeist init` makes."""
        return (
            *(self.archive, self.screenshots, self.staging, self.releases, self.tables),
            *(self.certificates, self.root / "models", self.metrics),
        )

    def batch(self, batch: str) -> Path:
        return self.staging / batch

    def unfinished_batch(self, batch: str) -> Path:
        """Where a batch is written before it gets its name, and goes before it is removed."""
        return self.staging / f".{batch}.unfinished"

    def manifest(self, number: int) -> Path:
        return self.releases / f"manifest-{number}.json"

    def table_file(self, file: str) -> Path:
        """The Parquet file that a manifest calls `file`. DamagedError: no file of ours is."""
        return self._inside(self.tables, file, _TABLE_FILE)

    def picture(self, file: str) -> Path:
        """The picture that a captures table calls `file`. DamagedError: no picture of ours is."""
        return self._inside(self.screenshots, file, _PICTURE)

    def _inside(self, folder: Path, file: str, form: re.Pattern[str]) -> Path:
        """A repository may come from a stranger: names in it lead nowhere else."""
        if not form.fullmatch(file):
            raise DamagedError(f"{self.root} names a file that cannot be in it: {file[:80]!r}")
        return folder / file

    def manifest_numbers(self) -> list[int]:
        """The releases whose manifests are there, newest last."""
        return sorted(self._numbers())

    def _numbers(self) -> Iterator[int]:
        if self.releases.is_dir():
            for path in self.releases.iterdir():
                if match := _MANIFEST.fullmatch(path.name):
                    yield int(match[1])
