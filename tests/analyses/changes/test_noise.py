"""Words that change by themselves."""

from __future__ import annotations

import pytest

from webgeist.analyses.changes.noise import KINDS, plain, steady, tokens


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("Updated 3 days ago", "Updated 12 hours ago", "age"),
        ("Publié il y a 2 jours", "Publié il y a 9 mois", "age"),
        ("Copyright © 2025 The paper", "Copyright © 2026 The paper", "year"),
        ("© 1996-2025, Shop", "© 1996-2026, Shop", "year"),
        ("Last updated: February 9, 2026", "Last updated: March 12, 2026", "date"),
        ("Stand: 3. Mai 2024", "Stand: 14. Juni 2025", "date"),
        ("2026-02-19", "2026-05-05", "date"),
        ("at 12:30 pm", "at 9:15 am", "time"),
        ("1,249 views", "1,268 views", "number"),
        ("249 dollarbirds", "268 dollarbirds", "number"),
        (
            "Trace Id: 7148274e64f1bfb7c837b7f58cf37111",
            "Trace Id: 3b2c4ce62b636a1ef9f648cc07468687",
            "id",
        ),
        (
            "User 7723fda0-d63b-4410-acc1-9a40eabc5030",
            "User a929f1cd-8221-46a1-8630-daa6ff62d162",
            "id",
        ),
    ],
)
def test_noise_is_taken_out_and_named(one: str, other: str, kind: str) -> None:
    (text, noise), (other_text, other_noise) = steady(plain(one)), steady(plain(other))
    assert text == other_text
    assert {each for each, _ in noise} == {each for each, _ in other_noise} == {kind}
    assert kind in KINDS


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("You may cancel within 14 days", "You may not cancel within 14 days"),
        ("The fee is paid in March by all", "The fee is paid in March by some"),
        ("£49.00", "£39.00"),
        ("The fee is USD 20", "The fee is USD 25"),
        ("12,50 € a month", "14,50 € a month"),
        ("It costs 300 kr, and more", "It costs 350 kr, and more"),
    ],
)
def test_other_words_stay_other_words(one: str, other: str) -> None:
    assert steady(plain(one))[0] != steady(plain(other))[0]


def test_typography_is_no_difference() -> None:
    assert plain("\u201cDon\u2019t\u201d\u00a0\u2014  SAY\u2026") == plain('"don\'t" - say...')


def test_words_without_punctuation_and_each_ideograph_alone() -> None:
    assert tokens("it's here, 变化 #date#") == ["it's", "here", "变", "化", "#date#"]
