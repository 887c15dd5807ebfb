"""Crawls that keep to a site, or see a little of all of it: real pages, real Chromium."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.analyses.menus.hosts import page_html
from tests.repository.making import new_repository

from webgeist.analyses.menus.exploring import Exploration
from webgeist.crawl.outgoing import Outgoing, Place
from webgeist.crawl.plan import Bounds, Plan, dump_bounds, dump_plan, load
from webgeist.crawl.run import Crawl, End
from webgeist.crawl.scope import Reach, Rules, Scope, Step
from webgeist.crawl.tables import FRONTIER
from webgeist.settings import CrawlSettings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import SettingsMaker, Site

    from webgeist.repository.repository import Repository
    from webgeist.settings import Settings

ONE = ["/one/", "/one/a", "/one/b", "/one/c"]
TWO = ["/two/", "/two/a", "/two/b"]


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    with new_repository(tmp_path / "repository") as made:
        yield made


@pytest.fixture
def quick(make_settings: SettingsMaker) -> Settings:
    return make_settings(crawl={"delay_seconds": 0, "contact": "me@example.org", "tabs": 1})


def fill(site: Site, posts: int = 0) -> None:
    """Two sites on one host: pages of the first link to the second, which leads on and on."""
    more = [f"/one/post{n}" for n in range(posts)]
    for name in [*ONE, *more]:
        lists = [("nav#m", ONE), ("div#see", ["/two/"])]
        lists += [("div#posts", more)] if name == "/one/b" else []
        site.add(name, page_html(*lists))
    for name in TWO:
        deep = [f"{name}x1", f"{name}x2"]
        site.add(name, page_html(("nav#m", TWO), ("div#deep", deep)))


async def crawl(
    repository: Repository, settings: Settings, seed: str, rules: Rules
) -> dict[str, str]:
    guide = Exploration([seed], stay=rules.reach is Reach.SITE, sample=rules.by_menu)
    made = Crawl(repository, Plan((seed,), rules), Bounds(), settings, guide=guide)
    assert await made.run() is End.COMPLETE
    with repository.transaction() as connection:
        rows = connection.execute(FRONTIER.select())
        return {f"/{row.url.split('/', 3)[3]}": row.state for row in rows}


async def test_scope_site_looks_over_the_border_and_stays(
    repository: Repository, quick: Settings, site: Site
) -> None:
    fill(site)
    seen = await crawl(repository, quick, site.url("/one/"), Rules(Reach.SITE))
    assert set(ONE) <= set(seen)
    assert not [name for name in seen if name.startswith("/two/") and name != "/two/"]
    words = {
        row["followed"]
        for entry in repository.captures()
        if entry.url.endswith("/two/")
        for row in repository.capture(entry.capture).links.to_pylist()
    }
    assert "other-site" in words


async def test_by_menu_visits_all_items_and_some_of_the_rest(
    repository: Repository, quick: Settings, site: Site
) -> None:
    fill(site, posts=20)
    rules = Rules(Reach.PREFIX, by_menu=3)
    seen = await crawl(repository, quick, site.url("/one/"), rules)
    assert set(ONE) <= set(seen)
    assert len([name for name in seen if "post" in name]) == 3


def test_without_a_guide_nothing_changes() -> None:
    from tests.repository.making import make_capture

    from webgeist.crawl.addresses import parse

    seed = parse("http://example.org/page")
    assert seed is not None
    capture = make_capture(1)
    outgoing = Outgoing(Scope(Rules(), [seed]), CrawlSettings())
    place = Place(1, seed, Step())
    urls = capture.links.column("url").to_pylist()
    assert outgoing.judge_page(capture, place) == outgoing.judge(urls, place)


def test_the_plan_remembers_what_was_asked_for() -> None:
    plan = Plan(("http://a.localhost/",), Rules(Reach.SITE, by_menu=4))
    assert load(dump_plan(plan), dump_bounds(Bounds()))[0] == plan
