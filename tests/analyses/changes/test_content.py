"""Where the content of a page is, by its prose and not by its tags."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.analyses.changes.pages import LAST, MORE, PROSE, news

from webgeist.analyses.changes.content import prose, regions
from webgeist.analyses.changes.portrait import portrait

if TYPE_CHECKING:
    from tests.conftest import Shooter


def test_labels_and_links_are_no_prose_and_boilerplate_is_a_tenth() -> None:
    words = np.array([7, 8, 40, 90, 40])
    linked = np.array([0.0, 0.0, 0.5, 0.49, 0.0])
    boilerplate = np.array([False, False, False, False, True])
    assert prose(words, linked, boilerplate).tolist() == [0.0, 8.0, 0.0, 90.0, 4.0]


def test_the_less_prose_there_is_the_more_labels_count() -> None:
    shares = [
        prose(np.array([long, 4]), np.zeros(2), np.zeros(2, bool))[1] / 4 for long in (10, 50, 100)
    ]
    assert shares == pytest.approx([0.9, 0.5, 0.0])


def test_regions_are_nested_and_a_page_without_prose_is_all_content(shoot_once: Shooter) -> None:
    page = shoot_once(news()).page
    assert page is not None
    nodes = np.flatnonzero(page.named("p", "footer"))
    found = regions(page, nodes, np.array([30.0, 30.0, 30.0, 2.0]))
    main = int(np.flatnonzero(page.named("main"))[0])
    assert found[1] == found[2] == (main, int(page.end[main]))
    for (first, last), (inner, inner_last) in pairwise(found):
        assert first <= inner < inner_last <= last
    assert regions(page, nodes, np.zeros(4)) == [(0, len(page))] * 3


@pytest.mark.parametrize("tag", ["main", "div", "section"])
def test_an_article_is_content_whatever_its_tag(tag: str, shoot_once: Shooter) -> None:
    html = news().replace("<main>", f"<{tag}>").replace("</main>", f"</{tag}>")
    page = shoot_once(html).page
    assert page is not None
    within = {passage.text: passage.within for passage in portrait(page).passages}
    assert [within[text] for text in (PROSE, MORE, LAST)] == [3, 3, 3]
    assert within["Home"] == within["© 2025 The paper"] == 0
