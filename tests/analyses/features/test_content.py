"""Words in many scripts."""

from __future__ import annotations

import pytest

from webgeist.analyses.features.content import count_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("  \n", 0),
        ("one", 1),
        ("one two", 2),
        ("it's well-known, e.g. here", 4),
        ("3.5 of 10 %", 3),
        ("日本語", 3),
        ("東京 Tokyo", 3),
        ("Привет, мир", 2),
        ("مرحبا بالعالم", 2),
        ("» — ·", 0),
        ("naïve café", 2),
    ],
)
def test_words(text: str, words: int) -> None:
    assert count_words(text) == words
