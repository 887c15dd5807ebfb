"""What an analysis promises is what it gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from tests.repository.making import make_capture

from webgeist.analyses.analysis import Analysis, NothingToSeeError, Subject

if TYPE_CHECKING:
    from tests.analyses.conftest import Looker

SCHEMA = pa.schema([pa.field("block", pa.int32()), pa.field("size", pa.float32())])


def analysis(gives: Any) -> Analysis:
    return Analysis("sizes", "1", SCHEMA, lambda _: gives)


def test_rows_come_in_the_promised_types() -> None:
    rows = analysis(pa.table({"block": [0, 1], "size": [1, 2]})).rows(Subject(make_capture(1)))
    assert rows.schema == SCHEMA
    assert rows["size"].to_pylist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("gives", "error"),
    [
        ([1, 2], TypeError),
        (pa.table({"block": [0]}), ValueError),
        (pa.table({"block": [0], "size": [1.0], "more": [1]}), ValueError),
        (pa.table({"size": [1.0], "block": [0]}), ValueError),
        (pa.table({"block": ["a"], "size": [1.0]}), pa.ArrowInvalid),
    ],
)
def test_what_was_not_promised_is_refused(gives: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        analysis(gives).rows(Subject(make_capture(1)))


def test_a_capture_without_a_page_has_nothing_to_see() -> None:
    subject = Subject(make_capture(1, nodes=0))
    with pytest.raises(NothingToSeeError, match="timeout"):
        _ = subject.page
    with pytest.raises(NothingToSeeError, match="no picture"):
        _ = subject.picture


def test_what_several_need_is_made_once(look: Looker) -> None:
    subject = look("<p>one")
    things = iter(["made", "made again"])
    for _ in range(2):
        assert subject.shared("thing", lambda: next(things)) == "made"
    assert subject.hierarchy is subject.hierarchy
    assert subject.picture.shape[2] == 3


def test_very_large_pictures_are_reduced(look: Looker, monkeypatch: pytest.MonkeyPatch) -> None:
    html = "<div style='height:3000px;background:linear-gradient(red,blue)'></div><p>end</p>"
    whole = look(html)
    assert whole.reduced == 1
    monkeypatch.setattr("webgeist.analyses.analysis._MOST_PIXELS", 1_000_000)
    small = look(html)
    assert small.reduced == 2
    assert small.picture.shape[:2] == tuple(size // 2 for size in whole.picture.shape[:2])
    assert (abs(small.boxes - whole.boxes / 2) <= 1).all()
    middle = whole.picture[1000:1002, 600:602].mean(axis=(0, 1))
    assert abs(small.picture[500, 300] - middle).max() < 3
