"""Pagers that have no addresses: numbers and dots."""

from __future__ import annotations

import pytest

from webgeist.analyses.blocks.pagination import PageLink
from webgeist.analyses.blocks.plainly import link_to, number_shown


def links(*texts: str) -> list[PageLink]:
    return [
        PageLink(n, f"/a[{n}]", "javascript:x()", text, "page", immediate=False, score=1, reason="")
        for n, text in enumerate(texts)
    ]


@pytest.mark.parametrize(
    ("texts", "shown", "following"),
    [
        (("2", "3", "4", "..."), 1, "2"),
        (("1", "3", "4", "..."), 2, "3"),
        (("1", "2", "3", "..."), 4, "..."),
        (("...", "6", "7"), 5, "6"),
        (("1", "2", "3"), 4, None),
    ],
)
def test_the_number_that_is_missing_is_shown(
    texts: tuple[str, ...], shown: int, following: str | None
) -> None:
    found = links(*texts)
    assert number_shown(found) == shown
    link = link_to(found, shown + 1)
    assert (link.text if link else None) == following


def test_dots_before_the_numbers_lead_back() -> None:
    assert link_to(links("...", "5", "6"), 8) is None
    assert number_shown(links("...")) is None
