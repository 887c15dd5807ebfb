"""What a link of a pager is for."""

from __future__ import annotations

from typing import Any

import pytest
from tests.analyses.blocks.test_sequence import link

from webgeist.analyses.blocks.roles import role

FAR: dict[str, Any] = {"near": False, "step": None, "page_word": False, "agrees": False}


@pytest.mark.parametrize(
    ("notes", "known", "label"),
    [
        ({"NUMBER"}, {}, "page"),
        ({"NEXT", "NEXT_ONLY"}, FAR, "next"),
        ({"PREVIOUS"}, FAR, "previous"),
        ({"FIRST", "FIRST_ONLY"}, FAR, "first"),
        ({"LABEL_LAST"}, FAR, "last"),
        ({"OLDER", "OWN_PREVIOUS"}, FAR, "next"),
        ({"NEWER", "OWN_NEXT"}, FAR, "previous"),
        ({"MORE"}, FAR, "load-more"),
        ({"MORE", "NEXT", "NEXT_ONLY"}, FAR, "next"),
        ({"ELLIPSIS"}, FAR, "page"),
        (set(), FAR, "page"),
    ],
)
def test_words_say_it(notes: set[str], known: dict[str, Any], label: str) -> None:
    assert role(link(7, notes=notes, **known))[0] == label


@pytest.mark.parametrize(
    ("step", "label"), [(1.0, "next"), (-1.0, "previous"), (4.0, "page"), (-3.0, "page")]
)
def test_an_address_says_it_before_words(step: float, label: str) -> None:
    assert role(link(7, notes=set(), step=step))[0] == label


def test_older_posts_that_lead_back_by_their_address_are_the_previous_page() -> None:
    assert role(link(7, notes={"OLDER"}, step=-1.0))[0] == "previous"


def test_the_first_page_is_first_although_it_is_the_one_before() -> None:
    assert role(link(7, notes={"FIRST", "FIRST_ONLY"}, step=-1.0))[0] == "first"


def test_a_number_with_a_word_is_no_page_number() -> None:
    more = link(20, notes={"NEXT", "NUMBER_INSIDE"}, number=20.0, **FAR)
    assert role(more)[0] == "next"


def test_rel_and_arrows_count() -> None:
    assert role(link(7, notes=set(), signs=(("next", 3.0),), **FAR))[0] == "next"
    assert role(link(7, notes={"OWN_NEXT"}, signs=(("previous", 2.5),), **FAR))[0] == "previous"
