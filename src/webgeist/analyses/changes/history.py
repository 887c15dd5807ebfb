"""How often each page changed importantly, by the analysis `changes`."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from webgeist.analyses.changes.teachings import ANALYSIS
from webgeist.crawl.revisits import Visit
from webgeist.errors import NotFoundError

if TYPE_CHECKING:
    from datetime import datetime

    from webgeist.repository.repository import Repository
    from webgeist.repository.state import CaptureEntry


def histories(repository: Repository) -> dict[str, list[Visit]]:
    """The visits of each page, by every address that it has; what was not comparable is left out,
    and captures that were not analysed yet are, too.
    """
    entries = repository.captures()
    times = {entry.capture: entry.time for entry in entries}
    found: dict[str, list[Visit]] = defaultdict(list)
    for entry in entries:
        visit = _visit(repository, entry, times)
        for url in {entry.url, entry.requested_url} if visit else ():
            found[url].append(visit)  # type: ignore[arg-type]
    return dict(found)


def _visit(repository: Repository, entry: CaptureEntry, times: dict[str, datetime]) -> Visit | None:
    try:
        rows = repository.result(ANALYSIS, entry.capture)
    except NotFoundError:
        return None
    if not rows.num_rows or not rows["comparable"][0].as_py():
        return None
    before = times.get(rows["before"][0].as_py())
    if before is None:
        return None
    return Visit((entry.time - before).total_seconds(), rows["important"][0].as_py())
