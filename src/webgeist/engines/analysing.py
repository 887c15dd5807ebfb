"""Runs analyses over a repository: what is missing is made and kept, some captures at a time.

It can be killed at any moment; what was kept is not made again.
"""

from __future__ import annotations

import os
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from webgeist.analyses.changes.teachings import read_teachings
from webgeist.analyses.group import Grain, GroupAnalysis, Member
from webgeist.analyses.registry import DESCRIPTORS, analyses
from webgeist.engines.crew import Crew, repository_terms
from webgeist.engines.models import choose_layout, layout_of
from webgeist.engines.orders import Order
from webgeist.errors import NotFoundError
from webgeist.repository.results import NOTHING, OK
from webgeist.repository.rows import host_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from webgeist.analyses.plugins import Broken
    from webgeist.analyses.registry import Known
    from webgeist.engines.orders import Made
    from webgeist.repository.repository import Repository
    from webgeist.repository.state import CaptureEntry

_MOST_BYTES = 32 << 20  # of results in memory; then they are kept
_MOST_SECONDS = 10.0
_SHORT = 8  # captures: for fewer, a second process takes longer to start than it saves


@dataclass
class Analysed:
    """What a run did. `outcomes` counts results by analysis and outcome."""

    results: int = 0
    seconds: float = 0.0
    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    broken: list[Broken] = field(default_factory=list)

    @property
    def failed(self) -> int:
        """Results that are neither ok nor about captures without a page or picture."""
        fine = (OK, NOTHING)
        return sum(n for (_, outcome), n in self.outcomes.items() if outcome not in fine)


class Analysing:
    """The analyses that a repository lacks; `run` makes them."""

    def __init__(
        self,
        repository: Repository,
        *,
        only: Sequence[str] = (),
        recompute: Sequence[str] = (),
        workers: int | None = None,
        seconds: float = 60.0,
    ) -> None:
        self.repository = repository
        self.progress = Analysed()
        self._seconds = seconds
        read_teachings(repository.layout)  # what is wrong with them is told here, not by workers
        chosen = [*only, *recompute]
        known = self._known(chosen, recompute)
        wanted = [known[name] for name in dict.fromkeys(chosen)] or list(known.values())
        self._orders = self._missing(wanted, recompute)
        self._workers = workers or _workers(len(self._orders))

    def __len__(self) -> int:
        """How many results are to be made."""
        return sum(len(order.analyses) * len(order.members) for order in self._orders)

    def _known(self, chosen: Sequence[str], recompute: Sequence[str]) -> Mapping[str, Known]:
        present = layout_of(self.repository.analysis_versions().get(DESCRIPTORS))
        layout = None
        if not chosen or DESCRIPTORS in chosen:
            layout = choose_layout(self.repository, present, anew=DESCRIPTORS in recompute)
        known, self.progress.broken = analyses(layout)
        self._layout = None if layout is None else layout.version
        for name in chosen:
            if name not in known:
                raise NotFoundError(
                    f"there is no analysis {name}", remedy=f"there are {', '.join(known)}"
                )
        return known

    def _missing(self, wanted: Sequence[Known], recompute: Sequence[str]) -> list[Order]:
        """Single captures first, then groups: one order for all that is asked of each."""
        entries = self.repository.captures()
        orders: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
        for each in wanted:
            grain = each.grain if isinstance(each, GroupAnalysis) else ""
            anew = each.name in recompute
            pending = set(self.repository.begin_analysis(each.name, each.version, anew=anew))
            for entry in entries:
                if entry.capture in pending:
                    orders[grain, group_name(entry, grain)][each.name] = each.version
        members = _members(entries, {grain for grain, _ in orders})
        return [Order(members[key], orders[key], key[1]) for key in sorted(orders)]

    def run(self, on_progress: Callable[[Analysed], None] = lambda _: None) -> Analysed:
        """Make what is missing, and keep it."""
        started = time.monotonic()
        if self._orders:
            terms = repository_terms(self.repository.path, self._layout)
            crew = Crew(terms, self._workers, self._seconds)
            for some in self._gathered(crew.carry_out(self._orders), on_progress):
                self.repository.add_results(
                    [r for made in some for r in made.results], _tables(some)
                )
        self.progress.seconds = time.monotonic() - started
        return self.progress

    def _gathered(
        self, made: Iterable[Made], on_progress: Callable[[Analysed], None]
    ) -> Iterator[list[Made]]:
        """What is to be kept together: what comes within some seconds, or has some bytes."""
        held: list[Made] = []
        size, since = 0, time.monotonic()
        for each in made:
            held.append(each)
            size += len(each.rows)
            self.progress.results += len(each.results)
            first = each.results[0]
            self.progress.outcomes[first.analysis, first.outcome] += len(each.results)
            on_progress(self.progress)
            if size >= _MOST_BYTES or time.monotonic() - since >= _MOST_SECONDS:
                yield held
                held, size, since = [], 0, time.monotonic()
        if held:
            yield held


def _workers(captures: int) -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, min(cores or 1, captures // _SHORT))


def group_name(entry: CaptureEntry, grain: str) -> str:
    """The group that a capture belongs to; its own id where it is looked at by itself."""
    if grain == Grain.HOST:
        return host_of(entry.url)
    return entry.url if grain == Grain.PAGE else entry.capture


def _members(
    entries: Sequence[CaptureEntry], grains: Iterable[str]
) -> dict[tuple[str, str], tuple[Member, ...]]:
    """All captures of each group."""
    found: dict[tuple[str, str], list[Member]] = defaultdict(list)
    for grain in grains:
        for entry in entries:
            member = Member(entry.capture, entry.url, entry.time)
            found[grain, group_name(entry, grain)].append(member)
    return {key: tuple(members) for key, members in found.items()}


def _tables(some: Sequence[Made]) -> dict[str, pa.Table]:
    """A table for each analysis with rows, sorted by capture."""
    parts: dict[str, list[pa.Table]] = defaultdict(list)
    for made in some:
        if any(result.rows for result in made.results):
            with pa.ipc.open_stream(made.rows) as reader:
                parts[made.results[0].analysis].append(reader.read_all())
    return {name: _joined(found) for name, found in parts.items()}


def _joined(parts: list[pa.Table]) -> pa.Table:
    """Groups may lie between each other's captures; single captures are only put in order."""
    parts.sort(key=lambda part: _span(part)[0])
    table = pa.concat_tables(parts).unify_dictionaries().combine_chunks()
    spans = [_span(part) for part in parts]
    overlap = any(last > first for (_, last), (first, _) in pairwise(spans))
    if not overlap:
        return table
    # Arrow does not sort dictionaries.
    return table.take(pc.sort_indices(table["capture"].cast(pa.string())))


def _span(part: pa.Table) -> tuple[str, str]:
    """The first and the last capture in a sorted table."""
    ids = part["capture"]
    return ids[0].as_py(), ids[-1].as_py()
