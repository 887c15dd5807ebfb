"""Snapshots made by hand become pages: frames, pseudo-elements, nodes without layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from webgeist.page.schema import NODES
from webgeist.page.snapshot import decode

if TYPE_CHECKING:
    from tests.page.conftest import HandMade

    from webgeist.page.model import Page

PROPERTIES = ("color", "border-left-width", "border-top-width", "padding-left", "padding-top")


def column(page: Page, name: str) -> list[object]:
    values: list[object] = page.nodes.column(name).to_pylist()
    return values


def test_a_document_without_layout_has_nodes_without_boxes(hand_made: HandMade) -> None:
    hand_made.document()
    html = hand_made.node("HTML")
    hand_made.node("#text", html, "words")
    page = decode(hand_made.raw(), PROPERTIES)
    assert page.nodes.schema.equals(NODES)
    assert page.names == ["#document", "html", "#text"]
    assert column(page, "x") == [None, None, None]
    assert column(page, "paint_order") == [None, None, None]
    assert np.isnan(page.boxes).all()
    assert page.style(1) == {}
    assert page.styles_own.num_rows == 0


def test_no_style_is_no_style_and_not_another_nodes(hand_made: HandMade) -> None:
    hand_made.document()
    first, second = hand_made.node("P"), hand_made.node("P")
    hand_made.lay_out(first, (0, 0, 1, 1), None)
    hand_made.lay_out(second, (0, 1, 1, 1), ("red", "1px", "2px", "3px", "4px"))
    page = decode(hand_made.raw(), PROPERTIES)
    assert page.style(first) == {}
    assert page.style(second) == dict(
        zip(PROPERTIES, ("red", "1px", "2px", "3px", "4px"), strict=True)
    )
    assert column(page, "x")[first] == 0


def nested_frames(snapshot: HandMade) -> None:
    """A page with a frame with a frame; the middle one is scrolled and has border and padding."""
    snapshot.document("http://example.org/")
    frame = snapshot.node("IFRAME")
    after = snapshot.node("P")
    snapshot.lay_out(frame, (100, 200, 50, 60), ("black", "1px", "2px", "4px", "8px"))
    snapshot.lay_out(after, (0, 500, 10, 10))
    snapshot.show(frame, 0, 1)
    snapshot.document("http://example.org/middle", scrollOffsetX=3, scrollOffsetY=5)
    inner = snapshot.node("IFRAME")
    snapshot.lay_out(inner, (10, 20, 30, 30))
    snapshot.show(inner, 1, 2)
    snapshot.document("http://example.org/inner")
    words = snapshot.node("#text", 0, "words")
    snapshot.lay_out(words, (1, 1, 5, 5), text="words")


def test_frames_in_frames_stand_below_their_elements(hand_made: HandMade) -> None:
    nested_frames(hand_made)
    page = decode(hand_made.raw(), PROPERTIES)
    assert page.names == ["#document", "iframe", "#document", "iframe", "#document", "#text", "p"]
    assert page.parent.tolist() == [-1, 0, 1, 2, 3, 4, 0]
    assert page.end.tolist() == [7, 6, 6, 6, 6, 6, 7]
    assert page.document.tolist() == [0, 0, 1, 1, 2, 2, 0]
    assert [document.owner for document in page.documents] == [None, 1, 3]
    assert [document.url for document in page.documents] == [
        "http://example.org/",
        "http://example.org/middle",
        "http://example.org/inner",
    ]


def test_boxes_in_frames_are_told_from_the_pages_corner(hand_made: HandMade) -> None:
    nested_frames(hand_made)
    page = decode(hand_made.raw(), PROPERTIES)
    middle = (100 + 1 + 4 - 3, 200 + 2 + 8 - 5)
    inner = (middle[0] + 10, middle[1] + 20)
    assert [(document.x, document.y) for document in page.documents] == [(0, 0), middle, inner]
    assert page.boxes[3].tolist() == [*inner, 30, 30]
    assert page.boxes[5].tolist() == [inner[0] + 1, inner[1] + 1, 5, 5]
    assert page.boxes[6].tolist() == [0, 500, 10, 10]


def test_a_document_that_no_frame_shows_is_kept(hand_made: HandMade) -> None:
    hand_made.document()
    hand_made.node("P")
    hand_made.document("http://example.org/lost")
    hand_made.node("B")
    page = decode(hand_made.raw(), PROPERTIES)
    assert page.names == ["#document", "p", "#document", "b"]
    assert column(page, "parent") == [None, 0, None, 2]
    assert page.documents[1].owner is None


def test_a_frame_that_is_not_laid_out_still_shows_its_document(hand_made: HandMade) -> None:
    hand_made.document()
    frame = hand_made.node("IFRAME")
    hand_made.show(frame, 0, 1)
    hand_made.document("http://example.org/hidden")
    page = decode(hand_made.raw(), PROPERTIES)
    assert page.names == ["#document", "iframe", "#document"]
    assert page.documents[1].owner == 1


def test_a_pseudo_element_has_the_box_of_its_first_entry_and_the_text_of_its_second(
    hand_made: HandMade,
) -> None:
    hand_made.document()
    paragraph = hand_made.node("P")
    before = hand_made.node("::before", paragraph)
    words = hand_made.node("#text", paragraph, "words")
    hand_made.mark("pseudoType", before, "before")
    hand_made.lay_out(paragraph, (0, 0, 100, 20))
    hand_made.lay_out(before, (0, 0, 40, 20), ("red", "1px", "1px", "1px", "1px"))
    hand_made.lay_out(before, (5, 5, 10, 10), ("blue", "0px", "0px", "0px", "0px"), "→")
    hand_made.lay_out(words, (50, 0, 50, 20), text="words")
    page = decode(hand_made.raw(), PROPERTIES)
    assert page.boxes[before].tolist() == [0, 0, 40, 20]
    assert page.style(before)["color"] == "red"
    assert column(page, "rendered_text") == [None, None, "→", "words"]
    assert column(page, "pseudo") == [None, None, "before", None]
    assert page.boxes[words].tolist() == [50, 0, 50, 20]


@pytest.mark.parametrize("text", ['{"styles":[[1,2],[3]]}', '"styles":[[', "],[", "]]", "\\"])
def test_text_that_looks_like_styles_stays_text(hand_made: HandMade, text: str) -> None:
    hand_made.document()
    words = hand_made.node("#text", 0, text)
    hand_made.lay_out(words, (0, 0, 9, 9), text=text)
    page = decode(hand_made.raw(), PROPERTIES)
    assert page.texts[words] == text
    assert page.style(words)["color"] == "black"


def test_lone_surrogates_in_texts_become_replacement_characters(hand_made: HandMade) -> None:
    hand_made.document()
    words = hand_made.node("#text", 0, "a\ud83db")
    assert decode(hand_made.raw(), PROPERTIES).texts[words] == "a�b"


def test_names_of_html_are_small_and_names_of_svg_are_kept(hand_made: HandMade) -> None:
    hand_made.document()
    for name in ("A", "a", "linearGradient", "MY-ELEMENT", "H1"):
        hand_made.node(name)
    page = decode(hand_made.raw(), PROPERTIES)
    assert page.names[1:] == ["a", "a", "linearGradient", "my-element", "h1"]
    dictionary = page.nodes.column("name").combine_chunks().dictionary.to_pylist()
    assert len(dictionary) == len(set(dictionary))


def test_attributes_are_kept_in_order_and_may_be_empty(hand_made: HandMade) -> None:
    hand_made.document()
    field = hand_made.node("INPUT", 0, attributes={"z": "1", "disabled": "", "a": "2"})
    page = decode(hand_made.raw(), PROPERTIES)
    assert list(page.attributes(field).items()) == [("z", "1"), ("disabled", ""), ("a", "2")]
    assert page.attributes(0) == {}


def test_facts_of_forms_and_pictures_belong_to_their_nodes(hand_made: HandMade) -> None:
    hand_made.document()
    box, area, option, image = (hand_made.node(n) for n in ("INPUT", "TEXTAREA", "OPTION", "IMG"))
    hand_made.mark("inputValue", box, "typed")
    hand_made.mark("inputChecked", box)
    hand_made.mark("textValue", area, "long")
    hand_made.mark("optionSelected", option)
    hand_made.mark("isClickable", image)
    hand_made.mark("currentSourceURL", image, "http://example.org/i.png")
    page = decode(hand_made.raw(), PROPERTIES)
    assert column(page, "value") == [None, "typed", "long", None, None]
    assert column(page, "checked") == [False, True, False, False, False]
    assert column(page, "selected") == [False, False, False, True, False]
    assert column(page, "clickable") == [False, False, False, False, True]
    assert column(page, "source_url") == [None, None, None, None, "http://example.org/i.png"]
