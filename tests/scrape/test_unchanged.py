"""Skip blocks and captures in a repository: only important changes count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.analyses.changes.pages import LAST, MORE, PROSE, news
from tests.repository.making import new_repository

import webgeist
from webgeist.errors import NotFoundError, UsageError
from webgeist.scrape.fingerprint import fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.conftest import Shooter

    from webgeist.repository.repository import Repository
    from webgeist.scrape.fingerprint import Content

URL = "http://example.org/news"
EDITED = news(PROSE.replace("three", "five"), MORE, LAST)
MENU = news(menu="Games")


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    with new_repository(tmp_path / "r") as made:
        yield made


@pytest.fixture
def ran(tmp_path: Path, repository: Repository) -> Callable[[Content], bool]:
    """Whether the block of the page runs, in one more run of the scraper."""

    def ran(content: Content) -> bool:
        with webgeist.Run("s", store=tmp_path / "log.db") as run:
            wanted = run.unless_changed(content, repository=repository)
            return run.skip("page", 1, lambda: None, fresh=wanted)

    return ran


def test_only_an_important_change_counts(
    repository: Repository, shoot_html: Shooter, ran: Callable[[Content], bool]
) -> None:
    ids = [repository.add(shoot_html(html, url=URL)) for html in (news(), MENU, EDITED)]
    first, menu, edited = map(repository.capture, ids)
    assert ran(first)
    assert not ran(first)
    assert not ran(menu)
    assert ran(edited)
    assert not ran(URL), "the last capture is the edited one"


def test_what_was_taught_counts(
    repository: Repository, shoot_html: Shooter, ran: Callable[[Content], bool]
) -> None:
    ids = [repository.add(shoot_html(html, url=URL)) for html in (news(), EDITED)]
    assert ran(repository.capture(ids[0]))
    webgeist.teach(repository, *ids, important=False)
    assert not ran(repository.capture(ids[1]))


def test_small_changes_do_not_add_up_unseen(
    repository: Repository, shoot_html: Shooter, ran: Callable[[Content], bool]
) -> None:
    """What was skipped is no baseline: the page is compared with what it was when it was done."""
    ids = [repository.add(shoot_html(html, url=URL)) for html in (news(), MENU, EDITED, news())]
    done, menu, edited, back = map(repository.capture, ids)
    assert ran(done)
    assert not ran(menu)
    assert not ran(back)
    assert ran(edited)


def test_without_both_captures_any_word_counts(
    repository: Repository, shoot_html: Shooter, ran: Callable[[Content], bool]
) -> None:
    loose = shoot_html(news(), url=URL)
    stored = repository.capture(repository.add(loose))
    menu = repository.capture(repository.add(shoot_html(MENU, url=URL)))
    assert ran(loose)
    assert not ran(stored), "the same fingerprint"
    assert ran(menu), "there is no telling which capture it was"
    assert not ran(menu)
    assert ran(loose), "other words, and this one is nowhere"


def test_a_capture_of_another_repository(
    repository: Repository, shoot_html: Shooter, ran: Callable[[Content], bool], tmp_path: Path
) -> None:
    with new_repository(tmp_path / "other") as other:
        assert ran(other.capture(other.add(shoot_html(news(), url=URL))))
    assert ran(repository.capture(repository.add(shoot_html(MENU, url=URL))))


def test_what_cannot_be_asked(
    repository: Repository, shoot_html: Shooter, ran: Callable[[Content], bool]
) -> None:
    with pytest.raises(NotFoundError, match="no capture of"):
        ran("http://example.org/none")
    with pytest.raises(UsageError):
        fingerprint(7)  # type: ignore[arg-type]
