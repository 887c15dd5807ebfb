"""What scripts are made of; that they run is in program/test_pythonic.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webgeist.errors import NotFoundError
from webgeist.scrape.scripting import Scraper, _literal, _target, secret

if TYPE_CHECKING:
    from pathlib import Path


def test_a_target_is_a_selector_or_features() -> None:
    assert _target("h1 a").features == {"css": "h1 a"}
    found = _target({"role": "link", "text": "Next", "attribute": "href"})
    assert (dict(found.features), found.attribute) == ({"role": "link", "text": "Next"}, "href")
    assert _target({"cell": "row.name"}).cell == "row.name"


@pytest.mark.parametrize("text", ["plain", "{braces}", "a {{b}} {", "}"])
def test_texts_are_typed_as_they_are(text: str) -> None:
    assert _literal(text).fill({}) == text


def test_a_secret_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_SECRET", "x")
    assert secret("A_SECRET") == "x"
    monkeypatch.delenv("A_SECRET")
    with pytest.raises(NotFoundError, match="A_SECRET"):
        secret("A_SECRET")


def test_settings_are_checked(tmp_path: Path) -> None:
    with pytest.raises(KeyError, match="dealy"):
        Scraper("p", store=tmp_path / "p.db", crawl__dealy_seconds=1)
