"""The analysis `changes`: each capture of a page against the one before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from webgeist.analyses.changes.compare import compare_seen
from webgeist.analyses.changes.model import default_model
from webgeist.analyses.changes.portrait import portrait
from webgeist.analyses.group import CAPTURE, Grain, GroupAnalysis
from webgeist.analyses.scope import TableScope

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webgeist.analyses.changes.compare import Change
    from webgeist.analyses.changes.portrait import Portrait
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
    last: tuple[str, tuple[CaptureInfo, Portrait]] | None = None
    for member, subject in group.subjects():
        seen = subject.capture.info, portrait(subject.page)
        if last is not None:
            yield last[0], member.capture, compare_seen(last[1], seen)
        last = member.capture, seen


def _row(capture: str, before: str, change: Change) -> dict[str, Any]:
    return {"capture": capture, "before": before} | change.to_dict()


CHANGES_ANALYSIS = GroupAnalysis(
    "changes",
    f"1.{default_model().version}",
    CHANGES,
    changes,
    Grain.PAGE,
    TableScope("change", "what changed between a capture and the one of the page before it"),
)
