"""A whole file is read record by record, and damage is named where it is."""

from __future__ import annotations

import os

import pytest
from tests.repository.archive.exchanges import Shelf, every_kind, make_exchange

from webgeist.errors import DamagedError
from webgeist.repository.archive import scan
from webgeist.repository.archive.scan import sound_length


def test_every_record_in_order(shelf: Shelf) -> None:
    kept = shelf.keep(*every_kind().values())
    (path,) = shelf.warcs
    found = list(scan(path, shelf.lengths[path.name]))
    places = sorted(
        place for each in kept for place in (each.answer, each.request, each.notes) if place
    )
    assert [record.place for record in found[1:]] == places
    assert found[0].head.kind == "warcinfo"
    assert found[-1].place.offset + found[-1].place.length == path.stat().st_size


def test_only_to_the_committed_length(shelf: Shelf) -> None:
    (kept,) = shelf.keep(make_exchange())
    (path,) = shelf.warcs
    with path.open("ab") as file:
        file.write(b"beyond")
    assert len(list(scan(path, shelf.lengths[path.name]))) == 4
    with pytest.raises(DamagedError, match="goes beyond byte"):
        list(scan(path, kept.notes.offset + 5))
    with pytest.raises(DamagedError, match="the file ends within it"):
        list(scan(path, path.stat().st_size))


def test_a_file_that_is_too_short(shelf: Shelf) -> None:
    (kept,) = shelf.keep(make_exchange())
    (path,) = shelf.warcs
    os.truncate(path, kept.notes.offset)
    with pytest.raises(DamagedError, match=f"at byte {kept.notes.offset:,}: the file ends"):
        list(scan(path, shelf.lengths[path.name]))


def test_where_the_last_whole_exchange_ends(shelf: Shelf) -> None:
    first, second = shelf.keep(make_exchange("http://h.test/a"), make_exchange("http://h.test/b"))
    (path,) = shelf.warcs
    ends = [kept.notes.offset + kept.notes.length for kept in (first, second)]
    assert sound_length(path) == ends[1]
    for cut in (ends[1] - 1, second.notes.offset, second.request.offset, ends[0] + 1, ends[0]):
        os.truncate(path, cut)
        assert sound_length(path) == ends[0]
    path.write_bytes(b"rubbish")
    assert sound_length(path) == 0
