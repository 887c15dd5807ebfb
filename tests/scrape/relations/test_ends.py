"""Where a list begins and ends, by the sizes of what is built like its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webgeist.scrape.relations.ends import ends
from webgeist.scrape.relations.find import find_relation
from webgeist.scrape.relations.propose import propose_relations

if TYPE_CHECKING:
    from tests.scrape.relations.conftest import Bench


@pytest.mark.parametrize(
    ("sizes", "kept"),
    [
        ([20, 22, 18, 25], (0, 4)),
        ([3, 20, 22, 18, 25], (1, 5)),  # what introduces the list
        ([20, 22, 18, 25, 90], (0, 4)),  # the rest of the page
        ([15, 12, 12, 12, 13, 12, 14, 102, 13], (0, 7)),  # and what stands behind it
        ([20, 22, 3, 18, 25], (0, 5)),  # a short row in between is a row
        ([2, 1, 9, 2, 1, 1], (0, 6)),  # small rows differ as they like
        ([50, 8, 60, 9, 55, 7], (0, 6)),  # two kinds of rows
        ([30, 4, 30], (0, 3)),
    ],
)
def test_what_is_no_row_is_told_by_its_size(sizes: list[int], kept: tuple[int, int]) -> None:
    assert ends(sizes, head=True) == kept


def test_a_list_begins_with_the_example() -> None:
    assert ends([3, 20, 22, 18, 25], head=False) == (0, 5)


def test_on_a_page(bench: Bench) -> None:
    fields = "".join(f"<p>field {n} <b>value</b></p>" for n in range(5))
    rows = "".join(f"<div><h3>Thing {n}</h3>{fields}</div>" for n in range(5))
    rest = "".join(f"<div><h3>Also</h3>{fields * 5}</div>")
    page = bench.page(f"<h1>All</h1><section>{rows}{rest}</section>")
    assert len(find_relation(page, page.find("h3")[0])) == 5
    assert len(propose_relations(page)[0]) == 5
