"""The layout of descriptors: made from pages, frozen, explained place by place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.repository.making import make_page

from webgeist.analyses.features.layout import (
    LENGTH,
    STYLES,
    Census,
    Choice,
    Layout,
    Scale,
    _choices,
    dump,
    parse,
)
from webgeist.errors import DamagedError

if TYPE_CHECKING:
    from tests.analyses.conftest import Looker

SMALL = Layout(
    1,
    3,
    (Scale("font-size", None, 10.0, 30.0), Scale("color", "r", 0.0, 255.0)),
    (Choice("display", ("block", "flex")), Choice("element", ("p",))),
)


def test_every_place_has_one_meaning() -> None:
    said = [SMALL.explain(place) for place in range(LENGTH)]
    assert said[:8] == [
        "font-size: 10 is 0, 30 is 1",
        "color, channel r: 0 is 0, 255 is 1",
        "display is block",
        "display is flex",
        "display has another value",
        "element is p",
        "element has another value",
        "not used",
    ]
    assert said[STYLES] == "GIST of R, scale 1, orientation 1 of 8, cell 0,0"
    assert said[STYLES + 959] == "GIST of B, scale 3, orientation 4 of 4, cell 3,3"
    assert said[-1].startswith("edgeShare")
    assert len(set(said[STYLES:])) == LENGTH - STYLES == 988


@pytest.mark.parametrize("place", [-1, LENGTH])
def test_there_are_no_other_places(place: int) -> None:
    with pytest.raises(IndexError, match="0 to 1678"):
        SMALL.explain(place)


def test_a_layout_survives_its_file_and_is_named_by_it() -> None:
    again = parse(dump(SMALL), "layout.json")
    assert again == SMALL
    assert again.version == SMALL.version


@pytest.mark.parametrize("raw", [b"", b"{}", b"null", dump(SMALL)[:-20]])
def test_a_damaged_file_is_refused(raw: bytes) -> None:
    with pytest.raises(DamagedError, match=r"layout\.json is damaged"):
        parse(raw, "layout.json")


def test_a_newer_file_is_refused() -> None:
    with pytest.raises(DamagedError, match="newer"):
        parse(dump(SMALL).replace(b'"format": 1', b'"format": 99'), "layout.json")


def test_values_that_tell_most_have_a_place() -> None:
    from collections import Counter

    counts = {
        "display": Counter({"block": 50, "flex": 49, "grid": 1}),
        "rare": Counter({"a": 999, "b": 1}),
        "constant": Counter({"x": 100}),
    }
    assert _choices(counts, 3) == (Choice("display", ("block", "flex")),)
    everything = _choices(counts, 100)
    assert [choice.property for choice in everything] == ["display", "rare"]


def test_a_layout_of_pages_fits_its_room(look: Looker) -> None:
    census = Census()
    for tag in ("p", "b", "h1"):
        census.add(
            look(f"<{tag} style='float:left'>one</{tag}><div style='float:right'>x</div>").page
        )
    layout = census.layout()
    assert layout.captures == 3
    used = len(layout.scales) + sum(len(choice.values) + 1 for choice in layout.choices)
    assert used <= STYLES
    assert "float" in {choice.property for choice in layout.choices}
    assert layout.scales[0].property == "font-size"
    assert "-webkit-text-fill-color" not in {choice.property for choice in layout.choices}


def test_the_order_of_pages_does_not_matter() -> None:
    one, other = Census(), Census()
    for number in range(5):
        one.add(make_page(number))
        other.add(make_page(4 - number))
    assert one.layout() == other.layout()
