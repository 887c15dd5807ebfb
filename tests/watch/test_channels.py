"""Files and the console."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from webgeist.watch.channels import Console, DeliveryError, LinesFile
from webgeist.watch.notices import Notice

if TYPE_CHECKING:
    from pathlib import Path

ONE, TWO = (Notice(id_, "change", "http://a.test/", "ü", {"score": 1.0}) for id_ in "12")


async def test_a_file_gets_a_line_for_each(tmp_path: Path) -> None:
    path = tmp_path / "news.jsonl"
    for notice in (ONE, TWO):
        await LinesFile(path).deliver(notice)
    assert [json.loads(line) for line in path.read_text("utf-8").splitlines()] == [
        ONE.to_dict(),
        TWO.to_dict(),
    ]


async def test_after_a_torn_line_the_next_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "news.jsonl"
    path.write_text('{"id": "hal')
    await LinesFile(path).deliver(ONE)
    assert json.loads(path.read_text("utf-8").splitlines()[1])["id"] == "1"


async def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(DeliveryError, match="No such file"):
        await LinesFile(tmp_path / "no" / "news.jsonl").deliver(ONE)


async def test_the_console_hears_of_it() -> None:
    told: list[Notice] = []
    await Console(told.append).deliver(ONE)
    assert told == [ONE]
