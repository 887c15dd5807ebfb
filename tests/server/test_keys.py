"""Addresses on the second origin."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.errors import NotFoundError
from webgeist.server.keys import PageKey, PageKeys

KEY = PageKey(3, "01HQTA33G0X1Y5Z7N3QK2M8R4C")


def test_a_key_says_what_it_is_for() -> None:
    keys = PageKeys()
    assert keys.read(keys.make(KEY)) == KEY


def test_a_key_of_another_process_is_none() -> None:
    with pytest.raises(NotFoundError, match="no such page"):
        PageKeys().read(PageKeys().make(KEY))


def test_a_key_grows_old() -> None:
    old = PageKeys(b"secret", clock=lambda: 1_000_000.0)
    text = old.make(KEY)
    assert PageKeys(b"secret", clock=lambda: 1_043_200.0).read(text) == KEY
    with pytest.raises(NotFoundError, match="too old"):
        PageKeys(b"secret", clock=lambda: 1_043_201.0).read(text)


@given(st.text(), st.integers(0, 80))
def test_nobody_makes_one_up(text: str, place: int) -> None:
    keys = PageKeys(b"secret")
    good = keys.make(KEY)
    for forged in (text, good[:place] + text + good[place:], good[:place] + text):
        if forged != good:
            with pytest.raises(NotFoundError):
                keys.read(forged)


def test_the_secret_is_not_shown() -> None:
    assert "secret" not in repr(PageKeys(b"secret"))
