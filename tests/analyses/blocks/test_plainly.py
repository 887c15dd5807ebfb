"""Pagers that have no addresses: numbers and dots, and buttons that add to a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webgeist.analyses.blocks.pagination import PageLink
from webgeist.analyses.blocks.plainly import link_to, more_button, number_shown

if TYPE_CHECKING:
    from tests.conftest import Shooter


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


@pytest.mark.parametrize(
    ("buttons", "found"),
    [
        ("<button>Show more vessels</button>", True),
        ("<div role=button>Load more of these posts</div>", True),
        ("<button>Mehr anzeigen</button>", True),
        ("<button>Show more vessels</button><button>Show more of this text</button>", False),
        ("<button disabled>Show more vessels</button>", False),
        ("<button hidden>Show more vessels</button>", False),
        ("<button>More</button>", False),
        ("<button>Tell me what you show more often than others do</button>", False),
        ("<div class=carousel><button>Show more pictures</button></div>", False),
    ],
)
def test_the_one_button_that_adds_to_a_list(
    shoot_html: Shooter, buttons: str, *, found: bool
) -> None:
    page = shoot_html(f"<!doctype html><body><ul><li>One<li>Two</ul>{buttons}").page
    assert page
    node = more_button(page)
    assert (node is not None) == found
