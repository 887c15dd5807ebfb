"""What happened to each passage."""

from __future__ import annotations

from dataclasses import replace

from tests.analyses.changes.pages import MORE, PROSE, page, passage

from webgeist.analyses.changes.items import Item, Kind, items


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


def test_other_looks_are_restyled() -> None:
    old = passage(PROSE)
    assert only(items(page(old), page(replace(old, style=("20px",))))).kind is Kind.RESTYLED
