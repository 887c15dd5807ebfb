"""Pages as vectors."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.analyses.changes.pages import LAST, MORE, PROSE, page, passage

from webgeist.analyses.changes.vector import SIZE, apart, vector

OLD = vector(page(PROSE, MORE, LAST))


def test_the_same_content_has_the_same_vector() -> None:
    menu = passage("Home and away", within=0, linked=1.0)
    assert apart(OLD, vector(page(PROSE, MORE, LAST))) == 0
    assert apart(OLD, vector(page(menu, PROSE, MORE, LAST))) == 0


def test_dates_and_numbers_do_not_count() -> None:
    one, other = (vector(page(f"{PROSE} Printed on {day} May 2024.")) for day in (3, 17))
    assert apart(one, other) == 0


def test_more_changes_are_further_away() -> None:
    word = vector(page(PROSE.replace("three", "five"), MORE, LAST))
    paragraph = vector(page(PROSE, LAST))
    assert 0 < apart(OLD, word) < apart(OLD, paragraph)


def test_one_is_compared_with_many() -> None:
    others = np.stack([OLD, vector(page(PROSE)), vector(page())])
    distances = apart(OLD, others)
    assert distances.shape == (3,)
    assert distances[0] == 0
    assert (distances[1:] > 0).all()


def test_a_page_without_content_is_zero() -> None:
    assert vector(page()).tolist() == [0.0] * SIZE


@given(st.lists(st.sampled_from([PROSE, MORE, LAST]), max_size=6))
def test_the_order_of_paragraphs_does_not_matter(texts: list[str]) -> None:
    assert np.allclose(vector(page(*texts)), vector(page(*reversed(texts))), atol=1e-3)
