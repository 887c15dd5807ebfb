"""Addresses find their nodes again on pages that were changed, and say when they do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webgeist.errors import DamagedError, UsageError
from webgeist.scrape.relations.addresses import address_of, locate, locate_surely

if TYPE_CHECKING:
    from tests.scrape.relations.conftest import Bench

BEFORE = (
    "<header><a href=/>Shop</a></header><main><h1>Pan</h1>"
    "<div class=buy><span class=price itemprop=price>$12.00</span> <button>Buy</button></div>"
    "<p>A pan of copper.</p><a class=next href=/p/7?page=2>Next</a></main>"
)
# Other classes and wrappers, another price, another order.
AFTER = (
    "<header><a href=/>Shop</a></header><div id=app><section><h1>Pot</h1><p>A pot of tin.</p>"
    "<div class=row><button>Buy</button> <em itemprop=price>$15.50</em></div>"
    "<a class=pager-next href=/p/9?page=2>Next</a></section></div>"
)


def test_a_node_finds_itself(bench: Bench) -> None:
    page = bench.page(BEFORE)
    for text in ("$12.00", "Buy", "Next", "Pan"):
        node = max(n for n in range(len(page)) if page.type[n] == 1 and page.text(n) == text)
        match = locate(page, address_of(page, node))
        assert (match.node, match.missed) == (node, ())
        assert match.score == pytest.approx(1.0)
        assert match.is_good


@pytest.mark.parametrize(("old", "new"), [("Next", "Next"), ("Buy", "Buy")])
def test_a_redesign(bench: Bench, old: str, new: str) -> None:
    before, after = bench.page(BEFORE), bench.page(AFTER)
    node = max(n for n in range(len(before)) if before.type[n] == 1 and before.text(n) == old)
    match = locate(after, address_of(before, node))
    assert after.text(match.node) == new
    assert match.score < 1
    assert match.missed


def test_a_price_is_found_by_what_it_is(bench: Bench) -> None:
    before, after = bench.page(BEFORE), bench.page(AFTER)
    node = max(n for n in range(len(before)) if before.type[n] == 1 and before.text(n) == "$12.00")
    match = locate(after, address_of(before, node))
    assert after.text(match.node) == "$15.50"


def test_a_page_of_another_kind_is_refused(bench: Bench) -> None:
    before = bench.page(BEFORE)
    node = max(n for n in range(len(before)) if before.type[n] == 1 and before.text(n) == "Next")
    other = bench.page("<h1>Sign in</h1><form><input name=user><input name=password></form>")
    with pytest.raises(DamagedError, match="fits"):
        locate_surely(other, address_of(before, node))


def test_one_of_many_is_not_guessed(bench: Bench) -> None:
    page = bench.page("<ul>" + "<li><b>same</b></li>" * 2 + "</ul>")
    twins = page.find("b")
    match = locate(page, address_of(page, twins[0]))
    assert match.score - match.next_score < 0.5
    assert locate_surely(bench.page(BEFORE), address_of(bench.page(BEFORE), 5)) == 5


def test_no_element(bench: Bench) -> None:
    page = bench.page("text")
    with pytest.raises(UsageError):
        address_of(page, len(page) + 1)
