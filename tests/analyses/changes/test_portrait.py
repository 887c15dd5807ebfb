"""What is compared of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.analyses.changes.pages import PROSE

from webgeist.analyses.changes.portrait import portrait

if TYPE_CHECKING:
    from tests.conftest import Shooter


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<b>Anna</b> <span>2 hours ago</span>", "Anna 2 hours ago"),
        ("<b>Anna</b><span>bel</span>", "Annabel"),
        ("<b>Anna</b>\n<!-- a remark --><i>Bell</i>", "Anna Bell"),
        ("Main road<br>Old town", "Main road Old town"),
        ("one <b> two </b>three", "one two three"),
    ],
)
def test_words_of_inline_elements_are_as_far_apart_as_they_look(
    html: str, text: str, shoot_once: Shooter
) -> None:
    page = shoot_once(f"<main><p>{html}</p><p>{PROSE}</p></main>").page
    assert page is not None
    assert [passage.text for passage in portrait(page).passages] == [text, PROSE]
