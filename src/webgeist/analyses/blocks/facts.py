"""A page as facts: those that rules ask for, of the nodes that they can reach."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np

from webgeist.analyses.blocks.annotators.annotate import annotate
from webgeist.analyses.blocks.elements import Elements
from webgeist.analyses.blocks.rules.reach import ANY
from webgeist.analyses.blocks.rules.vocabulary import is_property
from webgeist.analyses.blocks.runs import find_runs
from webgeist.analyses.blocks.series import find_series
from webgeist.page.model import ELEMENT, TEXT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from webgeist.analyses.blocks.annotators.annotate import Annotations
    from webgeist.analyses.blocks.annotators.words import Lexicon
    from webgeist.analyses.blocks.rules.reach import Cheap, Guard, Request
    from webgeist.analyses.blocks.runs import Runs
    from webgeist.analyses.blocks.series import SeriesOfPage
    from webgeist.page.model import Page

    Rows = Iterable[tuple[Any, ...]]

_NUMBER_KINDS = ("NUMBER", "NUMBER_INSIDE", "LABEL_NUMBER", "LABEL_NUMBER_INSIDE")
_NUMBERS = frozenset(_NUMBER_KINDS)
_MOST_PAGES = 10_000  # a step further than this is none


class Facts:
    """The facts of one page, each made when first asked for."""

    def __init__(
        self, page: Page, url: str, viewport: tuple[int, int], words: Lexicon | None = None
    ) -> None:
        self._words = words
        self.page = page
        self.url = url
        self.viewport = viewport
        self.elements = Elements(page)

    @cached_property
    def annotations(self) -> Annotations:
        return annotate(self.elements, self._words)

    @cached_property
    def runs(self) -> Runs:
        return find_runs(self.elements, self.annotations)

    @cached_property
    def leads(self) -> dict[int, str]:
        """Where each clickable element leads: an address, or the script that it runs."""
        found = dict(self.elements.targets)
        for node in self.elements.clickable:
            attributes = self.elements.attributes(node)
            href = attributes.get("href", "")
            script = attributes.get("onclick", "") or (href if "script:" in href[:12] else "")
            if node in found and not href.startswith("#"):
                continue
            data = [f"{n}={v}" for n, v in attributes.items() if n.startswith("data-") and v]
            if script or data:
                found[node] = "script:" + " ".join([script, *data])
        return found

    @cached_property
    def numbers(self) -> dict[int, list[float]]:
        """What numbers each node says; where its text has none, its label's."""
        found: dict[int, list[float]] = {}
        for node, notes in self.annotations.of.items():
            if _NUMBERS.isdisjoint(notes):
                continue
            for kind in _NUMBER_KINDS:
                values = [v for v in notes.get(kind, ()) if isinstance(v, int | float)]
                if values:
                    found[node] = values
                    break
        return found

    @cached_property
    def series(self) -> SeriesOfPage:
        return find_series(self.leads, self.numbers, self.url)

    @cached_property
    def inert(self) -> set[int]:
        """Clickable elements that no pointer reaches. Where that is most of them, something lies
        over the page that will go away.
        """
        out_of_reach = self.page.values("pointer-events", lambda text: text == "none", False)
        found = {node for node in self.elements.clickable if out_of_reach[node]}
        return found if 2 * len(found) <= len(self.elements.clickable) else set()

    @cached_property
    def right_to_left(self) -> bool:
        """Whether the page is read from right to left: arrows mean the other direction then."""
        roots = self.page.find("html")[:1] + self.page.find("body")[:1]
        directions = self.page.values("direction", str, "")
        return any(directions[node] == "rtl" for node in roots)

    # --- who is reached ------------------------------------------------------------------------

    def reached(self, guard: Guard) -> set[int] | None:
        """The nodes that fulfil a guard; None for all."""
        if guard == ANY:
            return None
        found = self._reached.get(guard)
        if found is None:
            found = self._reached[guard] = set()
            for case in guard.cases:
                sets = sorted((self._fulfilling(each) for each in case), key=len)
                found |= set.intersection(*sets) if len(sets) > 1 else sets[0]
        return found

    @cached_property
    def _reached(self) -> dict[Guard, set[int]]:
        return {}

    def _fulfilling(self, condition: Cheap) -> set[int]:
        if condition not in self._conditions:
            rows = self._cheap(condition.fact, condition.kind)
            self._conditions[condition] = {row[0] for row in rows}
        return self._conditions[condition]

    @cached_property
    def _conditions(self) -> dict[Cheap, set[int]]:
        return {}

    # --- rows ----------------------------------------------------------------------------------

    def rows(self, request: Request, guard: Guard) -> Rows:
        """The rows of a fact that rules can ask about."""
        name = request.predicate.name
        if name == "css::page":
            return [self.extent]
        if name == "css::resolution":
            return [self.viewport]
        if name == "gate::annotation":
            return self._annotations(request.kind, guard)
        reached = self.reached(guard)
        if name in self._wide:
            return self._wide[name](self._nodes(reached))
        if is_property(request.predicate):
            return self._property(name[5:].replace("_", "-"), self._nodes(reached))
        rows = self._cheap(name, None)
        return rows if reached is None else [row for row in rows if row[0] in reached]

    def _annotations(self, kind: str | None, guard: Guard) -> Rows:
        reached = self.reached(_unannotated(guard))
        rows = self.annotations.rows(kind)
        return rows if reached is None else [row for row in rows if row[0] in reached]

    @cached_property
    def extent(self) -> tuple[float, float, float, float]:
        document = self.page.documents[0]
        return 0.0, 0.0, max(document.width, 1.0), max(document.height, 1.0)

    def _cheap(self, name: str, kind: str | None) -> Rows:
        if name == "gate::annotation":
            return self.annotations.rows(kind)
        if name not in self._rows:
            self._rows[name] = list(self._leading[name]())
        return self._rows[name]

    @cached_property
    def _rows(self) -> dict[str, list[tuple[Any, ...]]]:
        return {}

    @cached_property
    def _leading(self) -> Mapping[str, Callable[[], Rows]]:
        return {
            "dom::clickable": lambda: [(node,) for node in self.elements.clickable],
            "url::target": self._targets,
            "url::same_page": lambda: [(node,) for node in sorted(self.series.same)],
            "url::no_target": self._no_target,
            "url::other_host": self._other_host,
            "url::below": self._below,
            "url::series": self._series,
            "url::agrees": lambda: [
                (node,) for node, each in self.series.of.items() if node in each.agreeing
            ],
            "url::step": self._steps,
            "url::page_word": lambda: [
                (node,) for node, each in self.series.of.items() if each.names_pages
            ],
            "url::near": lambda: [(node,) for node, each in self.series.of.items() if each.near],
            "run::place": lambda: [(node, *place) for node, place in self.runs.place.items()],
        }

    def _targets(self) -> Rows:
        numbers: dict[str, int] = {}
        for node, url in self.leads.items():
            yield node, numbers.setdefault(url.partition("#")[0], len(numbers))

    def _no_target(self) -> Rows:
        addresses = self.elements.targets
        return [
            (node,)
            for node in self.elements.clickable
            if not addresses.get(node, "").startswith(("http", "file"))
            or self.elements.attribute(node, "href").startswith("#")
        ]

    def _other_host(self) -> Rows:
        here = (urlsplit(self.url).hostname or "").removeprefix("www.")
        return [
            (node,)
            for node, url in self.elements.targets.items()
            if url.startswith("http") and _site(url) != here
        ]

    def _below(self) -> Rows:
        here = self.url.partition("#")[0].partition("?")[0].rstrip("/")
        return [(node,) for node, url in self.elements.targets.items() if url.startswith(here)]

    def _series(self) -> Rows:
        frames: dict[str, int] = {}
        for node, each in self.series.of.items():
            yield node, frames.setdefault(each.frame, len(frames)), each.size

    def _steps(self) -> Rows:
        for node, each in self.series.of.items():
            step = each.step(node)
            if step is not None and abs(step) < _MOST_PAGES:
                yield node, step

    # --- facts of any node ---------------------------------------------------------------------

    @cached_property
    def _wide(self) -> Mapping[str, Callable[[Iterable[int]], Rows]]:
        return {
            "dom::node": self._dom,
            "dom::content": self._content,
            "dom::attribute": self._attributes,
            "css::box": self._boxes,
        }

    def _nodes(self, reached: set[int] | None) -> Iterable[int]:
        if reached is not None:
            return sorted(reached)
        return np.flatnonzero((self.page.type == ELEMENT) | (self.page.type == TEXT)).tolist()

    def _dom(self, nodes: Iterable[int]) -> Rows:
        """Start and end are positions among all start and end tags."""
        names, parent, end = self.page.names, self._parents, self._ends
        depth = self._depths
        for node in nodes:
            start = 2 * node - depth[node]
            yield node, names[node], parent[node], start, start + 2 * (end[node] - node) - 1

    @cached_property
    def _parents(self) -> list[int]:
        return self.page.parent.tolist()  # type: ignore[no-any-return]

    @cached_property
    def _ends(self) -> list[int]:
        return self.page.end.tolist()  # type: ignore[no-any-return]

    @cached_property
    def _depths(self) -> list[int]:
        return self.page.nodes["depth"].to_pylist()  # type: ignore[no-any-return]

    def _content(self, nodes: Iterable[int]) -> Rows:
        starts = self.page.flow.starts
        for node in nodes:
            text = self.elements.text(node)
            yield node, text, int(starts[node]), len(text)

    def _attributes(self, nodes: Iterable[int]) -> Rows:
        for node in nodes:
            for name, value in self.elements.attributes(node).items():
                yield node, name, value

    def _boxes(self, nodes: Iterable[int]) -> Rows:
        chosen = np.fromiter(nodes, np.int64)
        boxes = self.page.boxes[chosen].astype(np.float64)
        seen = ~np.isnan(boxes[:, 0]) & (boxes[:, 2] > 0) & (boxes[:, 3] > 0)
        boxes[:, 2:] += boxes[:, :2]
        return zip(chosen[seen].tolist(), *(boxes[seen, k].tolist() for k in range(4)), strict=True)

    def _property(self, name: str, nodes: Iterable[int]) -> Iterator[tuple[int, str]]:
        values = self.page.values(name, str, "")
        for node in nodes:
            value = str(values[node])
            if value:
                yield node, value


@lru_cache(maxsize=1_000)
def _unannotated(guard: Guard) -> Guard:
    return guard.without(["gate::annotation"])


def _site(url: str) -> str:
    """The host of a plain address; `www` makes no difference."""
    return _host(url.split("/", 3)[2])


@lru_cache(maxsize=10_000)
def _host(authority: str) -> str:
    return (urlsplit(f"//{authority}").hostname or "").removeprefix("www.")
