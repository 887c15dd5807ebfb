"""Notes come back, whatever is in them, and unknown lines are passed over."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.repository.archive.exchanges import TLS

from webgeist.repository.archive import Notes
from webgeist.repository.archive.notes import format_notes, parse_notes
from webgeist.repository.archive.records import RecordError


@given(
    st.builds(
        Notes,
        st.text(),
        st.integers(),
        st.floats(allow_nan=False),
        st.text(),
        st.text(),
        st.text(),
        st.text(),
        st.none() | st.text(min_size=1),
        st.none() | st.just(TLS),
    )
)
def test_notes_come_back(notes: Notes) -> None:
    if notes.capture:
        assert parse_notes(format_notes(notes)) == notes


def test_one_line_each_and_nothing_for_what_is_empty() -> None:
    notes = Notes("capture-1", 3, 0.5, error="a\r\nb")
    assert format_notes(notes) == (
        b'capture: "capture-1"\r\nnumber: 3\r\nseconds: 0.5\r\nerror: "a\\r\\nb"\r\n'
    )


def test_lines_of_a_newer_webgeist() -> None:
    block = b'capture: "c"\r\nnumber: 1\r\nseconds: 2.0\r\nmood: {"good": true}\r\n'
    assert parse_notes(block) == Notes("c", 1, 2.0)


@pytest.mark.parametrize(
    "block",
    [
        b"",
        b"capture: c",
        b'capture: "c"',
        b"\xff: 1",
        b'capture: "c"\r\nnumber: 1\r\nseconds: 2\r\ntls: 5',
    ],
)
def test_no_notes(block: bytes) -> None:
    with pytest.raises(RecordError, match="notes that cannot be read"):
        parse_notes(block)
