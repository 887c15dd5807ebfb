"""What stands in for a page, and what only looks like it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.analyses.changes.pages import LAST, MORE, PROSE, page, passage

from webgeist.analyses.changes.comparable import stand_in

if TYPE_CHECKING:
    from webgeist.analyses.changes.portrait import Portrait

MENU = tuple(passage(f"Menu {n}", linked=1.0, within=0) for n in range(200))
OLD = page(*MENU, *(f"{n}. {text}" for n in range(5) for text in (PROSE, MORE, LAST)))


def _instead(*texts: str, title: str = "Page") -> Portrait:
    """A page in place of the old one; menus are as they were."""
    return replace(page(*MENU, *texts), title=title)


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (("404", "Page not found"), "an error page: '404'"),
        (("Verify you are human by completing the action below.",), "a bot wall: 'Verify you are"),
        (("Press & Hold to confirm you are a human (and not a bot).",), "a bot wall: 'confirm you"),
        (("The site is down for scheduled maintenance.",), "a page for maintenance: 'maintenance'"),
        (("Loading...",), "a page that was still loading: 'Loading...'"),
        (("You need to enable JavaScript to run this app.",), "a page that was still loading"),
        (("Log in", "E-mail", "Password", "Forgot it?"), "a log-in page: 'Log in'"),
        (("Anmelden", "Benutzername", "Passwort"), "a log-in page: 'Anmelden'"),
        (("The flood", "Subscribe to read on", "One pound a week."), "a paywall: 'Subscribe to"),
    ],
)
def test_what_came_in_place_of_the_content_says_what_it_is(
    texts: tuple[str, ...], told: str
) -> None:
    new = _instead(*texts)
    assert (stand_in(OLD, new) or "").startswith(f"the second capture is {told}")
    assert (stand_in(new, OLD) or "").startswith(f"the first capture is {told}")


def test_the_title_may_say_it_if_it_is_another_one() -> None:
    assert stand_in(OLD, _instead("Sorry.", title="Access denied"))
    named = replace(OLD, title="Error 404 and how to mend it")
    assert stand_in(named, _instead("This text was withdrawn.", title=named.title)) is None


@pytest.mark.parametrize(
    "texts",
    [
        ("This text was withdrawn by its author.",),  # that is news
        ("Log in", "to your account or go on as a guest."),  # nothing to type in
        ("Choose a good password.", "Eight letters are too few."),
    ],
)
def test_little_text_alone_is_no_obstacle(texts: tuple[str, ...]) -> None:
    assert stand_in(OLD, _instead(*texts)) is None


def test_a_page_that_still_has_its_content_is_compared() -> None:
    longer = page(*(each.text for each in OLD.passages), "Error 404 is told in the next chapter.")
    assert stand_in(OLD, longer) is None


def test_an_article_about_errors_is_compared() -> None:
    words = " ".join(f"word{n}" for n in range(160))
    assert stand_in(OLD, _instead(f"A page that was not found has status 404. {words}")) is None


def test_nothing_is_nothing() -> None:
    assert stand_in(page(), OLD) == "the first capture shows nothing"
    assert stand_in(OLD, page()) == "the second capture shows nothing"
