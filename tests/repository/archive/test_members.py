"""Gzip members, alone and one behind the other."""

from __future__ import annotations

import gzip
import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.repository.archive.members import Member, MemberError, compress

if TYPE_CHECKING:
    from pathlib import Path


@given(st.lists(st.binary(max_size=2000)))
def test_any_gzip_reader_reads_them(pieces: list[bytes]) -> None:
    assert gzip.decompress(b"".join(compress(pieces))) == b"".join(pieces)


def packed(*pieces: bytes) -> bytes:
    return b"".join(compress(pieces))


@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 65_537, 1_000_000])
def test_a_member_in_the_middle_is_read_alone(tmp_path: Path, size: int) -> None:
    before, body, path = packed(b"first"), os.urandom(size), tmp_path / "x"
    middle = packed(b"head\r\n\r\n", body, b"end")
    path.write_bytes(before + middle + packed(b"last"))
    member = Member(path, len(before), len(middle))
    assert member.read_head(100) == b"head\r\n\r\n"
    assert b"".join(member.read(size)) == body
    member.finish(b"end")
    assert member.end == len(before) + len(middle)


def test_pieces_stay_small_however_a_member_expands(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(packed(b"\\0" * 10_000_000))
    assert max(map(len, Member(path, 0).read(10_000_000))) <= 1 << 16


def test_a_member_that_ends_too_late_or_too_early(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(packed(b"a\r\n\r\nbc"))
    for length, end, why in (
        (None, b"b", "more or less"),
        (None, b"bcd", "more or less"),
        (5, b"bc", "bytes, not 5"),
    ):
        member = Member(path, 0, length)
        member.read_head(100)
        with pytest.raises(MemberError, match=why):
            member.finish(end)


def test_offsets_beyond_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(packed(b"a"))
    with pytest.raises(MemberError, match="the file ends"):
        Member(path, 1000).read_head(100)
