"""What really changed between two captures of a page: `webgeist.compare`. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webgeist.analyses.changes.addresses import addresses
from webgeist.analyses.changes.change import Change, not_comparable
from webgeist.analyses.changes.comparable import obstacle, stand_in
from webgeist.analyses.changes.evidence import evidence
from webgeist.analyses.changes.items import items
from webgeist.analyses.changes.model import default_model
from webgeist.analyses.changes.pictures import compare_pictures
from webgeist.analyses.changes.portrait import portrait
from webgeist.analyses.changes.reasons import reason
from webgeist.analyses.changes.regions import regions
from webgeist.analyses.changes.sketch import sketch_of
from webgeist.analyses.changes.teaching import Schooled, explained
from webgeist.capture.screenshot import Screenshot

if TYPE_CHECKING:
    from webgeist.analyses.changes.addresses import Address
    from webgeist.analyses.changes.model import Model
    from webgeist.analyses.changes.portrait import Portrait
    from webgeist.analyses.changes.sketch import Sketch
    from webgeist.analyses.changes.teaching import Taught
    from webgeist.capture.info import CaptureInfo
    from webgeist.capture.model import Capture

_MOST = 100  # regions that are told


@dataclass(frozen=True, eq=False)
class Seen:
    """What is kept of a capture: its portrait, or a sketch of its picture where it has no page. A
    picture that comes from elsewhere has no `info`.
    """

    info: CaptureInfo | None
    portrait: Portrait | None
    sketch: Sketch | None = None
    places: tuple[Address, ...] | None = None


def seen(version: Capture | Screenshot, *, places: bool = False) -> Seen:
    """What is compared of a version; with the `places` of its passages, for what was taught."""
    if isinstance(version, Screenshot) or version.page is None:
        return _pictured(version)
    made = portrait(version.page)
    return Seen(version.info, made, places=addresses(version.page, made) if places else None)


def _pictured(version: Capture | Screenshot) -> Seen:
    if isinstance(version, Screenshot):
        return Seen(None, None, sketch_of(version))
    shot = version.screenshot
    return Seen(version.info, None, None if shot is None else sketch_of(shot))


def compare(
    before: Capture | Screenshot,
    after: Capture | Screenshot,
    *,
    model: Model | None = None,
    taught: Taught | None = None,
) -> Change:
    """What really changed between two versions of a page. See `webgeist.compare`."""
    one, other = (seen(version, places=bool(taught)) for version in (before, after))
    if one.portrait is None or other.portrait is None:
        one, other = _pictured(before), _pictured(after)
    return compare_seen(one, other, model=model, taught=taught)


def compare_seen(
    before: Seen, after: Seen, *, model: Model | None = None, taught: Taught | None = None
) -> Change:
    """The same for what was kept of two captures."""
    why = None
    if before.info is not None and after.info is not None:
        why = obstacle(before.info, after.info)
    one, other = before.portrait, after.portrait
    if one is None or other is None:
        return _without_page(before, after, why)
    school = None
    if taught and before.places is not None and after.places is not None:
        school = Schooled(taught, before.places, after.places)
    change = judge(one, other, model or default_model(), school)
    why = why or stand_in(one, other)
    if why is None:
        return change
    return replace(change, important=False, comparable=False, reason=f"not comparable: {why}")


def _without_page(before: Seen, after: Seen, why: str | None) -> Change:
    if why is not None:
        return not_comparable(why)
    if before.sketch is None or after.sketch is None:
        return not_comparable("a capture has neither page nor picture")
    return compare_pictures(before.sketch, after.sketch)


def judge(
    before: Portrait, after: Portrait, model: Model, school: Schooled | None = None
) -> Change:
    """What changed, whatever was captured; `school` is what users taught about the page."""
    found = items(before, after)
    chances = model.chances(evidence(before, after, found))
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
