"""Captures in the order of their ids, page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.repository.making import URL, make_capture, new_repository

from webgeist.repository.ids import capture_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webgeist.repository.release import Release

ORDER = (5, 1, 9, 3, 7, 0, 8, 2, 6, 4)  # as they came in: files overlap


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Release]:
    with new_repository(tmp_path_factory.mktemp("listing") / "r") as repository:
        for start in range(0, len(ORDER), 4):
            for number in ORDER[start : start + 4]:
                repository.add(make_capture(number, url=_url(number)))
            repository.publish()
        with repository.release() as opened:
            yield opened


def _url(number: int) -> str:
    return URL if number % 3 else f"http://third.example/{number}"


IDS = [capture_id(make_capture(number, url=_url(number)).info) for number in range(len(ORDER))]


def _pages(release: Release, limit: int, **only: str) -> list[str]:
    found: list[str] = []
    while True:
        last = found[-1] if found else ""
        page = release.captures_after(last, limit=limit, **only).column("capture").to_pylist()
        assert len(page) <= limit
        found += page
        if len(page) < limit:
            return found


@pytest.mark.parametrize("limit", [1, 2, 3, 10, 11])
def test_every_capture_once_in_order(release: Release, limit: int) -> None:
    assert _pages(release, limit) == sorted(IDS)
    third = [id_ for number, id_ in enumerate(IDS) if number % 3 == 0]
    assert _pages(release, limit, host="third.example") == third
    assert _pages(release, limit, url=_url(6)) == [IDS[6]]
    assert _pages(release, limit, url=URL) == [id_ for id_ in IDS if id_ not in third]
    assert _pages(release, limit, url=URL, host="third.example") == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=3) | st.sampled_from(IDS), st.integers(0, 12))
def test_from_anywhere(release: Release, after: str, limit: int) -> None:
    found = release.captures_after(after, limit=limit)
    assert found.column("capture").to_pylist() == [id_ for id_ in IDS if id_ > after][:limit]
    assert "info" not in found.column_names
    assert found.column_names == release.captures().column_names
