"""What happened, in words for people."""

from __future__ import annotations

from typing import Any

import pytest

from webgeist.analyses.changes.items import Kind
from webgeist.analyses.changes.reasons import reason
from webgeist.analyses.changes.regions import Region
from webgeist.analyses.changes.types import Place, Type


def _region(**more: Any) -> Region:
    """A paragraph of the content with another word, unless told otherwise."""
    values: dict[str, Any] = {
        "kind": Kind.EDITED,
        "place": Place.CONTENT,
        "type": Type.ARTICLE,
        "passages": 1,
        "gone": 1,
        "came": 1,
        "noise": (),
        "chance": 0.9,
        "before": None,
        "after": None,
        "text_before": "",
        "text_after": "",
    }
    return Region(**(values | more))


EDITED = _region()
MENU = _region(place=Place.HEADER, type=Type.MENU, passages=2, chance=0.05)
LINK = _region(kind=Kind.REMOVED, place=Place.FOOTER, type=Type.LINK_LIST, chance=0.05)
DATE = _region(noise=("date",), gone=0, came=0, chance=0.1)
SEVERAL = _region(noise=("age", "id", "number"), gone=0, came=0, chance=0.1)
ADDED = _region(kind=Kind.ADDED, passages=3, chance=0.2)

AROUND = "2 menu entries edited in the header, 1 link removed from the footer"
REST = "header, footer and sidebar unchanged"


@pytest.mark.parametrize(
    ("regions", "important", "told"),
    [
        ([], False, "nothing changed"),
        (
            [_region(kind=Kind.RESTYLED)],
            False,
            "the same words and pictures with other looks",
        ),
        (
            [EDITED],
            True,
            f"1 paragraph edited in the content; {REST}",
        ),
        (
            [EDITED, MENU, LINK],
            True,
            f"1 paragraph edited in the content; unimportant: {AROUND}; sidebar unchanged",
        ),
        (
            [EDITED, DATE],
            True,
            f"1 paragraph edited in the content; only dates differ besides; {REST}",
        ),
        ([DATE], False, f"only dates differ; {REST}"),
        (
            [SEVERAL],
            False,
            f"only ages, ids and numbers differ; {REST}",
        ),
        (
            [ADDED],
            False,
            f"unimportant: 3 paragraphs added to the content; {REST}",
        ),
    ],
)
def test_reasons(regions: list[Region], important: bool, told: str) -> None:
    assert reason(regions, 0.6, important=important) == told


def test_three_kinds_of_change_are_named_and_the_rest_counted() -> None:
    kinds = [Kind.ADDED, Kind.REMOVED, Kind.EDITED, Kind.MOVED]
    told = reason([_region(kind=kind) for kind in kinds], 0.6, important=True)
    assert told.startswith("1 paragraph added to the content, 1 paragraph removed from the content")
    assert "and 1 other kind of change;" in told


def test_passages_of_one_kind_are_counted_together() -> None:
    told = reason([EDITED, _region(passages=1_200)], 0.6, important=True)
    assert told.startswith("1,201 paragraphs edited in the content;")


def test_only_what_is_likely_content_is_told_as_such() -> None:
    told = reason([EDITED, _region(kind=Kind.MOVED, chance=0.3)], 0.6, important=True)
    assert "unimportant: 1 paragraph moved in the content" in told
