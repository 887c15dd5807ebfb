"""The links of a captured page: which lead on, and why others do not. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webgeist.crawl.addresses import Ignored, parse
from webgeist.crawl.frontier import Found
from webgeist.crawl.scope import Refusal
from webgeist.crawl.traps import sign

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webgeist.crawl.addresses import Address
    from webgeist.crawl.scope import Scope, Step
    from webgeist.settings import CrawlSettings

FOLLOWED = "followed"
NO_PAGE = "no-page"  # mailto:, javascript:, a malformed address


@dataclass(frozen=True)
class Place:
    """Where in the crawl a page is: its number, its own address, its distance from a seed."""

    page: int
    address: Address
    step: Step


class Outgoing:
    """Judges links by the scope of a crawl and the limits of the settings."""

    def __init__(self, scope: Scope, settings: CrawlSettings) -> None:
        self.scope = scope
        self.ignored = Ignored(settings.ignored_parameters.split())
        self.same_shape = settings.same_shape
        self._settings = settings

    def judge(self, urls: Iterable[str | None], place: Place) -> list[Found | str]:
        """For each link the page that it leads to, or why it is not followed, in a word."""
        return [self._follow(parse(url, self.ignored) if url else None, place) for url in urls]

    def _follow(self, address: Address | None, place: Place) -> Found | str:
        if address is None:
            return NO_PAGE
        if limit := sign(address, self._settings):
            return limit
        step = self.scope.follow(place.address, place.step, address)
        return step.value if isinstance(step, Refusal) else Found(address, step, place.page)
