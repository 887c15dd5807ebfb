"""webgeist's functions for scripts and notebooks: the asynchronous ones of `aio`, waited for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime
    from pathlib import Path
    from typing import Any

    from playwright import sync_api

    from webgeist.analyses.blocks.classify import Classified
    from webgeist.analyses.blocks.pagination import Pagination
    from webgeist.analyses.blocks.turning import Turn
    from webgeist.analyses.changes.change import Change
    from webgeist.analyses.changes.teaching import Teaching
    from webgeist.analyses.menus.result import Mined
    from webgeist.capture.model import Capture
    from webgeist.capture.screenshot import Screenshot
    from webgeist.query.ask import Answer
    from webgeist.query.database import Limits
    from webgeist.repository.release import Release
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


def mine_menus(
    pages: Iterable[tuple[str, str | bytes | Capture]],
    *,
    method: str = "template",
    rendered: bool = False,
) -> Mined:
    """The menus, sites and maps of pages: (address, HTML or capture) each, read one at a time.

    `method` is "template" (by what pages have in the same place) or "paper" (MenuMiner's cliques).
    With `rendered`, a painted box of a capture that has hardly more than links is one list. No
    browser is needed.
    """
    from webgeist.analyses.menus.mining import mine_menus as mine

    return mine(pages, method=method, rendered=rendered)


def find_pagination(capture: Capture) -> Pagination:
    """The links of a captured page that lead to the other pages of the list that it shows, each
    with a label and the reason. NotFoundError where the capture has no page.
    """
    from webgeist.analyses.blocks.pagination import find_pagination as find

    return find(capture)


def classify_blocks(capture: Capture, type_: str) -> list[Classified]:
    """The nodes of a captured page that are of a block type: one that comes with webgeist
    (`search_form`, `pagination`), or the folder of your own.
    """
    from webgeist.analyses.blocks.classify import classify_blocks as classify

    return classify(capture, type_)


def compare(
    before: Capture | Screenshot | str | Path, after: Capture | Screenshot | str | Path
) -> Change:
    """What really changed between two captures of a page: whether it is important, where, why.

    A path is a PNG or JPEG file: what is known of a picture alone is less, and so is the judgement
    less sure, as it is for captures without a page.

    `.score` is how likely the content changed, `.important` whether that is enough for an alarm,
    `.regions` tells where, `.reason` says it in words. Captures that cannot be compared (bot walls,
    error pages, different viewports) are never important, and the reason says so. What was taught
    to the repository that a capture comes from counts.
    """
    from pathlib import Path

    from webgeist.analyses.changes.compare import compare as compare_versions
    from webgeist.analyses.changes.picture_file import open_picture
    from webgeist.analyses.changes.teachings import taught_about

    one, other = (
        open_picture(Path(each)) if isinstance(each, (str, Path)) else each
        for each in (before, after)
    )
    return compare_versions(one, other, taught=taught_about(other) or taught_about(one))


def teach(
    repository: Repository,
    before: str,
    after: str,
    *,
    important: bool,
    regions: Iterable[int] = (),
    site: bool = False,
) -> Teaching:
    """Teach a repository that a change between two captures (ids) of a page is important, or not.

    `regions` are numbers from 1 as `compare(…).regions` has them; without, the whole change is
    meant. It counts for the page, or for its whole `site` (all pages of its host), from now on.
    """
    import time

    from webgeist.analyses.changes import teachings

    now, numbers = time.time(), tuple(regions)
    return teachings.teach(
        repository, before, after, important=important, regions=numbers, site=site, now=now
    )


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


def paginate(page: sync_api.Page, *, most: int | None = None) -> Iterator[Turn]:
    """Go through all pages of the list that a Playwright page shows, whatever the style: link,
    button, load more, scroll, numbers. Yields at once for the page as it is, then after each turn;
    ends at the list's end, at a page seen before, or after `most` pages. The asynchronous form is
    `webgeist.aio.paginate`.
    """
    from webgeist.analyses.blocks.turning import paginate_now

    return paginate_now(page, most=most)


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


def query(
    repository: Repository | Release | str | Path,
    dql: str | dict[str, Any],
    *,
    limits: Limits | None = None,
    scope: str | None = None,
) -> Answer:
    """Ask a repository (its newest release) or a release, in DQL: docs/query-language.md.

    The answer has `.rows()`, `.to_arrow()` and `.to_pandas()`; where `.cut` is set, a limit cut it.
    A QueryError says at which place a query makes no sense, and what was probably meant.
    """
    from webgeist.query.asking import query as ask_repository

    return ask_repository(repository, dql, limits=limits, scope=scope)
