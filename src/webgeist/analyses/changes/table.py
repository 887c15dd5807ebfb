"""The analysis `changes`: each capture of a page against the one before it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from webgeist.analyses.changes.addresses import addresses
from webgeist.analyses.changes.compare import compare_seen
from webgeist.analyses.changes.model import default_model
from webgeist.analyses.changes.portrait import portrait
from webgeist.analyses.changes.teaching import Schooled
from webgeist.analyses.changes.teachings import ANALYSIS, Teachings
from webgeist.analyses.group import CAPTURE, Grain, GroupAnalysis
from webgeist.analyses.scope import TableScope

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webgeist.analyses.changes.addresses import Address
    from webgeist.analyses.changes.compare import Change
    from webgeist.analyses.changes.portrait import Portrait
    from webgeist.analyses.changes.teaching import Taught
    from webgeist.analyses.group import Group
    from webgeist.capture.info import CaptureInfo

_BOX = pa.list_(pa.float32(), 4)
REGION = pa.struct(
    [
        pa.field("kind", pa.string(), nullable=False),
        pa.field("place", pa.string(), nullable=False),
        pa.field("type", pa.string(), nullable=False),
        pa.field("passages", pa.int32(), nullable=False),
        pa.field("gone", pa.int32(), nullable=False),
        pa.field("came", pa.int32(), nullable=False),
        pa.field("noise", pa.list_(pa.string()), nullable=False),
        pa.field("chance", pa.float32(), nullable=False),
        pa.field("before", _BOX),
        pa.field("after", _BOX),
        pa.field("text_before", pa.string(), nullable=False),
        pa.field("text_after", pa.string(), nullable=False),
    ]
)
CHANGES = pa.schema(
    [
        pa.field("before", pa.string(), nullable=False),
        pa.field("score", pa.float32(), nullable=False),
        pa.field("important", pa.bool_(), nullable=False),
        pa.field("comparable", pa.bool_(), nullable=False),
        pa.field("reason", pa.string(), nullable=False),
        pa.field("regions", pa.list_(REGION), nullable=False),
    ]
)


def changes(group: Group) -> pa.Table:
    """A row for each capture of a page but the first."""
    rows = [_row(capture, before, change) for before, capture, change in versions(group)]
    return pa.Table.from_pylist(rows, schema=pa.schema([CAPTURE, *CHANGES]))


def versions(group: Group) -> Iterator[tuple[str, str, Change]]:
    """Consecutive captures that have a page: the earlier, the later, and how they differ."""
    teachings: Teachings = group.given.get(ANALYSIS, Teachings())
    last: _Seen | None = None
    for member, subject in group.subjects():
        seen = _Seen(member.capture, subject.capture.info, portrait(subject.page))
        taught = teachings.about(seen.info.url, seen.info.requested_url)
        if teachings.all:
            seen = replace(seen, places=addresses(subject.page, seen.portrait))
        if last is not None:
            yield last.capture, seen.capture, _compare(last, seen, taught)
        last = seen


@dataclass(frozen=True)
class _Seen:
    """What is kept of a capture until the next one comes."""

    capture: str
    info: CaptureInfo
    portrait: Portrait
    places: tuple[Address, ...] = ()


def _compare(last: _Seen, seen: _Seen, taught: Taught) -> Change:
    school = Schooled(taught, last.places, seen.places) if taught else None
    return compare_seen((last.info, last.portrait), (seen.info, seen.portrait), school=school)


def _row(capture: str, before: str, change: Change) -> dict[str, Any]:
    return {"capture": capture, "before": before} | change.to_dict()


CHANGES_ANALYSIS = GroupAnalysis(
    ANALYSIS,
    f"1.{default_model().version}",
    CHANGES,
    changes,
    Grain.PAGE,
    TableScope("change", "what changed between a capture and the one of the page before it"),
)
