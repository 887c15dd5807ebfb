"""Rendered pages, each once for all tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.conftest import Shooter

if TYPE_CHECKING:
    from tests.conftest import Studio

    from webgeist.capture.model import Capture


class OnceShooter(Shooter):
    """The same page is captured once."""

    _seen: dict[str, Capture]

    def __call__(self, html: str, *, url: str = "http://example.org/dir/page.html") -> Capture:
        if not hasattr(self, "_seen"):
            self._seen = {}
        if html not in self._seen:
            self._seen[html] = super().__call__(html, url=url)
        return self._seen[html]


@pytest.fixture(scope="session")
def shoot_once(studio: Studio, tmp_path_factory: pytest.TempPathFactory) -> Shooter:
    return OnceShooter(studio, tmp_path_factory.mktemp("pages"))
