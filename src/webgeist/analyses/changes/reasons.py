"""What happened, in a sentence for people. Pure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from webgeist.analyses.changes.items import Kind
from webgeist.analyses.changes.types import Place, Type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgeist.analyses.changes.regions import Region

_ONE = {
    Type.LOGO: "logo",
    Type.MENU: "menu entry",
    Type.TITLE: "title",
    Type.LINK_LIST: "link",
    Type.TABLE: "table cell",
    Type.COMMENTS: "comment",
    Type.AD: "ad",
    Type.IMAGE: "picture",
    Type.VIDEO: "video",
    Type.ARTICLE: "paragraph",
    Type.SEARCH_BAR: "search bar",
    Type.NOTICE: "notice",
    Type.TEXT: "text",
}
_MANY = {Type.MENU: "menu entries"}
_NOISE = {
    "id": "ids",
    "age": "ages",
    "year": "years",
    "date": "dates",
    "time": "times",
    "number": "numbers",
}
_WHERE = {Kind.ADDED: "to", Kind.REMOVED: "from"}
_MOST = 3  # kinds of change that are named


def reason(regions: Sequence[Region], threshold: float, *, important: bool) -> str:
    """Why a change is important or not: what changed in the content, then what did elsewhere."""
    if not regions:
        return "nothing changed"
    worded = [region for region in regions if region.kind is not Kind.RESTYLED]
    if not worded:
        return "the same words and pictures with other looks"
    inside = [region for region in worded if _counts(region, threshold, important=important)]
    outside = [region for region in worded if region not in inside]
    parts = []
    if inside:
        parts.append(_listed(inside))
    if outside:
        parts.append(_elsewhere(outside, after_content=bool(inside)))
    unchanged = _unchanged(worded)
    if unchanged:
        parts.append(f"{unchanged} unchanged")
    return "; ".join(parts)


def _counts(region: Region, threshold: float, *, important: bool) -> bool:
    return important and region.chance >= min(threshold, 0.5)


def _listed(regions: Sequence[Region]) -> str:
    """ "3 paragraphs edited in the content, 1 link added to the footer"."""
    amounts: Counter[tuple[Type, Place, Kind]] = Counter()
    for region in regions:
        amounts[region.type, region.place, region.kind] += region.passages
    told = [
        f"{count:,} {_noun(type_, count)} {kind} {_WHERE.get(kind, 'in')} the {place}"
        for (type_, place, kind), count in amounts.most_common(_MOST)
    ]
    more = len(amounts) - len(told)
    rest = f" and {more} other {'kinds' if more > 1 else 'kind'} of change" if more else ""
    return ", ".join(told) + rest


def _noun(type_: Type, count: int) -> str:
    if count == 1:
        return _ONE[type_]
    return _MANY.get(type_, _ONE[type_] + "s")


def _elsewhere(regions: Sequence[Region], *, after_content: bool) -> str:
    """What else changed: noise by its name, the rest by its place."""
    noisy = [region for region in regions if region.noise and not region.gone + region.came]
    if len(noisy) == len(regions):
        names = sorted({_NOISE[kind] for region in noisy for kind in region.noise})
        return f"only {_and(names)} {'differ besides' if after_content else 'differ'}"
    told = _listed(sorted(regions, key=lambda region: -region.passages))
    return f"unimportant: {told}"


def _unchanged(regions: Sequence[Region]) -> str:
    changed = {region.place for region in regions}
    return _and([str(place) for place in Place if place not in changed])


def _and(names: Sequence[str]) -> str:
    """ "a, b and c"."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
