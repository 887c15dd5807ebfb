"""webgeist's functions for scripts and notebooks: the asynchronous ones of `aio`, waited for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime
    from pathlib import Path

    from webgeist.capture.model import Capture
    from webgeist.repository.replaying import Replayed
    from webgeist.repository.repository import Repository
    from webgeist.settings import Settings


def capture(
    target: str | Path,
    *,
    url: str | None = None,
    viewport: str | None = None,
    clock: datetime | None = None,
    settings: Settings | None = None,
) -> Capture:
    """Load a page in Chromium and keep everything that was seen.

    `target` is a URL, or a saved HTML file: that is shown under `url`, and nothing is fetched.
    `clock` is the time that the page sees (by default the hour that it is). A page that cannot be
    captured is no exception: look at `.ok` and `.info.outcome`. A missing browser is a
    BrowserError.
    """
    from webgeist import aio, blocking

    work = aio.capture(target, url=url, viewport=viewport, clock=clock, settings=settings)
    return blocking.run(work)


def capture_all(
    targets: Iterable[str | Path],
    *,
    viewport: str | None = None,
    clock: datetime | None = None,
    settings: Settings | None = None,
) -> Iterator[Capture]:
    """Capture many targets with one browser, each yielded when it is ready."""
    from webgeist import aio, blocking

    source = aio.capture_all(targets, viewport=viewport, clock=clock, settings=settings)
    return blocking.iterate(source)


def open_capture(folder: str | Path) -> Capture:
    """The capture in a folder that `Capture.save` or `webgeist capture` wrote."""
    from webgeist.capture.folder import open_capture as open_folder

    return open_folder(folder)


def open_repository(path: str | Path, *, readonly: bool = False) -> Repository:
    """The repository in a folder that `webgeist init` or `webgeist capture --repo` made.

    Opening takes no lock; the first change makes this program the one writer until `close`.
    """
    from webgeist.repository.repository import open_repository as open_folder

    return open_folder(path, readonly=readonly)


def replay(
    repository: Repository, capture_id: str, *, settings: Settings | None = None
) -> Replayed:
    """Render a stored capture again in Chromium, from the archive alone: nothing is dialled.

    The result has the `original`, the new `capture` (close it), and what was `missing` from the
    archive or left `unused`. NotFoundError where nothing was recorded with it. The settings are the
    repository's unless given; for many captures with one browser there is
    `webgeist.repository.replaying.Replays`.
    """
    from webgeist import aio, blocking

    return blocking.run(aio.replay(repository, capture_id, settings=settings))
