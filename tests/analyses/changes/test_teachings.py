"""Teaching a repository: kept, applied to rendered pages, forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.analyses.changes.pages import LAST, MORE, PROSE, news

import webgeist
from webgeist.analyses.changes.teachings import read_teachings, reset, teach
from webgeist.engines.analysing import Analysing
from webgeist.errors import DamagedError, NotFoundError, StorageError, UsageError
from webgeist.repository.check import check
from webgeist.repository.init import make_if_missing
from webgeist.repository.repository import Repository, open_repository

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Shooter

URL = "http://example.org/news"
OTHER = "http://example.org/other"
TICKER = "The exchange opened with {} and closed with {} after a day of great confusion for all."


def _page(share: str, *, wrapped: bool = False, prose: str = PROSE) -> str:
    """An article with a ticker at its end, which looks like content."""
    ticker = f"<div class='ticker t-{len(share)}'><p>{TICKER.format(share, share)}</p></div>"
    inside = f"<section><div>{ticker}</div></section>" if wrapped else ticker
    return news(prose, MORE, LAST).replace("</main>", f"{inside}</main>")


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    make_if_missing(tmp_path / "r")
    with open_repository(tmp_path / "r") as opened:
        yield opened


def _compare(repository: Repository, before: str, after: str) -> webgeist.Change:
    return webgeist.compare(repository.capture(before), repository.capture(after))


def test_a_taught_block_raises_no_alarm_also_where_the_layout_moved(
    repository: Repository, shoot_html: Shooter
) -> None:
    pages = _page("steel"), _page("wheat"), _page("coffee", wrapped=True)
    edited = _page("coffee", wrapped=True, prose=PROSE.replace("three", "five"))
    a, b, c, d = (repository.add(shoot_html(each, url=URL)) for each in (*pages, edited))
    assert _compare(repository, a, b).important
    made = webgeist.teach(repository, a, b, important=False)
    assert [str(mask) for lesson in made.lessons for mask in lesson.masks] == [".ticker"]
    later = _compare(repository, b, c)
    assert not later.important
    assert made.id in later.reason
    assert _compare(repository, c, d).important, "the article is none of its business"


def test_a_site_is_taught_at_once(repository: Repository, shoot_html: Shooter) -> None:
    a, b = (repository.add(shoot_html(_page(each), url=URL)) for each in ("steel", "wheat"))
    c, d = (repository.add(shoot_html(_page(each), url=OTHER)) for each in ("iron", "corn"))
    webgeist.teach(repository, a, b, important=False)
    assert _compare(repository, c, d).important
    webgeist.teach(repository, a, b, important=False, site=True)
    assert not _compare(repository, c, d).important


def test_the_analysis_knows_and_is_made_again(repository: Repository, shoot_html: Shooter) -> None:
    a, b = (repository.add(shoot_html(_page(each), url=URL)) for each in ("steel", "wheat"))

    def important() -> bool:
        Analysing(repository, only=["changes"], workers=1).run()
        said: bool = repository.result("changes", b)["important"][0].as_py()
        return said

    assert important()
    made = webgeist.teach(repository, a, b, important=False)
    assert not important()
    assert repository.result("changes", b)["reason"][0].as_py().count(made.id) == 1
    assert reset(repository, URL) == [made]
    assert important()


def test_who_changes_their_mind_replaces_what_was_taught(
    repository: Repository, shoot_html: Shooter
) -> None:
    a, b = (repository.add(shoot_html(_page(each), url=URL)) for each in ("steel", "wheat"))
    first = teach(repository, a, b, important=False, now=1.0)
    second = teach(repository, a, b, important=True, now=2.0)
    assert first.id == second.id
    assert read_teachings(repository.layout).all == (second,)
    assert _compare(repository, a, b).important


def test_some_regions_of_a_change(repository: Repository, shoot_html: Shooter) -> None:
    edited = _page("wheat", prose=PROSE.replace("three", "five"))
    a, b = (repository.add(shoot_html(each, url=URL)) for each in (_page("steel"), edited))
    change = _compare(repository, a, b)
    number = next(n for n, each in enumerate(change.regions, 1) if "wheat" in each.text_after)
    made = webgeist.teach(repository, a, b, important=False, regions=[number])
    assert [lesson.text[:12] for lesson in made.lessons] == ["The exchange"]
    after = _compare(repository, a, b)
    assert after.important
    assert "three" in after.regions[0].text_before


def test_what_makes_no_sense(repository: Repository, shoot_html: Shooter) -> None:
    a, b = (repository.add(shoot_html(_page(each), url=URL)) for each in ("steel", "wheat"))
    other = repository.add(shoot_html(_page("iron"), url=OTHER))
    wall = repository.add(shoot_html("<title>404</title><h1>Page not found</h1>", url=URL))
    with pytest.raises(UsageError, match="different pages"):
        webgeist.teach(repository, a, other, important=False)
    with pytest.raises(UsageError, match="not comparable"):
        webgeist.teach(repository, a, wall, important=True)
    with pytest.raises(UsageError, match="nothing changed"):
        webgeist.teach(repository, a, a, important=True)
    with pytest.raises(NotFoundError, match="no region 9"):
        webgeist.teach(repository, a, b, important=True, regions=[9])
    with pytest.raises(NotFoundError, match="no capture"):
        webgeist.teach(repository, a, "0" * 26, important=True)
    with pytest.raises(NotFoundError, match="nothing was taught"):
        reset(repository, URL)
    assert not repository.layout.teachings.exists()


def test_a_damaged_file_is_told_and_can_be_reset(
    repository: Repository, shoot_html: Shooter
) -> None:
    a, b = (repository.add(shoot_html(_page(each), url=URL)) for each in ("steel", "wheat"))
    webgeist.teach(repository, a, b, important=False)
    assert check(repository) == []
    path = repository.layout.teachings
    path.write_text(path.read_text("utf-8").replace(".ticker", ".header"), "utf-8")
    assert [problem.part for problem in check(repository)] == ["teachings"]
    with pytest.raises(DamagedError, match="other contents"):
        _compare(repository, a, b)
    with pytest.raises(DamagedError):
        reset(repository, URL)
    assert reset(repository, "all") == []
    assert _compare(repository, a, b).important


def test_a_disk_that_refuses_leaves_what_was_taught(
    repository: Repository, shoot_html: Shooter
) -> None:
    a, b, c = (
        repository.add(shoot_html(_page(each), url=URL)) for each in ("steel", "wheat", "corn")
    )
    made = webgeist.teach(repository, a, b, important=False)
    repository._files = _Full(repository._files)  # type: ignore[assignment]
    with pytest.raises(StorageError):
        webgeist.teach(repository, b, c, important=True)
    assert read_teachings(repository.layout).all == (made,)


class _Full:
    def __init__(self, files: object) -> None:
        self._real = files

    def __getattr__(self, name: str) -> object:
        return getattr(self._real, name)

    def write(self, *_: object) -> int:
        raise OSError(28, "No space left on device")
