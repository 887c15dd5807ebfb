"""Finds the versions that are to be compared: stored, in folders, or in files to be rendered."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator, Sequence

    from webgeist.analyses.changes.change import Change
    from webgeist.analyses.changes.compare import Seen
    from webgeist.capture.camera import Camera
    from webgeist.capture.model import Capture
    from webgeist.capture.screenshot import Screenshot
    from webgeist.cli.session import Session
    from webgeist.settings import Settings

    Row = tuple[str, str, Path, Path]


def open_pair(
    session: Session, pair: tuple[str, str], repo: Path, *, pictures: bool
) -> tuple[Capture | Screenshot, Capture | Screenshot]:
    """Two versions, each a folder, a saved HTML file, a picture, or in the repository."""
    from webgeist.analyses.changes.picture_file import is_picture

    pictures = pictures or any(is_picture(Path(each)) for each in pair)
    flags = {} if pictures else {"capture.screenshot": "none"}
    settings = session.load_settings(flags).settings
    first, second = (_version(each, repo, settings) for each in pair)
    return first, second


def _version(wanted: str, repo: Path, settings: Settings) -> Capture | Screenshot:
    import webgeist
    from webgeist.analyses.changes.picture_file import is_picture, open_picture

    path = Path(wanted)
    if not path.is_file():
        return _stored(wanted, repo)
    if is_picture(path):
        return open_picture(path, settings.limits.pixels)
    return webgeist.capture(path, settings=settings)


def _stored(wanted: str, repo: Path) -> Capture:
    from webgeist.capture.folder import open_capture
    from webgeist.cli.wanted import find_capture
    from webgeist.repository.repository import open_repository

    if (Path(wanted) / "capture.json").is_file():
        return open_capture(wanted)
    with open_repository(repo, readonly=True) as repository:
        found = repository.capture(find_capture(repository, wanted))
        _ = found.page, found.screenshot  # read while the repository is open
        return found


def draw(
    file: Path, before: Capture | Screenshot, after: Capture | Screenshot, change: Change
) -> None:
    from webgeist.analyses.changes.drawing import draw_change
    from webgeist.errors import NotFoundError
    from webgeist.repository.files import write_atomically

    one, other = _shot(before), _shot(after)
    if one is None or other is None:
        raise NotFoundError("one of the captures has no picture", remedy="leave --picture out")
    image = draw_change(one, other, change)
    write_atomically(file, lambda target: image.save(target, "PNG"))


def _shot(version: Capture | Screenshot) -> Screenshot | None:
    from webgeist.capture.screenshot import Screenshot

    return version if isinstance(version, Screenshot) else version.screenshot


def read_pairs(file: Path, root: Path) -> list[Row]:
    """Names and files of each pair. UsageError where the table or a file is not as it must be."""
    from webgeist.errors import NotFoundError, UsageError

    try:
        with file.open(newline="", encoding="utf-8-sig") as lines:
            rows = list(csv.DictReader(lines))
    except OSError as error:
        raise NotFoundError(f"cannot read {file}: {error.strerror}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"{file} is no CSV file: {error}") from error
    if rows and not {"a", "b"} <= set(rows[0]):
        raise UsageError(f"{file} has no columns a and b", remedy="name them in its first line")
    return [_row(file, root, row) for row in rows]


def _row(file: Path, root: Path, row: dict[str, str]) -> Row:
    from webgeist.errors import UsageError

    folder = root / (row.get("document") or "")
    a, b = row["a"] or "", row["b"] or ""
    paths = [next((p for p in (folder / n, root / n) if p.is_file()), None) for n in (a, b)]
    one, other = paths
    if one is None or other is None:
        missing = a if one is None else b
        raise UsageError(
            f"{file} names {missing!r}, which is not in {folder}", remedy="give --root"
        )
    return a, b, one, other


def compare_files(session: Session, rows: Sequence[Row]) -> Iterator[tuple[str, str, Change]]:
    """Each pair as soon as both are rendered, every file once; nothing is fetched."""
    from webgeist import blocking

    settings = session.load_settings({"capture.screenshot": "none"}).settings
    return blocking.iterate(_compare_all(settings, rows))


async def _compare_all(
    settings: Settings, rows: Sequence[Row]
) -> AsyncGenerator[tuple[str, str, Change]]:
    from webgeist.capture.camera import Camera

    left = _uses(rows)
    seen: dict[Path, Seen] = {}
    async with Camera(settings) as camera:
        for a, b, one, other in rows:
            for path in (one, other):
                if path not in seen:
                    seen[path] = await _look(camera, path, settings)
            yield a, b, _change(seen[one], seen[other])
            for path in (one, other):
                left[path] -= 1
                if not left[path]:
                    seen.pop(path, None)


def _uses(rows: Sequence[Row]) -> dict[Path, int]:
    """How often each file is needed, so that it can be forgotten after the last time."""
    uses: dict[Path, int] = {}
    for _, _, one, other in rows:
        for path in (one, other):
            uses[path] = uses.get(path, 0) + 1
    return uses


async def _look(camera: Camera, path: Path, settings: Settings) -> Seen:
    from webgeist.analyses.changes.compare import seen
    from webgeist.analyses.changes.picture_file import is_picture, open_picture
    from webgeist.capture.target import parse_target

    if is_picture(path):
        return seen(open_picture(path, settings.limits.pixels))
    target = parse_target(str(path), most_bytes=settings.limits.file_bytes)
    taken = await camera.capture(target)
    try:
        return seen(taken)
    finally:
        taken.close()


def _change(one: Seen, other: Seen) -> Change:
    from webgeist.analyses.changes.compare import compare_seen

    return compare_seen(one, other)
