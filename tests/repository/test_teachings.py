"""teachings.json as a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webgeist.errors import DamagedError
from webgeist.repository.teachings import document, read_document
from webgeist.repository.versions import NewerVersionError

if TYPE_CHECKING:
    from pathlib import Path


def test_what_is_written_can_be_read(tmp_path: Path) -> None:
    file = tmp_path / "teachings.json"
    assert read_document(file) == []
    file.write_bytes(document([{"id": "ä"}]))
    assert read_document(file) == [{"id": "ä"}]


@pytest.mark.parametrize(
    "raw", [b"", b"[]", b"{}", b"\xff", b'{"form": 1, "sha256": "", "teachings": []}']
)
def test_what_is_damaged_is_said_to_be(raw: bytes, tmp_path: Path) -> None:
    file = tmp_path / "teachings.json"
    file.write_bytes(raw)
    with pytest.raises(DamagedError, match=r"teachings\.json"):
        read_document(file)


def test_a_newer_form_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "teachings.json"
    file.write_bytes(document([]).replace(b'"form": 1', b'"form": 2'))
    with pytest.raises(NewerVersionError):
        read_document(file)
