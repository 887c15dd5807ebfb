"""What visits gave, in the repository and in the frontier: together or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.crawl.making import SEED, Lab, lab, page

from webgeist.crawl.plan import Bounds
from webgeist.crawl.politeness import Judgement
from webgeist.crawl.scope import Reach, Rules
from webgeist.crawl.statements import PageState
from webgeist.crawl.visitor import Visit
from webgeist.settings import CrawlSettings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def crawl(tmp_path: Path) -> Iterator[Lab]:
    with lab(tmp_path) as made:
        yield made


def test_a_page_its_links_and_its_end_are_kept_together(crawl: Lab) -> None:
    (result,) = crawl.keeper.keep([crawl.visit("http://h/a", "http://h/a", "http://other/")])
    assert crawl.states() == {SEED: "done", "http://h/a": "pending"}
    stored = crawl.repository.capture(result.ids["desktop"])
    assert crawl.rows()[SEED].captures == result.ids
    words = stored.links.column("followed").to_pylist()
    assert words == ["followed", "followed", "out-of-scope"]
    next_one = crawl.lease()
    assert (next_one.url, next_one.step.depth) == ("http://h/a", 1)


def test_what_fails_while_storing_leaves_nothing(
    crawl: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "no space")

    visit = crawl.visit("http://h/a")
    monkeypatch.setattr("webgeist.crawl.frontier.Frontier.keep_bytes", full)
    with pytest.raises(OSError, match="no space"):
        crawl.keeper.keep([visit])
    assert crawl.states() == {SEED: "leased"}
    assert len(crawl.repository) == 0
    monkeypatch.undo()
    crawl.keeper.keep([visit])
    assert (crawl.states()[SEED], len(crawl.repository)) == ("done", 1)


def test_a_page_that_is_tried_again_is_not_stored(crawl: Lab) -> None:
    lease = crawl.lease()
    taken = page(1, SEED, "http://h/a")
    later = Judgement(PageState.WAITING, 5.0, 5.0, 1)
    crawl.keeper.keep([Visit(lease, later, 1.0, "connection: reset", {"desktop": taken})])
    row = crawl.rows()[SEED]
    assert (row.state, row.next_try, row.reason, row.attempts) == (
        "waiting",
        6.0,
        "connection: reset",
        1,
    )
    assert len(crawl.repository) == 0


def test_a_failed_page_is_stored_and_leads_nowhere(crawl: Lab) -> None:
    lease = crawl.lease()
    taken = page(1, SEED, "http://h/a")
    failed = Judgement(PageState.FAILED, 0.0)
    crawl.keeper.keep([Visit(lease, failed, 1.0, "http-error: 404", {"desktop": taken})])
    assert crawl.states() == {SEED: "failed"}
    assert len(crawl.repository) == 1


def test_where_a_redirect_ends_is_the_page(crawl: Lab) -> None:
    crawl.keeper.keep([crawl.visit("http://h/old", "http://h/older")])
    old, older = crawl.visit("http://h/more", at="http://h/new"), crawl.visit(at="http://h/new")
    crawl.keeper.keep([old, older])
    rows = crawl.rows()
    assert {url: row.state for url, row in rows.items()} == {
        SEED: "done",
        "http://h/old": "skipped",
        "http://h/older": "skipped",
        "http://h/new": "done",
        "http://h/more": "pending",
    }
    assert rows["http://h/old"].reason == "redirects to http://h/new"
    assert rows["http://h/older"].reason == "redirects to http://h/new, which is known"
    assert len(crawl.repository) == 2
    with crawl.frontier() as frontier:
        assert frontier.taken == 2


def test_a_redirect_out_of_scope_is_not_followed(crawl: Lab) -> None:
    crawl.keeper.keep([crawl.visit("http://h/away")])
    crawl.keeper.keep([crawl.visit("http://far/more", at="http://far/")])
    row = crawl.rows()["http://h/away"]
    assert (row.state, row.reason) == ("skipped", "redirects out of scope, to http://far/")
    assert len(crawl.repository) == 1


def test_where_a_seed_leads_to_is_in_scope(crawl: Lab) -> None:
    crawl.keeper.keep([crawl.visit("http://www.h/a", "http://h/b", at="http://www.h/")])
    assert crawl.states() == {
        SEED: "skipped",
        "http://www.h/": "done",
        "http://www.h/a": "pending",
        "http://h/b": "pending",
    }


def test_tracking_parameters_and_fragments_make_no_redirect(crawl: Lab) -> None:
    crawl.keeper.keep([crawl.visit(at=f"{SEED}?utm_source=x#top")])
    assert crawl.states() == {SEED: "done"}


def test_never_more_bytes_than_asked_for(tmp_path: Path) -> None:
    with lab(tmp_path) as free:
        (result,) = free.keeper.keep([free.visit()])
        size = result.bytes
        assert size > 0
    with lab(tmp_path / "bounded", bounds=Bounds(bytes=2 * size)) as crawl:
        crawl.keeper.keep([crawl.visit("http://h/a", "http://h/b")])
        crawl.keeper.keep([crawl.visit("http://h/c"), crawl.visit("http://h/d")])
        assert crawl.keeper.full
        assert crawl.states() == {
            SEED: "done",
            "http://h/a": "done",
            "http://h/b": "pending",
            "http://h/c": "pending",
        }
        assert len(crawl.repository) == 2
        with crawl.frontier() as frontier:
            assert (frontier.bytes, frontier.taken) == (2 * size, 2)


def test_places_without_end_are_cut_and_the_links_say_so(tmp_path: Path) -> None:
    with lab(tmp_path, settings=CrawlSettings(same_shape=2)) as crawl:
        days = [f"http://h/day/{day}" for day in range(4)]
        (result,) = crawl.keeper.keep([crawl.visit(*days)])
        assert set(crawl.states()) == {SEED, *days[:2]}
        stored = crawl.repository.capture(result.ids["desktop"])
        cut = ["followed", "followed", "crawl.same_shape", "crawl.same_shape"]
        assert stored.links.column("followed").to_pylist() == cut


def test_a_host_that_is_given_up_fails_as_a_whole(crawl: Lab) -> None:
    crawl.keeper.keep([crawl.visit("http://h/a", "http://h/b", "http://h/c")])
    hopeless = Judgement(PageState.FAILED, 5.0, None, 8, give_up=True)
    (result,) = crawl.keeper.keep([Visit(crawl.lease(), hopeless, 1.0, "refused")])
    assert result.given_up == 2
    assert crawl.rows()["http://h/c"].reason == "its host was given up: refused"


def test_a_page_that_an_earlier_crawl_has_only_leads_on(tmp_path: Path) -> None:
    with lab(tmp_path) as first:
        first.keeper.keep([first.visit("http://h/a", "http://other/")])
        wider = Lab(first.repository, rules=Rules(Reach.ANY))
        lease = wider.lease()
        assert set(lease.captures) == {"desktop"}
        wider.keeper.keep([Visit(lease, Judgement(PageState.DONE, 0.0), 2.0)])
        states = {"http://h/a": "pending", "http://other/": "pending"}
        assert wider.states() == {SEED: "done", **states}
        assert len(wider.repository) == 1
