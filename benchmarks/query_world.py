"""A repository of millions of nodes to ask: real captures, copied with changes, analysed.

Copies are drawn with a skew (the first page is there far more often than the last), and each has
colours, type sizes, cursors, opacities and shapes of its own, also skewed: few values are frequent.
Made once for a size, in the cache beside the pages.
"""

from __future__ import annotations

import random
import sys
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pyarrow as pa

from benchmarks import pages
from benchmarks.query_originals import keep, new_repository, originals
from webgeist.capture.decode import MemoryParts
from webgeist.page.model import Page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from benchmarks.query_originals import Analysed
    from webgeist.capture.model import Capture

_BATCH = 50
_GREYS = [f"rgb({n}, {n}, {n})" for n in (0, 51, 102, 33, 85, 17, 119, 68, 153, 34)]


def repository_of(nodes: int) -> Path:
    """The folder of a published repository with at least so many nodes."""
    folder = pages.cache_folder() / f"query-{nodes}"
    if not (folder / "CURRENT").exists():
        print(f"  making a repository of {nodes:,} nodes: {folder}", file=sys.stderr)
        _make(folder, nodes)
    return folder


def _make(folder: Path, nodes: int) -> None:
    with new_repository(folder) as repository:
        held: list[Analysed] = []
        for copy in _copies(originals(), nodes):
            held.append(copy)
            if len(held) == _BATCH:
                keep(repository, held)
                held = []
        keep(repository, held)
        repository.publish()


def _copies(originals: Sequence[Analysed], nodes: int) -> Iterator[Analysed]:
    random_ = random.Random(2013)
    weights = [1 / (1 + place) for place in range(len(originals))]
    total, number = 0, 0
    while total < nodes:
        place = (
            number
            if number < len(originals)
            else random_.choices(range(len(originals)), weights)[0]
        )
        capture, _ = originals[place]
        yield _changed(capture, number, random_), _jittered(originals[place], random_)
        total += capture.info.nodes
        number += 1


def _changed(capture: Capture, number: int, random_: random.Random) -> Capture:
    page = capture.page
    assert page is not None
    inherited = _restyled(page.styles_inherited, random_)
    own = _restyled(page.styles_own, random_)
    copy = Page(page.nodes, inherited, own, page.documents)
    parts = MemoryParts(
        copy, capture.links, capture.requests, capture.screenshot, capture.thumbnail
    )
    later = capture.info.time + timedelta(hours=number)
    return replace(capture, info=replace(capture.info, time=later), parts=parts)


def _restyled(styles: pa.Table, random_: random.Random) -> pa.Table:
    """Some vectors of a page get values of their own."""
    for name, draw in _DRAWS.items():
        if name in styles.column_names:
            values = styles.column(name).to_pylist()
            for place in random_.sample(range(len(values)), k=max(1, len(values) // 12)):
                values[place] = draw(random_)
            place = styles.schema.get_field_index(name)
            styles = styles.set_column(
                place, styles.schema.field(name), pa.array(values, pa.string())
            )
    return styles


def _skewed(random_: random.Random, most: int) -> int:
    """Numbers below `most`, each half as frequent as the one of half its size."""
    return min(most - 1, int(random_.paretovariate(1.0)) - 1)


def _colour(random_: random.Random) -> str:
    place = _skewed(random_, 400)
    if place < len(_GREYS):
        return _GREYS[place]
    return f"rgb({place * 37 % 256}, {place * 91 % 256}, {place * 11 % 256})"


_DRAWS: dict[str, Callable[[random.Random], str]] = {
    "color": _colour,
    "background-color": lambda r: (
        f"rgba({_skewed(r, 256)}, 0, 0, {r.choice((0.1, 0.5, 0.8))})"
        if r.random() < 0.1
        else _colour(r)
    ),
    "font-size": lambda r: (
        f"{r.choice((12, 14, 16, 18, 24, 32, 48, 64, 120)) if r.random() < 0.3 else 16}px"
    ),
    "cursor": lambda r: (
        f'url("http://localhost/cursor{_skewed(r, 295)}.png"), auto'
        if r.random() < 0.2
        else "pointer"
    ),
    "opacity": lambda r: str(r.choice((0.5, 0.65, 0.75, 0.8))) if r.random() < 0.2 else "1",
}


def _jittered(original: Analysed, random_: random.Random) -> dict[str, pa.Table]:
    """Blocks of other shapes; on a few pages those that the paper looked for."""
    capture, results = original
    names = _names(capture, results["blocks"])
    features = results["features"]
    ratios = features.column("aspectRatio").to_pylist()
    factor = random_.lognormvariate(0, 0.3)
    ratios = [None if ratio is None else ratio * factor for ratio in ratios]
    if ratios and random_.random() < 0.02:
        ratios[0] = 10 + random_.random() * 5
    changed = _with(features, "aspectRatio", ratios)
    if random_.random() < 0.05:  # as search engines have it
        for side in ("leftSidedness", "topSidedness"):
            changed = _where(changed, side, names, "input", 0.4 + random_.random() / 5)
    if random_.random() < 0.05:
        changed = _where(changed, "areaOfPage", names, "header", 0.05 + random_.random() / 2)
        changed = _where(changed, "fractionalY", names, "nav", random_.random() / 12)
        changed = _with_long_text(changed, results["blocks"], 51 + _skewed(random_, 400))
    return results | {"features": changed}


def _with_long_text(features: pa.Table, blocks: pa.Table, words: int) -> pa.Table:
    """One text of so many words, where there is a text."""
    values, kinds = features.column("words").to_pylist(), blocks.column("kind").to_pylist()
    if "text" in kinds:
        values[kinds.index("text")] = words
    return _with(features, "words", values)


def _names(capture: Capture, blocks: pa.Table) -> list[str]:
    """The element of each block."""
    assert capture.page is not None
    names = capture.page.names
    return [names[node] for node in blocks.column("node").to_pylist()]


def _where(features: pa.Table, column: str, names: list[str], name: str, value: float) -> pa.Table:
    values = features.column(column).to_pylist()
    pairs = zip(values, names, strict=True)
    return _with(features, column, [value if each == name else old for old, each in pairs])


def _with(features: pa.Table, column: str, values: list[float | None]) -> pa.Table:
    place = features.schema.get_field_index(column)
    field = features.schema.field(column)
    return features.set_column(place, field, pa.array(values, field.type))
