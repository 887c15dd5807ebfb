"""Pages with pictures, as analyses see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.conftest import Shooter

from webgeist.analyses.analysis import Subject

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Studio


class Looker:
    """`look("<p>words")` is that page, with its picture, to be analysed."""

    def __init__(self, shooter: Shooter) -> None:
        self._shooter = shooter

    def __call__(self, html: str) -> Subject:
        return Subject(self._shooter(f"<!doctype html><style>body{{margin:0}}</style>{html}"))


@pytest.fixture
def look(picture_studio: Studio, tmp_path: Path) -> Looker:
    return Looker(Shooter(picture_studio, tmp_path))
