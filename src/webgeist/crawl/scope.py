"""Which links are followed. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from webgeist.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webgeist.crawl.addresses import Address


class Reach(StrEnum):
    """How far from its seeds a crawl goes."""

    PAGE = "page"
    PREFIX = "prefix"
    SITE = "site"
    HOST = "host"
    DOMAIN = "domain"
    ANY = "any"


class Refusal(StrEnum):
    """Why a link is not followed."""

    EXCLUDED = "excluded"
    NOT_INCLUDED = "not-included"
    OUT_OF_SCOPE = "out-of-scope"
    TOO_DEEP = "too-deep"
    SAME_DOMAIN = "same-domain"


@dataclass(frozen=True)
class Rules:
    """What the user asked for. `depth`: links between a seed and a page. `hops`: links in a row
    outside the reach. `leave_domain`: follow no link inside a domain (Webzeitgeist's policy).
    `by_menu`: pages of each section beside the items of menus. Where a site ends and what its
    sections are is for a guide to say: here `site` reaches as far as the host.
    """

    reach: Reach = Reach.HOST
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    hops: int = 0
    depth: int | None = None
    leave_domain: bool = False
    by_menu: int | None = None


@dataclass(frozen=True)
class Step:
    """Where in the crawl a page is: links from its seed, and how many of the last were outside."""

    depth: int = 0
    hops: int = 0


class Scope:
    """Decides about links by the rules and the seeds; a seed itself is never refused.

    Patterns are regular expressions that are searched for in canonical URLs.
    """

    def __init__(self, rules: Rules, seeds: Iterable[Address] = ()) -> None:
        self._rules = rules
        self._include = _patterns(rules.include)
        self._exclude = _patterns(rules.exclude)
        self._places: set[str] = set()
        self._pages: set[str] = set()
        for seed in seeds:
            self.add(seed)

    def add(self, seed: Address) -> None:
        """Go around this page too: a seed, or where one redirects to."""
        self._pages.add(seed.url)
        self._places.add(_place(seed, self._rules.reach))

    def contains(self, page: Address) -> bool:
        """Whether a page is within reach of a seed."""
        reach = self._rules.reach
        if reach is Reach.ANY or page.url in self._pages:
            return True
        if reach is Reach.PREFIX:
            return any(_below(page).startswith(place) for place in self._places)
        return _place(page, reach) in self._places

    def follow(self, source: Address, at: Step, link: Address) -> Step | Refusal:
        """Where a link leads to, or why it is not followed."""
        if link.url in self._pages:
            return Step(at.depth + 1)
        step = Step(at.depth + 1, 0 if self.contains(link) else at.hops + 1)
        return self._unwanted(source, link) or self._too_far(step) or step

    def _unwanted(self, source: Address, link: Address) -> Refusal | None:
        if self._rules.leave_domain and link.site == source.site:
            return Refusal.SAME_DOMAIN
        if _matches(self._exclude, link):
            return Refusal.EXCLUDED
        if self._include and not _matches(self._include, link):
            return Refusal.NOT_INCLUDED
        return None

    def _too_far(self, step: Step) -> Refusal | None:
        if step.hops > self._rules.hops:
            return Refusal.OUT_OF_SCOPE
        if self._rules.depth is not None and step.depth > self._rules.depth:
            return Refusal.TOO_DEEP
        return None


def _place(page: Address, reach: Reach) -> str:
    """What two pages have in common when one is within reach of the other."""
    if reach is Reach.PREFIX:
        return _below(page).rpartition("/")[0] + "/"
    places = {Reach.SITE: page.host, Reach.HOST: page.host, Reach.DOMAIN: page.site}
    return places.get(reach, page.url)


def _below(page: Address) -> str:
    """A page's place on its host, by whichever scheme."""
    return page.host + page.path


def _patterns(texts: Sequence[str]) -> list[re.Pattern[str]]:
    return [_pattern(text) for text in texts]


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise UsageError(
            f"{text!r} is no regular expression: {error}", remedy=f"did you mean {re.escape(text)}?"
        ) from error


def _matches(patterns: Sequence[re.Pattern[str]], page: Address) -> bool:
    return any(pattern.search(page.url) for pattern in patterns)
