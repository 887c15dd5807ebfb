"""The analysis `changes`: each capture of a page against the one before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from webgeist.analyses.changes.compare import compare_seen, seen
from webgeist.analyses.changes.model import default_model
from webgeist.analyses.changes.teachings import ANALYSIS, Teachings
from webgeist.analyses.changes.vector import SIZE, vector
from webgeist.analyses.group import CAPTURE, Grain, GroupAnalysis
from webgeist.analyses.scope import TableScope

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webgeist.analyses.changes.change import Change
    from webgeist.analyses.changes.compare import Seen
    from webgeist.analyses.group import Group

    Version = tuple[str, Seen]  # a capture, and what is kept of it

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
        pa.field("vector", pa.list_(pa.float32(), SIZE)),
        pa.field("vector_before", pa.list_(pa.float32(), SIZE)),
    ]
)


def changes(group: Group) -> pa.Table:
    """A row for each capture of a page but the first."""
    rows = [_row(*pair) for pair in _pairs(group)]
    return pa.Table.from_pylist(rows, schema=pa.schema([CAPTURE, *CHANGES]))


def versions(group: Group) -> Iterator[tuple[str, str, Change]]:
    """Consecutive captures that have a page: the earlier, the later, and how they differ."""
    for one, other, change in _pairs(group):
        yield one[0], other[0], change


def _pairs(group: Group) -> Iterator[tuple[Version, Version, Change]]:
    teachings: Teachings = group.given.get(ANALYSIS, Teachings())
    last: Version | None = None
    for member, subject in group.subjects():
        info = subject.capture.info
        version = member.capture, seen(subject.capture, places=bool(teachings.all))
        if last is not None:
            taught = teachings.about(info.url, info.requested_url)
            yield last, version, compare_seen(last[1], version[1], taught=taught)
        last = version


def _row(before: Version, after: Version, change: Change) -> dict[str, Any]:
    vectors = {"vector": _vector(after[1]), "vector_before": _vector(before[1])}
    return {"capture": after[0], "before": before[0]} | vectors | change.to_dict()


def _vector(version: Seen) -> Any:
    return None if version.portrait is None else vector(version.portrait)


CHANGES_ANALYSIS = GroupAnalysis(
    ANALYSIS,
    f"2.{default_model().version}",
    CHANGES,
    changes,
    Grain.PAGE,
    TableScope("change", "what changed between a capture and the one of the page before it"),
)
