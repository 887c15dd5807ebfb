"""JSON with half surrogate pairs is read as the web's encoders would; all other JSON as usual."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.page import browser_json

# JavaScript's strings: any sequence of UTF-16 units, paired or not.
js_text = st.text(st.characters(exclude_categories=()), max_size=8)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | js_text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(js_text, inner, max_size=4),
    max_leaves=12,
)


def as_the_web_does(value: Any) -> Any:
    """The model: each text encoded for the web, alone."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [as_the_web_does(item) for item in value]
    if isinstance(value, dict):
        return {as_the_web_does(key): as_the_web_does(item) for key, item in value.items()}
    return value


@given(values)
def test_every_value_is_read_as_the_web_would_encode_it(value: Any) -> None:
    assert browser_json.loads(json.dumps(value).encode()) == as_the_web_does(value)


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (rb'"a\ud83db"', "a�b"),
        (rb'"a\ude00b"', "a�b"),
        (rb'"\ud83d"', "�"),
        (rb'"\ud83d\ude00"', "😀"),
        (rb'"\ude00\ud83d"', "��"),
        (rb'"\ud83d\ud83d\ude00"', "�😀"),
        ('"ä😀"'.encode(), "ä😀"),
    ],
)
def test_lone_surrogates_become_replacement_characters(raw: bytes, text: str) -> None:
    assert browser_json.loads(raw) == text


@pytest.mark.parametrize("raw", [b"", b"{", rb'{"a":"\ud83d"', b'{"a":NaN}', b"\xff"])
def test_what_is_no_json_is_an_error(raw: bytes) -> None:
    with pytest.raises(ValueError):
        browser_json.loads(raw)
