"""Verifies a repository: hashes, counts, references, the archive's digests. It changes nothing."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from webgeist.errors import DamagedError, NotFoundError
from webgeist.repository.archive.growing import index_path
from webgeist.repository.checking import (
    check_batch,
    check_index,
    check_picture,
    check_table_file,
    expected_index,
)
from webgeist.repository.database import check_integrity
from webgeist.repository.layout import Layout
from webgeist.repository.problems import Problem, noting
from webgeist.repository.readers import (
    current_number,
    open_release,
    open_staged,
    read_manifest,
    release_numbers,
)
from webgeist.repository.references import wrong_references
from webgeist.repository.repository import Repository
from webgeist.repository.state import State
from webgeist.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyarrow as pa

    from webgeist.repository.manifest import Manifest


def check(repository: Repository | str | Path) -> list[Problem]:
    """All that is wrong with a repository; nothing where it is sound.

    A path will do, because what is damaged may not open. A writer may be at work meanwhile.
    """
    if isinstance(repository, Repository):
        repository = repository.path
    layout = Layout(Path(repository))
    if not layout.releases.is_dir() and not layout.state.exists():
        raise NotFoundError(f"there is no repository in {repository}", remedy="webgeist init")
    at_work = layout.lock.exists() and layout.lock.stat().st_size > 0
    return find_problems(layout, at_work=at_work)


def find_problems(layout: Layout, *, at_work: bool) -> list[Problem]:
    """The same. While a writer is `at_work`, or after it died, its last index is not there yet."""
    checker = _Checker(layout, at_work=at_work)
    checker.run()
    return checker.problems


class _Checker:
    def __init__(self, layout: Layout, *, at_work: bool) -> None:
        self.layout = layout
        self._at_work = at_work
        self.problems: list[Problem] = []
        self._files_seen: set[str] = set()  # table files that were looked at
        self._pictures_seen: set[str] = set()

    def run(self) -> None:
        layout = self.layout
        if layout.settings.exists():
            with noting(self.problems, "settings", layout.settings):
                load_settings(file=layout.settings, environ={}, flags={})
        state = self._state()
        self._releases(state)
        if state is not None:
            try:
                self._staged(state)
                self._archive(state)
            finally:
                state.close()

    def _state(self) -> State | None:
        path = self.layout.state
        opened: list[State] = []
        with noting(self.problems, "state", path):
            check_integrity(path)
            opened.append(State(path, readonly=True))
        return opened[0] if opened else None

    # --- releases ------------------------------------------------------------------------------

    def _releases(self, state: State | None) -> None:
        records = {} if state is None else {each.release: each for each in state.releases()}
        numbers: list[int] = []
        with noting(self.problems, "current", self.layout.current):
            newest = current_number(self.layout)
            if newest is None and (records or self.layout.manifest_numbers()):
                raise DamagedError(f"{self.layout.current} is missing")
            numbers = release_numbers(self.layout)
        wanted = sorted({*numbers, *(records if numbers else ())})
        for number in wanted:
            path = self.layout.manifest(number)
            with noting(self.problems, "manifest", path):
                digest = records[number].sha256 if number in records else None
                self._table_files(self._manifest(number, digest))
        if numbers and state is not None and not self.problems:
            self._references(state)

    def _manifest(self, number: int, digest: str | None) -> Manifest:
        path = self.layout.manifest(number)
        try:
            manifest = read_manifest(self.layout, number)
        except FileNotFoundError as error:
            raise DamagedError(f"{path} is missing") from error
        if digest is not None and sha256(path.read_bytes()).hexdigest() != digest:
            raise DamagedError(f"{path} has other bytes than were written")
        return manifest

    def _table_files(self, manifest: Manifest) -> None:
        for file in manifest.files():
            if file.file not in self._files_seen:
                self._files_seen.add(file.file)
                path = self.layout.table_file(file.file)
                with noting(self.problems, "table", path):
                    check_table_file(path, file)

    def _references(self, state: State) -> None:
        with open_release(self.layout) as release:
            path = self.layout.manifest(release.number)
            with noting(self.problems, "reference", path):
                published = state.published(release.number, release.manifest.batches)
                for sentence in wrong_references(release, published):
                    self.problems.append(Problem("reference", path, sentence))
            for table in release.batches("captures", ["tiles", "thumbnail"]):
                self._pictures(table)

    # --- what is staged, pictures, archive -----------------------------------------------------

    def _staged(self, state: State) -> None:
        for batch, (digest, release) in state.batches().items():
            if release is None:
                folder = self.layout.batch(batch)
                try:
                    held = open_staged(self.layout, batch)
                except FileNotFoundError:
                    if batch in state.staged():  # else it was published since we asked
                        message = f"{folder} is missing or has no batch.json"
                        self.problems.append(Problem("batch", folder, message))
                    continue
                with noting(self.problems, "batch", folder):
                    check_batch(folder, digest, state.batch_captures(batch))
                    self._pictures(held.table("captures"))

    def _pictures(self, captures: pa.Table) -> None:
        tiles: Iterable[list[dict[str, str]]] = captures.column("tiles").to_pylist()
        names = {tile["file"] for row in tiles for tile in row}
        names |= set(captures.column("thumbnail").drop_null().to_pylist())
        for name in sorted(names - self._pictures_seen):
            self._pictures_seen.add(name)
            path = self.layout.picture(name)
            with noting(self.problems, "picture", path):
                check_picture(path)

    def _archive(self, state: State) -> None:
        for file, length in state.archive_files().items():
            path = self.layout.archive / file
            with noting(self.problems, "archive", path):
                expected = expected_index(path, length)
                index = index_path(path)
                if self._at_work and not index.exists():
                    continue
                with noting(self.problems, "index", index):
                    check_index(path, expected)
