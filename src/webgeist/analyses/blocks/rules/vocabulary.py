"""Which facts there are, for the checks of rules: their names and numbers of terms."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webgeist.analyses.blocks.rules.syntax import Predicate

# Facts about nodes; the first term is the node.
NODE_FACTS = {
    "dom::node": 5,  # N, tag, parent, start, end
    "dom::clickable": 1,
    "dom::content": 4,  # N, text, offset, length
    "dom::attribute": 3,  # N, name, value
    "css::box": 5,  # N, left, top, right, bottom
    "gate::annotation": 3,  # N, type, value
    "url::target": 2,  # N, number of the target: the same for links to one address
    "url::same_page": 1,  # leads to where it stands
    "url::no_target": 1,  # a button or script
    "url::other_host": 1,
    "url::below": 1,  # the address goes on from this page's
    "url::series": 3,  # N, number of the series, how many different pages it has
    "url::agrees": 1,  # the address's number is what the text says
    "url::step": 2,  # N, pages from here
    "url::page_word": 1,  # the number of the address is called page, start, offset …
    "url::near": 1,  # this page's address is of the same series
    "run::place": 3,  # N, number of the run, place in it
}
PAGE_FACTS = {"css::page": 4, "css::resolution": 2}  # left, top, right, bottom; width, height
_CHEAP = frozenset({"dom::clickable", "gate::annotation", "url::", "run::"})


def is_fact(predicate: Predicate) -> bool:
    """css::<property>(N, V) is a fact for every property, with _ for -."""
    known = NODE_FACTS | PAGE_FACTS
    if predicate.name in known:
        return known[predicate.name] == predicate.arity
    return is_property(predicate)


def is_property(predicate: Predicate) -> bool:
    named = predicate.name.startswith("css::") and predicate.name not in NODE_FACTS | PAGE_FACTS
    return named and predicate.arity == 2


def is_cheap(predicate: Predicate) -> bool:
    """Known for the whole page before any other fact is made."""
    return predicate.name in NODE_FACTS and any(predicate.name.startswith(c) for c in _CHEAP)


def kind_column(predicate: Predicate) -> int | None:
    return 1 if predicate.name == "gate::annotation" else None
