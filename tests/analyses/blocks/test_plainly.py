"""Buttons that say "next" and no more, and those that add to a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.analyses.blocks.conftest import make_page

from webgeist.analyses.blocks.plainly import more_button, next_button, retry_button

if TYPE_CHECKING:
    from tests.conftest import Shooter


def button(text: str, holder: str = "", **attributes: str) -> int | None:
    """What is found on a page with one button, which is its fourth node."""
    named = {name.replace("_", "-"): value for name, value in attributes.items()}
    nodes = [
        ("html", -1, None, {}),
        ("body", 0, None, {}),
        ("div", 1, None, {"class": holder}),
        ("button", 2, None, named),
        ("#text", 3, text, {}),
    ]
    return next_button(make_page(nodes, [(0.0, 0.0, 50.0, 20.0)] * len(nodes)))


@pytest.mark.parametrize("text", ["Next", "next »", "Weiter", "次へ", "التالي", "\u203a", "→"])
def test_words_and_arrows_that_say_next(text: str) -> None:
    assert button(text) == 3


def test_a_label_counts_where_there_are_no_words() -> None:
    assert button("", aria_label="Next page") == 3
    assert button("Buy", aria_label="Next page") is None


@pytest.mark.parametrize("text", ["Previous", "Next week's offers", "2", "\u2039", ""])
def test_anything_else_is_none(text: str) -> None:
    assert button(text) is None


def test_what_cannot_be_clicked_or_turns_slides_is_none() -> None:
    assert button("Next", disabled="") is None
    assert button("Next", holder="hero-carousel") is None
    assert button("Next", holder="results") == 3


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


def test_a_button_that_asks_again_for_what_failed() -> None:
    def found(*texts: str) -> int | None:
        nodes: list[tuple[str, int, str | None, dict[str, str]]] = [
            ("html", -1, None, {}),
            ("body", 0, None, {}),
        ]
        for text in texts:
            nodes += [("button", 1, None, {}), ("#text", len(nodes), text, {})]
        return retry_button(make_page(nodes, [(0.0, 0.0, 50.0, 20.0)] * len(nodes)))

    assert found("Try again!") == 2
    assert found("Buy", "Réessayer") == 4
    assert found("Retry payment") is None
    assert found("Retry", "Retry") is None  # of single things on the page
