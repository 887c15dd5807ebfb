"""Verifies a repository: hashes, counts, references, the archive's digests. It changes nothing."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from webgeist.errors import DamagedError, NotFoundError
from webgeist.repository.archive.growing import index_path
from webgeist.repository.census import Census
from webgeist.repository.checking import check_batch, check_index, check_picture, check_table_file
from webgeist.repository.database import check_integrity
from webgeist.repository.layout import layout_of
from webgeist.repository.locks import Pin
from webgeist.repository.manifest import parse_manifest
from webgeist.repository.problems import Problem, noting
from webgeist.repository.readers import StagedBatch, current_number, open_release, release_numbers
from webgeist.repository.references import wrong_pages, wrong_references
from webgeist.repository.repository import Repository
from webgeist.repository.staging import FILE
from webgeist.repository.state import State
from webgeist.repository.teachings import read_document
from webgeist.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    import pyarrow as pa

    from webgeist.repository.layout import Layout
    from webgeist.repository.manifest import Manifest
    from webgeist.repository.problems import Part
    from webgeist.repository.release import Release


def check(repository: Repository | str | Path) -> list[Problem]:
    """All that is wrong with a repository; nothing where it is sound.

    A path will do, because what is damaged may not open. A writer may be at work meanwhile.
    """
    layout = repository.layout if isinstance(repository, Repository) else layout_of(repository)
    if not layout.releases.is_dir() and not layout.state.exists():
        raise NotFoundError(f"there is no repository in {layout.root}", remedy="webgeist init")
    return find_problems(layout, lambda: layout.lock.exists() and layout.lock.stat().st_size > 0)


def find_problems(layout: Layout, in_use: Callable[[], bool]) -> list[Problem]:
    """The same. While a writer is at work, or after it died, its last index is not there yet."""
    checker = _Checker(layout, in_use)
    checker.run()
    return checker.problems


class _Checker:
    """One check. What a writer does meanwhile is no damage: whatever differs is asked for again."""

    def __init__(self, layout: Layout, in_use: Callable[[], bool]) -> None:
        self.layout = layout
        self._in_use = in_use
        self.problems: list[Problem] = []
        self._files_seen: set[str] = set()  # table files that were looked at
        self._pictures_seen: set[str] = set()
        self._census = Census()

    def run(self) -> None:
        layout = self.layout
        if layout.settings.exists():
            with noting(self.problems, "settings", layout.settings):
                load_settings(file=layout.settings, environ={}, flags={})
        with noting(self.problems, "teachings", layout.teachings):
            read_document(layout.teachings)
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
        recorded = _digests(state)
        numbers: list[int] = []
        with noting(self.problems, "current", self.layout.current):
            numbers = release_numbers(self.layout)
            self._current({*numbers, *recorded})
        for number in sorted({*numbers, *(recorded if numbers else ())}):
            with noting(self.problems, "manifest", self.layout.manifest(number)):
                self._release(number, recorded.get(number), state)
        if numbers and state is not None and not self.problems:
            with open_release(self.layout) as release:
                self._contents(release, state)

    def _current(self, known: set[int]) -> None:
        newest = current_number(self.layout)
        if newest is None and (known or self.layout.manifest_numbers()):
            raise DamagedError(f"{self.layout.current} is missing")
        if newest is not None and newest not in known:
            raise DamagedError(f"{self.layout.current} says {newest}, and there is no such release")

    def _release(self, number: int, digest: str | None, state: State | None) -> None:
        path = self.layout.manifest(number)
        try:
            held = Pin(path)
        except FileNotFoundError as error:
            if number in _digests(state):  # else it was removed since we asked
                raise DamagedError(f"{path} is missing") from error
            return
        with held:
            raw = held.read()
            manifest = parse_manifest(raw, path)
            if digest is not None and sha256(raw).hexdigest() != digest:
                raise DamagedError(f"{path} has other bytes than were written")
            self._table_files(manifest)

    def _table_files(self, manifest: Manifest) -> None:
        for file in manifest.files():
            if file.file not in self._files_seen:
                self._files_seen.add(file.file)
                path = self.layout.table_file(file.file)
                with noting(self.problems, "table", path):
                    check_table_file(path, file)

    def _contents(self, release: Release, state: State) -> None:
        """Whether what the tables of the newest release say fits everything else."""
        path = self.layout.manifest(release.number)
        with noting(self.problems, "reference", path):
            published = state.published(release.number, release.manifest.batches)
            for sentence in wrong_references(release, published):
                self.problems.append(Problem("reference", path, sentence))
            for file, sentence in wrong_pages(release):
                problem = Problem("table", self.layout.table_file(file.file), sentence)
                self.problems.append(problem)
        for table in release.stream("captures", ["tiles", "thumbnail"]):
            self._pictures(table)
        for table in release.stream("resources"):
            self._census.refer_from(table)

    # --- what is staged, pictures, archive -----------------------------------------------------

    def _staged(self, state: State) -> None:
        for batch, digest in state.staged().items():
            folder = self.layout.batch(batch)
            with noting(self.problems, "batch", folder):
                try:
                    held = Pin(folder / FILE)
                except FileNotFoundError as error:
                    if batch in state.staged():  # else it was published since we asked
                        raise DamagedError(f"{folder} is missing or has no batch.json") from error
                    continue
                with held:
                    found = check_batch(folder, digest, state.batch_captures(batch))
                    if found.captures:
                        self._captures(StagedBatch(self.layout, batch))

    def _captures(self, batch: StagedBatch) -> None:
        self._pictures(batch.table("captures"))
        self._census.refer_from(batch.table("resources"))

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
        self._census.refer_to(state.originals())
        for file, length in state.archive_files().items():
            path = self.layout.archive / file
            with noting(self.problems, "archive", path):
                expected = self._census.count(path, length)
                with noting(self.problems, "index", index_path(path)):
                    self._index(path, length, expected, state)
        for file, count in self._census.missing():
            path = self.layout.archive / file
            sentence = f"{path} lacks {count:,} records that are referred to"
            part: Part = "reference" if path.exists() else "archive"
            self.problems.append(Problem(part, path, sentence))

    def _index(self, path: Path, length: int, expected: bytes, state: State) -> None:
        if not index_path(path).exists() and self._in_use():
            return
        try:
            check_index(path, expected)
        except DamagedError:
            if state.archive_files()[path.name] == length:  # else it has grown since we asked
                raise


def _digests(state: State | None) -> dict[int, str]:
    """The digests of the manifests of all releases that state.db knows."""
    return {} if state is None else {each.release: each.sha256 for each in state.releases()}
