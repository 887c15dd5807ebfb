"""Lists of links that a template repeats on many pages: what menus are made of.

A template puts the same link into the same place of all its pages. So links are counted by place
and target; those that the same pages have in the same list belong together. It does not matter
whether targets link back, whether pages add links of their own, or whether targets were brought.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING

from webgeist.analyses.menus.identity import host_key
from webgeist.analyses.menus.tree import Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from webgeist.analyses.menus.host import Host

LEAST = 3  # pages that have a link in the same place
_ALIKE = 0.75  # of the pages of two links, if they belong to one list
_SHARED = 0.9  # of the pages of a list, if they have a link that others have, too
_SAMPLES = 3  # pages by which lists in the same place are told apart
_UNNAMED = frozenset({"html", "body"})  # their classes name the page, not the place
_STATES = frozenset(
    {"active", "current", "currentpage", "selected", "open", "opened", "expanded", "here", "on"}
    | {"collapsed", "closed", "show"}
)
_PARTS = re.compile(r"[-_]+")

Place = tuple[tuple[str, str, str], ...]


@dataclass(eq=False, slots=True)
class Listed:
    """Targets in the order in which they are shown, in a place, with the pages that have them."""

    place: int
    items: list[int]
    pages: frozenset[int]
    inner: list[int]  # items on the host
    known: list[int]  # items that are pages
    returned: list[int]  # of these, those that have the list or lead back into its pages


@dataclass(eq=False)
class Template:
    """All lists of a host, the most common first; `place_of` has the place of each path."""

    places: list[Place]
    place_of: list[int]
    lists: list[Listed]
    leads: dict[int, frozenset[int]]  # where pages that are items lead to


def find_lists(host: Host) -> Template:
    """The lists of a host's templates."""
    places, place_of = _places(host)
    found, leads = _lists(host, place_of, range(len(host)))
    return Template(places, place_of, found, leads)


def lists_of(host: Host, template: Template, pages: Iterable[int]) -> list[Listed]:
    """The lists of some pages alone. What other sites have in the same place does not matter then:
    an item of this menu that is also one of theirs belongs to it like all others. Lists that lead
    to other hosts alone are there, too: they may be a part of a menu.
    """
    return _lists(host, template.place_of, sorted(pages), outer=True)[0]


def _lists(
    host: Host, place_of: Sequence[int], pages: Sequence[int], *, outer: bool = False
) -> tuple[list[Listed], dict[int, frozenset[int]]]:
    found = []
    for place, links in _by_place(host, place_of, pages).items():
        for group in _alike(links):
            found.extend(_told_apart(host, place_of, place, group))
    lists = [_listed(host, place, items, having) for place, items, having in found]
    inner = [each for each in lists if outer or each.inner]
    leads = _note_returns(host, inner)
    inner.sort(key=lambda each: (-len(each.pages), -len(each.inner), each.place, each.items))
    return inner, leads


def _places(host: Host) -> tuple[list[Place], list[int]]:
    """Paths without what only a page or two have, ids and classes that name the page, and without
    classes that say where the reader is: a menu is the same whichever of its items is open.
    """
    paths = [tuple(map(_steady, path)) for path in host.paths]
    counts: Counter[Step] = Counter()
    last: dict[Step, int] = {}
    for segment in host.segments:
        for step in paths[segment.path]:
            if last.get(step) != segment.page:
                last[step] = segment.page
                counts[step] += 1
    numbers: dict[Place, int] = {}
    place_of = []
    for path in paths:
        place = tuple(
            (step.name, step.id, step.classes)
            if counts[step] >= LEAST and step.name not in _UNNAMED
            else (step.name, "", "")
            for step in path
        )
        place_of.append(numbers.setdefault(place, len(numbers)))
    return list(numbers), place_of


@lru_cache(100_000)
def _steady(step: Step) -> Step:
    if not step.classes:
        return step
    kept = [each for each in step.classes.split() if _STATES.isdisjoint(_PARTS.split(each.lower()))]
    return Step(step.name, step.id, " ".join(kept))


def _by_place(
    host: Host, place_of: Sequence[int], some: Sequence[int]
) -> dict[int, list[tuple[int, set[int]]]]:
    """The links that enough pages have in the same place; a page that is a target has it, too, if
    it has anything there: no menu need link to the page that it is shown on.
    """
    pages: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    segments = [host.segments[number] for page in some for number in host.of_page(page)]
    for segment in segments:
        place = place_of[segment.path]
        for target in segment.targets:
            pages[place, target].add(segment.page)
    for segment in segments:
        own = (place_of[segment.path], segment.page)
        if len(pages.get(own, ())) >= LEAST - 1:
            pages[own].add(segment.page)
    found: defaultdict[int, list[tuple[int, set[int]]]] = defaultdict(list)
    for (place, target), having in pages.items():
        if len(having) >= LEAST:
            found[place].append((target, having))
    return found


def _alike(links: list[tuple[int, set[int]]]) -> Iterable[tuple[list[int], set[int]]]:
    """Targets that nearly the same pages have."""
    links.sort(key=lambda each: (-len(each[1]), each[0]))
    groups: list[tuple[list[int], set[int]]] = []
    at: defaultdict[int, list[int]] = defaultdict(list)
    for target, pages in links:
        near = dict.fromkeys(at[min(pages)] + at[max(pages)])
        number = next((n for n in near if _jaccard(pages, groups[n][1]) >= _ALIKE), None)
        if number is not None:
            groups[number][0].append(target)
            continue
        for page in pages:
            at[page].append(len(groups))
        groups.append(([target], pages))
    _share(groups, at)
    having = dict(links)
    return [(targets, _having_most([having[t] for t in targets])) for targets, _ in groups]


def _share(groups: list[tuple[list[int], set[int]]], at: Mapping[int, Sequence[int]]) -> None:
    """A link that is an item of several menus in the same place, such as a section's first page in
    its menu and in the main one that stands there elsewhere, has the pages of all of them.
    """
    alone = {n for n, (targets, _) in enumerate(groups) if len(targets) == 1}
    for number, (targets, pages) in enumerate(groups):
        if number not in alone:
            near = alone.intersection(at[min(pages)])
            targets.extend(
                groups[n][0][0]
                for n in sorted(near)
                if len(groups[n][1] & pages) >= _SHARED * len(pages)
            )


def _having_most(pages: Sequence[set[int]]) -> set[int]:
    """The pages that have at least half of some links. One link may be on many more, where it is an
    item of others' menus, too.
    """
    if len(pages) == 1:
        return pages[0]
    counts = Counter(page for some in pages for page in some)
    return {page for page, count in counts.items() if count * 2 >= len(pages)}


def _jaccard(one: set[int], other: set[int]) -> float:
    both = len(one & other)
    return both / (len(one) + len(other) - both)


def _told_apart(
    host: Host, place_of: Sequence[int], place: int, group: tuple[list[int], set[int]]
) -> list[tuple[int, list[int], set[int]]]:
    """Lists side by side have the same place; on the pages they are segments of their own."""
    targets, pages = group
    if len(targets) == 1:
        return [(place, targets, pages)]
    wanted = set(targets)
    together = {target: target for target in targets}
    shown: list[list[int]] = []
    for page in _samples(host, place_of, place, wanted, pages):
        shown.append([])
        for segment in host.of_page(page):
            if place_of[host.segments[segment].path] == place:
                inside = _shown(host, segment, wanted)
                shown[-1].extend(inside)
                for target in inside:
                    _join(together, inside[0], target)
    lists: defaultdict[int, list[int]] = defaultdict(list)
    for target in in_order([*shown, *([target] for target in targets)]):
        lists[_root(together, target)].append(target)
    return [(place, items, pages) for items in lists.values()]


def in_order(shown: Iterable[Sequence[int]]) -> list[int]:
    """What pages show, in an order that all of them agree with, though each may leave out some: an
    item comes after those that stand before it. Where they disagree, the first one is right.
    """
    after: defaultdict[int, set[int]] = defaultdict(set)
    waits: dict[int, int] = {}  # for so many others; in the order in which items are met
    for items in shown:
        waits |= {item: 0 for item in items if item not in waits}
        for one, other in pairwise(dict.fromkeys(items)):
            after[one].add(other)
    rank = {item: n for n, item in enumerate(waits)}
    for others in after.values():
        for other in others:
            waits[other] += 1
    ready = [n for item, n in rank.items() if not waits[item]]
    items, order = list(rank), dict[int, None]()
    left = iter(items)
    while len(order) < len(items):
        item = items[heappop(ready)] if ready else next(each for each in left if each not in order)
        order[item] = None
        for other in after[item]:
            waits[other] -= 1
            if not waits[other] and other not in order:
                heappush(ready, rank[other])
    return list(order)


def _samples(
    host: Host, place_of: Sequence[int], place: int, wanted: set[int], pages: set[int]
) -> list[int]:
    """The pages that show most of the links."""
    tried = spread(pages, 4 * _SAMPLES)
    shown = {
        page: sum(
            len(_shown(host, each, wanted))
            for each in host.of_page(page)
            if place_of[host.segments[each].path] == place
        )
        for page in tried
    }
    return sorted(tried, key=lambda page: (-shown[page], page))[:_SAMPLES]


def spread(pages: Iterable[int], count: int) -> list[int]:
    """Some of the pages, from all over the site."""
    ordered = sorted(pages)
    return ordered[:: max(1, len(ordered) // count)][:count]


def _shown(host: Host, segment: int, wanted: set[int]) -> list[int]:
    """The targets of a segment in the order of the page, its own included."""
    placed = host.segments[segment]
    targets = list(placed.targets)
    if placed.own is not None:
        targets.insert(placed.own[0], placed.page)
    return [target for target in targets if target in wanted]


def _root(together: dict[int, int], target: int) -> int:
    while together[target] != target:
        target = together[target]
    return target


def _join(together: dict[int, int], one: int, other: int) -> None:
    together[_root(together, other)] = _root(together, one)


def _listed(host: Host, place: int, items: list[int], pages: set[int]) -> Listed:
    hosts = {host_key(host.urls[page]) for page in list(pages)[:_SAMPLES]}
    inner = [t for t in items if t < len(host) or host_key(host.targets[t]) in hosts]
    known = [target for target in inner if target < len(host)]
    return Listed(place, items, frozenset(pages), inner, known, [])


def _note_returns(host: Host, lists: list[Listed]) -> dict[int, frozenset[int]]:
    """Which items are of the same site as the list: they have it, or they lead to its pages."""
    leads: dict[int, frozenset[int]] = {}
    for each in lists:
        for target in each.known:
            if target not in leads:
                leads[target] = frozenset(
                    t for segment in host.of_page(target) for t in host.segments[segment].targets
                )
        each.returned = returned(each, leads)
    return leads


def returned(each: Listed, leads: Mapping[int, frozenset[int]]) -> list[int]:
    """The items that have a list themselves, or lead to enough of the pages that have it."""
    enough = min(3.0, max(2.0, len(each.pages) / 10))
    return [t for t in each.known if t in each.pages or len(leads[t] & each.pages) >= enough]
