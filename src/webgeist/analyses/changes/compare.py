"""What really changed between two captures of a page: `webgeist.compare`. Pure."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from webgeist.analyses.changes.addresses import addresses
from webgeist.analyses.changes.comparable import obstacle, stand_in
from webgeist.analyses.changes.evidence import evidence
from webgeist.analyses.changes.items import items
from webgeist.analyses.changes.model import default_model
from webgeist.analyses.changes.portrait import portrait
from webgeist.analyses.changes.reasons import reason
from webgeist.analyses.changes.regions import regions
from webgeist.analyses.changes.teaching import Schooled, explained

if TYPE_CHECKING:
    import pyarrow as pa

    from webgeist.analyses.changes.model import Model
    from webgeist.analyses.changes.portrait import Portrait
    from webgeist.analyses.changes.regions import Region
    from webgeist.analyses.changes.teaching import Taught
    from webgeist.capture.info import CaptureInfo
    from webgeist.capture.model import Capture

    Seen = tuple[CaptureInfo, Portrait | None]  # what is kept of a capture

_MOST = 100  # regions that are told


@dataclass(frozen=True)
class Change:
    """How one version of a page differs from another.

    `score` (0..1) is how likely the content changed, `important` whether that is more than the
    threshold. Where the captures are not `comparable` there is no alarm, and the reason says why.
    Regions are the most important first; no more than 100.
    """

    score: float
    important: bool
    comparable: bool
    reason: str
    regions: tuple[Region, ...]

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)

    def to_arrow(self) -> pa.Table:
        """The regions, a row for each."""
        import pyarrow as pa

        from webgeist.analyses.changes.table import REGION

        rows = [asdict(region) for region in self.regions]
        return pa.Table.from_pylist(rows, schema=pa.schema(REGION.fields))

    def to_pandas(self) -> Any:
        return self.to_arrow().to_pandas()


def compare(
    before: Capture, after: Capture, *, model: Model | None = None, taught: Taught | None = None
) -> Change:
    """What really changed between two captures of a page. See `webgeist.compare`."""
    one, other = (
        (capture.info, None if capture.page is None else portrait(capture.page))
        for capture in (before, after)
    )
    school = None
    if taught and before.page and after.page and one[1] and other[1]:
        school = Schooled(taught, addresses(before.page, one[1]), addresses(after.page, other[1]))
    return compare_seen(one, other, model=model, school=school)


def compare_seen(
    before: Seen, after: Seen, *, model: Model | None = None, school: Schooled | None = None
) -> Change:
    """The same for what was kept of two captures."""
    why = obstacle(before[0], after[0])
    one, other = before[1], after[1]
    if one is None or other is None:
        return _not_comparable(why or "a capture has no page")
    change = judge(one, other, model or default_model(), school)
    why = why or stand_in(one, other)
    if why is None:
        return change
    return replace(change, important=False, comparable=False, reason=f"not comparable: {why}")


def judge(
    before: Portrait, after: Portrait, model: Model, school: Schooled | None = None
) -> Change:
    """What changed, whatever was captured; `school` is what users taught about the page."""
    found = items(before, after)
    chances = model.passages(evidence(before, after, found))
    adapted = None if school is None else school.adapt((before, after), found, chances)
    chances = chances if adapted is None else adapted.chances
    score = round(model.score(chances), 4)
    if adapted is not None and adapted.raised:
        score = max(score, model.threshold)
    important = score >= model.threshold
    made = regions(before, after, found, chances.tolist())
    why = reason(made, model.threshold, important=important)
    if adapted is not None and (told := explained(adapted)):
        why = f"{why}; {told}"
    return Change(score, important, comparable=True, reason=why, regions=tuple(made[:_MOST]))


def _not_comparable(why: str) -> Change:
    return Change(
        0.0, important=False, comparable=False, reason=f"not comparable: {why}", regions=()
    )
