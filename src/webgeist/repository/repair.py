"""Makes a damaged repository usable again. What is damaged is moved aside, never deleted."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from webgeist.errors import DamagedError, NotFoundError
from webgeist.repository import results
from webgeist.repository.archive import write_index
from webgeist.repository.archive.growing import SUFFIX
from webgeist.repository.check import find_problems
from webgeist.repository.files import DISK, write_atomically
from webgeist.repository.layout import layout_of
from webgeist.repository.leftovers import move_aside
from webgeist.repository.locks import WriterLock
from webgeist.repository.manifest import parse_manifest
from webgeist.repository.readers import (
    current_number,
    needed_files,
    read_manifest,
    read_manifests,
    release_numbers,
)
from webgeist.repository.rebuild import rebuild_state
from webgeist.repository.rewrite import Rewrite, lost_captures, lost_results
from webgeist.repository.state import State
from webgeist.repository.versions import NewerVersionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from webgeist.repository.files import Files
    from webgeist.repository.layout import Layout
    from webgeist.repository.manifest import Manifest
    from webgeist.repository.problems import Part, Problem


def repair(path: str | Path, *, files: Files = DISK) -> list[str]:
    """Repair what can be repaired. What was done, a sentence each; check again for the rest.

    Nothing is touched where a newer webgeist has written (DamagedError), or somebody writes.
    """
    layout = layout_of(path)
    lock = WriterLock(layout.lock)
    clean = False
    try:
        work = _Repair(layout, files, crashed=lock.crashed)
        work.run()
        clean = not lock.crashed
    finally:
        lock.release(clean=clean)
    return work.done


class _Repair:
    """One repair. Each kind of damage is mended before those that need it to be sound."""

    def __init__(self, layout: Layout, files: Files, *, crashed: bool) -> None:
        self.layout = layout
        self.crashed = crashed
        self.files = files
        self.now = datetime.now(UTC)
        self.done: list[str] = []

    def run(self) -> None:
        steps: list[tuple[Part, Callable[[list[Path]], None]]] = [
            ("settings", self._move_all),
            ("current", self._current),
            ("state", self._state),
            ("manifest", self._manifests),
            ("table", self._tables),
            ("reference", self._state),
            ("batch", self._batches),
            ("picture", self._move_all),
            ("archive", self._archive),
            ("index", self._indexes),
        ]
        problems = self._problems()
        for part, step in steps:
            paths = [problem.path for problem in problems if problem.part == part]
            if paths:
                step(list(dict.fromkeys(paths)))
                problems = self._problems()  # what was hidden behind the damage

    def _problems(self) -> list[Problem]:
        found = find_problems(self.layout, lambda: self.crashed)
        for problem in found:
            if problem.newer:
                raise NewerVersionError(problem.path, problem.message)
        return found

    def _aside(self, path: Path) -> None:
        if path.exists():
            target = move_aside(path, self.layout, self.files, self.now)
            self.done.append(f"{path} is damaged: moved to {target}")

    def _move_all(self, paths: list[Path]) -> None:
        for path in paths:
            self._aside(path)

    def _open_state(self) -> State:
        return State(self.layout.state, readonly=False)

    # --- each kind of damage -------------------------------------------------------------------

    def _current(self, _: list[Path]) -> None:
        """The newest release that can be read."""
        self._aside(self.layout.current)
        self._choose_current()

    def _choose_current(self) -> int | None:
        for number in reversed(self.layout.manifest_numbers()):
            try:
                manifest = read_manifest(self.layout, number)
            except DamagedError:
                continue
            if all(self.layout.table_file(file.file).exists() for file in manifest.files()):
                write_atomically(self.layout.current, f"{number}\n".encode(), self.files)
                self.done.append(f"release {number} is the current one")
                return number
        return None

    def _state(self, _: list[Path]) -> None:
        for suffix in ("", "-wal", "-shm"):
            self._aside(self.layout.state.with_name(self.layout.state.name + suffix))
        self._must_have_readable_current()
        unread = rebuild_state(self.layout, self.now)
        self.done.append("state.db was made anew")
        self._move_all(unread)

    def _must_have_readable_current(self) -> None:
        number = current_number(self.layout)
        try:
            if number is not None:
                read_manifest(self.layout, number)
        except DamagedError:
            self._aside(self.layout.manifest(number or 0))
            self._current([])

    def _manifests(self, paths: list[Path]) -> None:
        """From the copy in state.db; without one, the release is lost."""
        self._move_all(paths)
        with closing(self._open_state()) as state:
            for record in state.releases():
                path = self.layout.manifest(record.release)
                if path in paths and record.manifest is not None:
                    parse_manifest(record.manifest.encode(), path)
                    write_atomically(path, record.manifest.encode(), self.files)
                    self.done.append(f"{path} was written again from state.db")
                elif path in paths:
                    state.forget_release(record.release)
            self._fall_back(state)

    def _fall_back(self, state: State) -> None:
        """If the current release is gone, its predecessor is current; what only it had is lost."""
        newest = current_number(self.layout)
        if newest is None or newest in release_numbers(self.layout):
            return
        self._aside(self.layout.current)
        chosen = self._choose_current() or 0
        for batch, (_, release) in state.batches().items():
            if release is not None and release > chosen:
                if self.layout.batch(batch).is_dir():
                    state.unpublish(batch)
                else:
                    self._lose(state, state.batch_captures(batch))
        self._put_unneeded_aside()

    def _lose(self, state: State, captures: Iterable[str]) -> None:
        lost = sorted(captures)
        state.forget_captures(lost)
        self.done.append(f"lost: {', '.join(lost)}")

    def _tables(self, paths: list[Path]) -> None:
        """A new release without the captures that had rows in a damaged file."""
        bad = {path.relative_to(self.layout.tables).as_posix() for path in paths}
        number = current_number(self.layout)
        if number is None:
            raise NotFoundError("there is no release")
        with closing(self._open_state()) as state:
            base = read_manifest(self.layout, number)
            if any(file.file in bad for file in base.files()):
                self._release_without(state, base, bad)
            for manifest in read_manifests(self.layout):
                if any(file.file in bad for file in manifest.files()):
                    self._aside(self.layout.manifest(manifest.release))
                    state.forget_release(manifest.release)
        self._put_unneeded_aside()

    def _release_without(self, state: State, base: Manifest, bad: set[str]) -> None:
        published = state.published(base.release, base.batches)
        lost = lost_captures(self.layout, base, bad, published)
        new = Rewrite(self.layout, base, bad, lost, self.files).publish(state, self.now)
        for analysis, captures in lost_results(base, bad, published).items():
            results.forget(state, analysis, captures)
            self.done.append(f"{analysis} of {len(captures)} captures has to be made again")
        self.done.append(f"release {new} has what is left; lost: {', '.join(sorted(lost)) or '-'}")

    def _put_unneeded_aside(self) -> None:
        """Table files of no release may hold what is left of lost captures."""
        needed = needed_files(self.layout)
        for path in sorted(self.layout.tables.glob("*/*.parquet")):
            if path not in needed:
                self._aside(path)

    def _batches(self, paths: list[Path]) -> None:
        with closing(self._open_state()) as state:
            for folder in paths:
                self._aside(folder)
                if made := results.lose(state, folder.name):
                    self.done.append(f"{made} results of analyses have to be made again")
                else:
                    self._lose(state, state.batch_captures(folder.name))

    def _archive(self, paths: list[Path]) -> None:
        """Its sound records can still be read, so it stays; new captures don't rely on it."""
        with closing(self._open_state()) as state:
            for path in paths:
                state.forget_originals(path.name)
                self.done.append(f"{path} is damaged: its bodies are stored anew when seen again")

    def _indexes(self, paths: list[Path]) -> None:
        with closing(self._open_state()) as state:
            for path in paths:
                self._aside(path)
                warc = path.with_suffix(SUFFIX)
                write_index(warc, state.archive_files()[warc.name], self.files)
                self.done.append(f"{path} was made anew")
