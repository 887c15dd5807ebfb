"""Gazetteers: what they hold and how they are asked."""

from __future__ import annotations

import pytest

from webgeist.analyses.blocks.annotators.annotate import lexicon
from webgeist.analyses.blocks.annotators.arrows import arrow, arrow_beside
from webgeist.analyses.blocks.annotators.names import name_kinds
from webgeist.analyses.blocks.annotators.words import Lexicon, fold, read_gazetteer
from webgeist.errors import UsageError


def kinds(text: str) -> set[str]:
    return {kind for kind, _, _ in lexicon().find(text)}


@pytest.mark.parametrize(
    "text",
    [
        "Next »",
        "nächste Seite",
        "Suivante",
        "Siguiente ›",
        "下一页",
        "次へ",
        "다음",
        "Далее",
        "التالي",
        "הבא",
        "ถัดไป",
        "Trang sau",
        "επόμενη",
        "अगला",
        "Następna strona",
        "بعدی",
    ],
)
def test_next_in_many_languages(text: str) -> None:
    assert "NEXT" in kinds(text)


@pytest.mark.parametrize("kind", ["NEXT", "PREVIOUS", "PAGE"])
def test_gazetteers_have_at_least_forty_languages(kind: str) -> None:
    (gazetteer,) = (each for each in lexicon().gazetteers if each.kind == kind)
    assert len(gazetteer.languages) >= 40


def test_a_phrase_alone_is_whole() -> None:
    assert ("NEXT", "next", True) in lexicon().find("Next 20 »")
    assert ("NEXT", "next", False) in lexicon().find("next thread")


def test_a_word_that_is_said_twice_is_whole() -> None:
    assert ("NEXT", "next page", True) in lexicon().find("Next page Next ›")
    assert ("NEXT", "next page", False) in lexicon().find("Next page of photographs")


@pytest.mark.parametrize(
    ("text", "kinds_"),
    [("Älterer Post", {"OLDER", "ITEM"}), ("Entrada más reciente", {"NEWER", "ITEM"})],
)
def test_neighbours_of_a_post_are_singular(text: str, kinds_: set[str]) -> None:
    assert kinds_ <= kinds(text)


def test_long_texts_are_not_looked_at() -> None:
    assert lexicon().find("the next big thing in the world of long sentences that never end") == ()
    assert lexicon().find("next" * 100) == ()


def test_own_gazetteers_are_plain_files() -> None:
    mine = read_gazetteer("PRICE", "% prices\nen: cheap, on sale\n", "PRICE.txt")
    assert Lexicon([mine]).find("On sale!") == (("PRICE", "on sale", True),)


def test_a_wrong_line_is_told() -> None:
    with pytest.raises(UsageError, match=r"my.txt:2: expected"):
        read_gazetteer("X", "en: a\nno colon here\n", "my.txt")


def test_folding() -> None:
    assert fold("  « NÄCHSTE   Seite … ") == "nächste seite"


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("›", "next"),
        (">", "next"),
        ("→", "next"),
        ("»", "next-double"),
        (">>", "next-double"),
        ("<", "previous"),
        ("|<", "previous-double"),
        ("…", "…"),
        ("...", "…"),
        ("❯", "next"),
        ("", None),
        ("a >", None),
        ("<>", None),
    ],
)
def test_arrows(text: str, meaning: str | None) -> None:
    assert arrow(text) == meaning


def test_arrows_beside_words() -> None:
    assert arrow_beside("Next »") == "next"
    assert arrow_beside("« Zurück") == "previous"
    assert arrow_beside("« both »") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("c-pager__nextLink", {"PAGER", "NEXT"}),
        ("wp-pagenavi", {"PAGER"}),
        ("page-item", {"PAGER"}),
        ("page_item page-item-12", set()),  # of a menu of a site
        ("btn pageNext", {"NEXT"}),
        ("fa fa-chevron-right", {"NEXT"}),
        ("article", set()),
        ("is-active", {"CURRENT"}),
    ],
)
def test_class_names(text: str, expected: set[str]) -> None:
    assert expected <= name_kinds(text)
    assert bool(name_kinds(text)) == bool(expected)
