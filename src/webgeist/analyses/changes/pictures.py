"""What really changed between two pictures of a page, where nothing else is known of it.

The paper's case: screenshots alone, as of an app. Lines that are in one picture only are judged by
where they stand and how they look; no word is read. That is less sure than a comparison of pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.analyses.changes.change import Change, not_comparable
from webgeist.analyses.changes.items import Kind
from webgeist.analyses.changes.model import picture_model
from webgeist.analyses.changes.regions import Region
from webgeist.analyses.changes.sketch_evidence import differences, layout
from webgeist.analyses.changes.types import Place, Type

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from webgeist.analyses.changes.model import Model
    from webgeist.analyses.changes.sketch import Sketch
    from webgeist.analyses.changes.sketch_evidence import Differences, Layout

    Box = tuple[float, float, float, float]
    Floats = NDArray[np.floating]
    Ints = NDArray[np.int64]

_MOST = 100  # regions that are told
_NEAR = 3  # times a line's height that lines of a region are apart
_EDITED = 0.3  # likeness from which a line is another form of one in the other picture
_PICTURE = 3  # times as tall as most lines of text
_WIDER = 0.02  # of a width that two pictures may differ by


def compare_pictures(before: Sketch, after: Sketch, model: Model | None = None) -> Change:
    """The change between two pictures. One that shows nothing, or is of another width, is not
    comparable.
    """
    for which, sketch in (("first", before), ("second", after)):
        if not len(sketch):
            return not_comparable(f"the {which} picture shows nothing")
    wide = [round(sketch.width * sketch.scale) for sketch in (before, after)]
    if abs(wide[0] - wide[1]) > _WIDER * max(wide):
        return not_comparable(f"the pictures are {wide[0]} and {wide[1]} pixels wide")
    return _judge(before, after, model or picture_model())


def _judge(before: Sketch, after: Sketch, model: Model) -> Change:
    found = differences(before, after)
    chances = model.chances(found.evidence)
    score = round(model.score(chances), 4)
    made = sorted(_regions(before, after, found, chances), key=lambda region: -region.chance)
    important = score >= model.threshold
    reason = _reason(made, important=important)
    return Change(score, important, comparable=True, reason=reason, regions=tuple(made[:_MOST]))


def _reason(regions: list[Region], *, important: bool) -> str:
    if not regions:
        return "the pictures show the same"
    lines = sum(region.passages for region in regions)
    places = sorted({str(region.place) for region in regions})
    where = (
        f"{lines:,} {'line differs' if lines == 1 else 'lines differ'} in {' and '.join(places)}"
    )
    return f"{'' if important else 'unimportant: '}{where}, by the pictures alone"


def _regions(
    before: Sketch, after: Sketch, found: Differences, chances: Floats
) -> Iterator[Region]:
    """Changed lines that stand together are one region, of one picture each."""
    cut = len(found.before)
    for sketch, lines, alike, likely, first in (
        (before, found.before, found.alike[0], chances[:cut], True),
        (after, found.after, found.alike[1], chances[cut:], False),
    ):
        plan = layout(sketch)
        for run in _runs(sketch, lines, plan):
            yield _region(sketch, plan, lines[run], alike, float(likely[run].max()), first=first)


def _runs(sketch: Sketch, lines: Ints, plan: Layout) -> Iterator[list[int]]:
    run: list[int] = []
    for number, line in enumerate(lines.tolist()):
        if run:
            above = sketch.boxes[lines[run[-1]]]
            far = sketch.boxes[line][1] - above[3] > _NEAR * plan.usual
            if far or abs(sketch.boxes[line][0] - above[0]) > sketch.width / 4:
                yield run
                run = []
        run.append(number)
    if run:
        yield run


def _region(
    sketch: Sketch,
    plan: Layout,
    lines: Ints,
    alike: Floats,
    likely: float,
    *,
    first: bool,
) -> Region:
    boxes = sketch.boxes[lines]
    edges = *boxes[:, :2].min(axis=0), *boxes[:, 2:].max(axis=0)
    left, top, right, bottom = (round(float(edge) * sketch.scale, 1) for edge in edges)
    box: Box = (left, top, right, bottom)
    edited = float(alike[lines].max()) >= _EDITED
    kind = Kind.EDITED if edited else Kind.REMOVED if first else Kind.ADDED
    tall = bool((boxes[:, 3] - boxes[:, 1] > _PICTURE * plan.usual).any())
    place = _place(sketch, plan, boxes)
    text = Type.ARTICLE if place is Place.CONTENT else Type.TEXT
    return Region(
        kind=kind,
        place=place,
        type=Type.IMAGE if tall else text,
        passages=len(lines),
        gone=0,
        came=0,
        noise=(),
        chance=likely,
        before=box if first else None,
        after=None if first else box,
        text_before="",
        text_after="",
    )


def _place(sketch: Sketch, plan: Layout, boxes: Floats) -> Place:
    """Beside, above or below the main column's lines, or among them."""
    if not plan.main.any():
        return Place.CONTENT
    main = sketch.boxes[plan.main]
    middle = float(boxes[:, [0, 2]].mean())
    if boxes[:, 3].max() < main[:, 1].min():
        return Place.HEADER
    if boxes[:, 1].min() > main[:, 3].max():
        return Place.FOOTER
    return Place.CONTENT if plan.left - 4 <= middle <= plan.right + 4 else Place.SIDEBAR
