"""When the pages of a repository are due: the same for all, or by how often each changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from webgeist.cli.output import Output
    from webgeist.crawl.revisits import Bounds, Interval, Visit
    from webgeist.repository.repository import Repository
    from webgeist.settings import Settings


@dataclass(frozen=True)
class Schedule:
    """By the history of each page."""

    histories: Mapping[str, Sequence[Visit]]
    bounds: Bounds

    @classmethod
    def of(cls, repository: Repository, settings: Settings, output: Output) -> Self:
        """Compares first what was not compared yet."""
        from webgeist.analyses.changes.history import histories
        from webgeist.analyses.changes.teachings import ANALYSIS
        from webgeist.cli.analyse import analyse_opened
        from webgeist.crawl.revisits import Bounds

        analyse_opened(repository, settings, output, only=[ANALYSIS])
        least, most = settings.crawl.refresh_least_hours, settings.crawl.refresh_most_days
        return cls(histories(repository), Bounds(3600 * least, 86_400 * most))

    def interval(self, url: str) -> Interval:
        from webgeist.crawl.revisits import interval

        return interval(self.histories.get(url, ()), self.bounds)

    def seconds(self, url: str) -> float:
        return self.interval(url).seconds
