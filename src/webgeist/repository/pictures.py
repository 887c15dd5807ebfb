"""Screenshots and thumbnails, each stored once under the hash of its bytes."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from webgeist.errors import writing
from webgeist.repository.files import write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from webgeist.capture.model import Capture
    from webgeist.repository.files import Files
    from webgeist.repository.layout import Layout

_SUFFIXES = {"jpeg": "jpg"}


def picture_name(data: bytes, form: str) -> str:
    """Where a picture lies below screenshots/: <2 hex digits>/<SHA-256>.<form>."""
    digest = sha256(data).hexdigest()
    return f"{digest[:2]}/{digest}.{_SUFFIXES.get(form, form)}"


def keep_pictures(capture: Capture, layout: Layout, files: Files) -> tuple[list[str], str | None]:
    """Write those of a capture's pictures that are not there: names of tiles and thumbnail."""
    shot = capture.screenshot
    tiles = [_keep(tile, shot.info.format, layout, files) for tile in shot.tiles] if shot else []
    small = capture.thumbnail
    return tiles, _keep(small, "jpeg", layout, files) if small else None


def _keep(data: bytes, form: str, layout: Layout, files: Files) -> str:
    name = picture_name(data, form)
    path = layout.picture(name)
    if _is_there(path, len(data)):
        with writing(path):
            files.sync_folder(path.parent)  # who put it there may have died before this
    else:
        write_atomically(path, data, files)
    return name


def _is_there(path: Path, size: int) -> bool:
    return path.is_file() and path.stat().st_size == size
