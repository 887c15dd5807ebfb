"""What a link is told by: its text, labels, names, and what holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.analyses.blocks.conftest import Node, make_page

from webgeist.analyses.blocks.annotators.annotate import annotate
from webgeist.analyses.blocks.elements import Elements

if TYPE_CHECKING:
    from collections.abc import Sequence


def notes(*nodes: Node, of: int = 2) -> dict[str, Sequence[object]]:
    """The notes of one of the nodes below the body."""
    top: list[Node] = [("html", -1, None, {}), ("body", 0, None, {})]
    elements = Elements(make_page([*top, *nodes], [(0.0, 0.0, 9.0, 9.0)] * (len(nodes) + 2)))
    return dict(annotate(elements).of.get(of, {}))


def told(text: str, **attributes: str) -> set[str]:
    named = {name.replace("_", "-"): value for name, value in attributes.items()}
    return set(notes(("a", 1, None, {"href": "/", **named}), ("#text", 2, text, {})))


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Next", {"NEXT", "NEXT_ONLY", "PAGINATION"}),
        ("3", {"NUMBER"}),
        ("11-20", {"NUMBER", "RANGE_END"}),
        ("…", {"ELLIPSIS"}),
        ("»", {"ARROW"}),
        ("Next »", {"NEXT", "ARROW_BESIDE"}),
        ("Page 2", {"PAGE", "NUMBER_INSIDE"}),
        ("Page2", {"PAGE", "NUMBER_INSIDE"}),
        ("Seite2", {"PAGE", "NUMBER_INSIDE"}),
        ("Page 2 of 9", {"POSITION"}),
        ("Back to album", {"ALL", "PREVIOUS"}),
        ("पिछला", {"PREVIOUS", "PREVIOUS_ONLY"}),
        ("ถัดไป", {"NEXT", "NEXT_ONLY"}),
    ],
)
def test_by_its_text(text: str, kinds: set[str]) -> None:
    assert kinds <= told(text)


def test_a_word_amid_others() -> None:
    assert "NEXT_AMID" in told("Die Ruhe vor dem Sturm")
    assert not {"NEXT_AMID", "PREVIOUS_AMID"} & (
        told("Next: the storm") | told("Zum Artikel zurück")
    )


def test_the_vowels_of_a_word_do_not_part_it() -> None:
    assert "NEXT" not in told("अगलापन")


@pytest.mark.parametrize("name", ["title", "aria_label", "value"])
def test_by_its_labels(name: str) -> None:
    assert {"LABEL_NEXT", "LABEL_PAGE"} <= told("x", **{name: "Next page"})


def test_a_label_that_repeats_the_text_says_nothing_more() -> None:
    assert not any(kind.startswith("LABEL_") for kind in told("Next", title="Next"))


def test_by_its_names_and_rel() -> None:
    assert {"OWN_NEXT", "OWN_PAGER", "REL"} <= told("x", **{"class": "pager-next"}, rel="next")
    assert "ARIA_CURRENT" in told("2", aria_current="page")
    assert "ARIA_CURRENT" not in told("2", aria_current="false")
    assert "DISABLED" in told("2", aria_disabled="true")
    assert "DISABLED" not in told("2", **{"class": "inactive"})  # not the page that is shown


def test_by_what_holds_it() -> None:
    found = notes(
        ("nav", 1, None, {"class": "pagination"}),
        ("ul", 2, None, {}),
        ("li", 3, None, {"class": "next", "title": "Next page"}),
        ("a", 4, None, {"href": "/"}),
        of=5,
    )
    assert found["HELD_PAGER"] == [3]
    assert found["HELD_NEXT"] == [1]
    assert "OWN_NEXT" in found  # the item holds nothing else
    assert "LABEL_NEXT" in found


def test_by_its_picture() -> None:
    found = notes(
        ("a", 1, None, {"href": "/"}),
        ("img", 2, None, {"src": "/i/arrow-right.png", "alt": "Next"}),
    )
    assert {"PICTURE", "LABEL_NEXT", "OWN_NEXT"} <= set(found)


def test_what_lies_inside_a_link_has_no_notes_of_its_own() -> None:
    assert notes(("a", 1, None, {"href": "/"}), ("#text", 2, "3", {}), of=3) == {}
