"""The links of a captured page: which lead on, and why others do not. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from webgeist.crawl.addresses import Ignored, parse
from webgeist.crawl.frontier import Found
from webgeist.crawl.scope import Refusal
from webgeist.crawl.traps import sign

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webgeist.capture.model import Capture
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


class Guide(Protocol):
    """Knows more of pages than their addresses: which of their links are not worth following."""

    def choose(self, url: str, capture: Capture, links: Sequence[str | None]) -> list[str | None]:
        """For each link (None: it is not followed anyway) a word why not, or None."""
        ...


class Outgoing:
    """Judges links by the scope of a crawl, the limits of the settings, and a guide if there is
    one.
    """

    def __init__(self, scope: Scope, settings: CrawlSettings, guide: Guide | None = None) -> None:
        self.scope = scope
        self._guide = guide
        self.ignored = Ignored(settings.ignored_parameters.split())
        self.same_shape = settings.same_shape
        self._settings = settings

    def judge(self, urls: Iterable[str | None], place: Place) -> list[Found | str]:
        """For each link the page that it leads to, or why it is not followed, in a word."""
        return [self._follow(parse(url, self.ignored) if url else None, place) for url in urls]

    def judge_page(self, capture: Capture, place: Place) -> list[Found | str]:
        """The same for the links of a captured page; here the guide is asked, too."""
        judged = self.judge(capture.links.column("url").to_pylist(), place)
        if self._guide is None or capture.page is None:
            return judged
        asked = [each.address.url if isinstance(each, Found) else None for each in judged]
        words = self._guide.choose(place.address.url, capture, asked)
        return [word or each for word, each in zip(words, judged, strict=True)]

    def _follow(self, address: Address | None, place: Place) -> Found | str:
        if address is None:
            return NO_PAGE
        if limit := sign(address, self._settings):
            return limit
        step = self.scope.follow(place.address, place.step, address)
        return step.value if isinstance(step, Refusal) else Found(address, step, place.page)
