"""Pagination of a page: which links lead to the other pages of the list that it shows."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from webgeist.analyses.blocks.addresses import xpaths
from webgeist.analyses.blocks.blocktype import block_type
from webgeist.analyses.blocks.facts import Facts
from webgeist.analyses.blocks.features import features
from webgeist.analyses.blocks.link import NONE, Link
from webgeist.analyses.blocks.roles import role
from webgeist.analyses.blocks.scene import scene
from webgeist.analyses.blocks.scrolling import infinite_scroll
from webgeist.analyses.blocks.sequence import check
from webgeist.errors import NotFoundError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np

    from webgeist.analyses.blocks.features import Table
    from webgeist.analyses.blocks.model import Model
    from webgeist.capture.model import Capture
    from webgeist.page.model import Page

THRESHOLD = 0.5
_SHOWN = 100  # characters of a link's text


@dataclass(frozen=True)
class PageLink:
    """A link of the list's pages. `immediate`: it leads to the following page."""

    node: int
    xpath: str
    href: str | None
    text: str
    label: str
    immediate: bool
    score: float
    reason: str


@dataclass(frozen=True)
class Pagination:
    """`links` in document order; `infinite_scroll` is the XPath of what makes a page load more when
    it is scrolled to, or None; `ms` is the time of each stage.
    """

    links: tuple[PageLink, ...]
    infinite_scroll: str | None
    ms: Mapping[str, float]

    @property
    def next(self) -> PageLink | None:
        """The link to follow: a link that says next, else the number of the following page."""
        immediate = [link for link in self.links if link.immediate]
        named = [link for link in immediate if link.label == "next"]
        return max(named or immediate, key=lambda link: link.score, default=None)

    def to_arrow(self) -> pa.Table:
        return pa.Table.from_pylist([asdict(link) for link in self.links], schema=LINKS)

    def to_pandas(self) -> Any:
        return self.to_arrow().to_pandas()


@dataclass(frozen=True)
class Current:
    """The number of this page in a run of numbers, and its place there."""

    run: int
    place: int
    number: float


LINKS = pa.schema(
    [
        pa.field("node", pa.int32(), nullable=False),
        pa.field("xpath", pa.string(), nullable=False),
        pa.field("href", pa.string()),
        pa.field("text", pa.string(), nullable=False),
        pa.field("label", pa.string(), nullable=False),
        pa.field("immediate", pa.bool_(), nullable=False),
        pa.field("score", pa.float32(), nullable=False),
        pa.field("reason", pa.string(), nullable=False),
    ]
)


def find_pagination(capture: Capture) -> Pagination:
    """The links to the other pages of the list that a capture shows, each with the reason.

    NotFoundError where the capture has no page.
    """
    page = capture.page
    if page is None:
        raise NotFoundError(f"there is no page to look at: {capture.info.outcome}")
    viewport = capture.info.viewport
    return page_pagination(page, capture.info.url, (viewport.width, viewport.height))


def page_pagination(page: Page, url: str, viewport: tuple[int, int]) -> Pagination:
    """The same for a page that is not yet a capture."""
    watch = _Watch()
    kind = block_type("pagination")
    model = kind.trained()
    facts = Facts(page, url, viewport)
    _ = facts.annotations, facts.series, facts.runs
    watch.lap("facts")
    table = features(kind.program, facts)
    watch.lap("rules")
    scores = model.score(table.values)
    classes = {
        node: ("page" if score >= THRESHOLD else NONE, float(score))
        for node, score in zip(table.nodes, scores, strict=True)
    }
    links = check([_with_role(link) for link in scene(facts, classes, silent=False)])
    found = tuple(_told(facts, links, model, table))
    watch.lap("classify")
    return Pagination(found, infinite_scroll(facts), watch.laps)


def _with_role(link: Link) -> Link:
    """What a link is for, where it was found to belong to a pager."""
    if link.label == NONE:
        return link
    label, reason = role(link)
    return link.now(label, reason)


def _told(facts: Facts, links: Sequence[Link], model: Model, table: Table) -> list[PageLink]:
    listed = [link for link in links if link.label != NONE]
    addresses = xpaths(facts.page, [link.node for link in listed])
    following = _following(listed) | after_current(listed, _currents(facts, links))
    row = {node: number for number, node in enumerate(table.nodes)}
    return [
        PageLink(
            node=link.node,
            xpath=addresses[link.node],
            href=facts.elements.href(link.node),
            text=link.text[:_SHOWN],
            label=link.label,
            immediate=link.node in following,
            score=round(link.score, 4),
            reason=_reason(link, model, table.values[row[link.node]] if link.node in row else None),
        )
        for link in listed
    ]


def _following(listed: Sequence[Link]) -> set[int]:
    """All links that lead to the following page: what says next, and whatever leads there too. Not
    a next that jumps, where the number of the following page stands beside it.
    """
    by_step = {link.node for link in listed if link.in_series and link.step == 1}
    frames = {link.frame for link in listed if link.node in by_step}
    said = [
        link
        for link in listed
        if link.label in {"next", "load-more"}
        and not (link.frame in frames and link.in_series and link.step != 1)
    ]
    targets = {link.target for link in said if link.target}
    same = {link.node for link in listed if link.target in targets}
    return by_step | same | {link.node for link in said}


def _currents(facts: Facts, links: Sequence[Link]) -> set[Current]:
    """Numbers that cannot be clicked, or lead to where one is."""
    clickable = set(facts.elements.clickable)
    texts = {
        Current(run, place, facts.numbers[node][0])
        for node, (run, place) in facts.runs.place.items()
        if node not in clickable and "NUMBER" in facts.annotations.of.get(node, {})
    }
    return texts | {
        Current(link.run, link.place, link.number)
        for link in links
        if link.current and link.run is not None and link.number is not None
    }


def after_current(listed: Sequence[Link], currents: set[Current]) -> set[int]:
    """Where no address tells: the number after the current one of its run, or the dots that follow
    it at once. Of what may be current, what stands right before that number is, and for dots what
    has a neighbour among the numbers: a cell of the last row may stand before a pager.
    """
    pages = [link for link in listed if link.label == "page" and link.step is None]
    numbers = {(each.run, each.number + 1) for each in currents}
    places = {(each.run, each.number + 1, each.place + 1) for each in currents}
    by_number = [link for link in pages if (link.run, link.number) in numbers]
    beside = {link.node for link in by_number if (link.run, link.number, link.place) in places}
    if by_number:
        return beside or {link.node for link in by_number}
    dots = {(link.run, link.place): link.node for link in pages if "ELLIPSIS" in link.notes}
    told = {each for each in currents if _has_neighbour(each, pages)} or currents
    return {dots[at] for each in told if (at := (each.run, each.place + 1)) in dots}


def _has_neighbour(current: Current, pages: Iterable[Link]) -> bool:
    near = {current.number - 1, current.number + 1}
    return any(link.run == current.run and link.number in near for link in pages)


def _reason(link: Link, model: Model, row: np.ndarray | None) -> str:
    decided = "" if row is None else "; ".join(model.explain(row.tolist()))
    checked = ", ".join(link.reasons)
    return " | ".join(part for part in (checked, decided) if part)


class _Watch:
    """Milliseconds of each stage."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.laps[name] = round(1000 * (now - self._last), 2)
        self._last = now
