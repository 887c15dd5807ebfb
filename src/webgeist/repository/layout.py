"""Where everything lies inside a repository's folder."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_MANIFEST = re.compile(r"manifest-([1-9]\d*)\.json")


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
    def damaged(self) -> Path:
        return self.root / "damaged"

    @property
    def folders(self) -> tuple[Path, ...]:
        """What `webgeist init` makes."""
        others = (self.root / name for name in ("models", "metrics"))
        return (
            *(self.archive, self.screenshots, self.staging, self.releases, self.tables),
            *(self.certificates, *others),
        )

    def batch(self, batch: str) -> Path:
        return self.staging / batch

    def unfinished_batch(self, batch: str) -> Path:
        """Where a batch is written before it gets its name, and goes before it is removed."""
        return self.staging / f".{batch}.unfinished"

    def manifest(self, number: int) -> Path:
        return self.releases / f"manifest-{number}.json"

    def table_file(self, file: str) -> Path:
        """The Parquet file that a manifest calls `file`."""
        return self.tables / file

    def picture(self, file: str) -> Path:
        """The picture that a captures table calls `file`."""
        return self.screenshots / file

    def manifest_numbers(self) -> list[int]:
        """The releases whose manifests are there, newest last."""
        return sorted(self._numbers())

    def _numbers(self) -> Iterator[int]:
        if self.releases.is_dir():
            for path in self.releases.iterdir():
                if match := _MANIFEST.fullmatch(path.name):
                    yield int(match[1])
