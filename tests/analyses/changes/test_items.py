"""What happened to each passage."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.analyses.changes.pages import MORE, PROSE, page, passage

from webgeist.analyses.changes.items import Item, Kind, items

MAIL = "/cdn-cgi/l/email-protection"


def only(found: list[Item]) -> Item:
    (item,) = found
    return item


def test_equal_versions_have_none() -> None:
    assert items(page(PROSE, MORE), page(PROSE, MORE)) == []


def test_edited_words_are_counted() -> None:
    item = only(items(page(PROSE), page(PROSE.replace("three metres", "five feet"))))
    assert (item.kind, item.gone, item.came, item.noise) == (Kind.EDITED, 2, 2, frozenset())


def test_added_and_removed_are_each_others_reverse() -> None:
    item = only(items(page(PROSE), page(PROSE, MORE)))
    assert (item.kind, item.gone, item.came, item.at) == (Kind.ADDED, 0, 23, (None, 1))
    item = only(items(page(PROSE, MORE), page(PROSE)))
    assert (item.kind, item.gone, item.came, item.at) == (Kind.REMOVED, 23, 0, (1, None))


def test_a_date_is_noise() -> None:
    item = only(items(page("Updated 1 May 2025"), page("Updated 2 June 2026")))
    assert (item.gone, item.came, item.noise) == (0, 0, frozenset({"date"}))


def test_quotation_marks_are_typography() -> None:
    item = only(items(page('the "old" bridge'), page("The “old” bridge")))
    assert item.typography
    assert not item.gone + item.came


def test_the_same_words_in_another_order_are_an_edit() -> None:
    item = only(items(page("the dog bites the old man"), page("the old man bites the dog")))
    assert (item.gone, item.came) == (1, 1)


def test_another_link_target_is_an_edit_but_a_session_is_none() -> None:
    old = passage(PROSE, targets=("/a?session=1",))
    assert items(page(old), page(replace(old, targets=("/a?session=2",)))) == []
    item = only(items(page(old), page(replace(old, targets=("/b",)))))
    assert (item.kind, item.links) == (Kind.EDITED, True)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("/docs/0b2cece872373548", "/docs/10ef8139d18a57c4"),
        ("/a/6f9619ff-8b86-d011-b42d-00cf4fc964ff", "/a/16fd2706-8baf-433b-82eb-8c7fada847da"),
        ("/s/Zx81kQ0aP_7sLmN2vB", "/s/Qw45rT9yU_1oPaS6dF"),
        (MAIL + "#43222d2d03226d37263037", MAIL + "#197877775978376d7c6a6d"),
    ],
)
def test_ids_in_addresses_are_no_change(old: str, new: str) -> None:
    one, other = (passage(PROSE, targets=(target,)) for target in (old, new))
    assert items(page(one), page(other)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("/policy/harmful-false-deceptive-practices", "/policy/harmful-false-deceptive-content"),
        ("/terms-of-service-of-the-website", "/terms-of-service-of-the-product"),
        (MAIL + "#43222d2d03226d37263037", MAIL + "#43212c2103226d37263037"),
    ],
)
def test_words_in_addresses_are_a_change(old: str, new: str) -> None:
    one, other = (passage(PROSE, targets=(target,)) for target in (old, new))
    item = only(items(page(one), page(other)))
    assert (item.kind, item.links) == (Kind.EDITED, True)


def test_other_looks_are_restyled() -> None:
    old = passage(PROSE)
    assert only(items(page(old), page(replace(old, style=("20px",))))).kind is Kind.RESTYLED


def test_letters_that_could_not_be_decoded_are_no_change() -> None:
    whole, broken = (
        "sans indemnité auprès de l\u2019abonné",
        "sans indemnit\ufffd\ufffd auprès de l'abonné",
    )
    assert items(page(whole), page(broken)) == items(page(broken), page(whole)) == []
    item = only(items(page(broken), page(whole.replace("sans", "avec"))))
    assert item.kind is Kind.EDITED
    assert item.gone
    assert item.came


def test_a_text_that_is_mostly_lost_is_compared_as_it_is_and_at_once() -> None:
    lost = "\ufffda" * 500
    item = only(items(page(PROSE, lost, MORE), page(PROSE, "a" * 1500 + "b", MORE)))
    assert item.kind is Kind.EDITED
