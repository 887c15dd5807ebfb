"""Whole crawls: real Chromium, a real server, a real repository."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from tests.repository.making import new_repository

from webgeist.crawl.plan import Bounds, Plan
from webgeist.crawl.run import Crawl, End
from webgeist.crawl.scope import Reach, Rules
from webgeist.crawl.statements import PageState
from webgeist.crawl.tables import FRONTIER, HOSTS
from webgeist.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import SettingsMaker, Site

    from webgeist.repository.repository import Repository
    from webgeist.settings import Settings


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[Repository]:
    with new_repository(tmp_path / "repository") as made:
        yield made


@pytest.fixture
def quick(make_settings: SettingsMaker) -> Settings:
    return make_settings(crawl={"delay_seconds": 0, "contact": "me@example.org"})


def page(*links: str) -> str:
    anchors = "".join(f'<a href="{link}">{link}</a> ' for link in links)
    return f"<!doctype html><title>page</title><p>words {anchors}</p>"


def states(repository: Repository) -> dict[str, tuple[str, str]]:
    """State and reason by path."""
    with repository.transaction() as connection:
        rows = connection.execute(FRONTIER.select())
        return {f"/{row.url.split('/', 3)[3]}": (row.state, row.reason) for row in rows}


async def crawled(repository: Repository, settings: Settings, *seeds: str, **more: Any) -> Crawl:
    """A crawl that has run to its end."""
    plan = Plan(seeds, more.pop("rules", Rules()), more.pop("viewports", ("desktop",)))
    crawl = Crawl(repository, plan, more.pop("bounds", Bounds()), settings, **more)
    assert await crawl.run() is End.COMPLETE
    return crawl


async def test_a_site_is_captured_page_by_page(
    site: Site, repository: Repository, quick: Settings
) -> None:
    site.add("/robots.txt", "User-agent: *\nDisallow: /private", headers={"content-type": "t"})
    seed = site.add("/", page("/a", "/moved", "/private/x", "/gone", "http://other.invalid/"))
    site.add("/a", page("/", "/a#part", "mailto:x@y"))
    site.add("/moved", status=301, headers={"location": "/b"})
    site.add("/b", page("/a"))
    site.add("/gone", page(), status=404)
    crawl = await crawled(repository, quick, seed)
    assert states(repository) == {
        "/": ("done", ""),
        "/a": ("done", ""),
        "/moved": ("skipped", "redirects to " + site.url("/b")),
        "/b": ("done", ""),
        "/private/x": ("skipped", "robots.txt forbids it"),
        "/gone": ("failed", "http-error: the server answered 404"),
    }
    progress = crawl.progress()
    counts = (progress.done, progress.failed, progress.skipped, progress.queued)
    assert counts == (3, 1, 2, 0)
    assert crawl.reasons(PageState.FAILED) == {"http-error: the server answered 404": 1}
    assert progress.bytes > 0
    (moved,) = repository.captures(site.url("/b"))
    assert repository.capture(moved.capture).info.redirects == (site.url("/moved"),)
    assert "/private/x" not in site.log
    assert site.log.count("/robots.txt") == 1


async def test_a_page_that_redirects_to_where_robots_may_not_go_is_not_kept(
    site: Site, repository: Repository, make_settings: SettingsMaker
) -> None:
    site.add("/robots.txt", "User-agent: *\nDisallow: /private")
    seed = site.add("/", status=301, headers={"location": "/private"})
    site.add("/private", page())
    settings = make_settings(crawl={"delay_seconds": 50})
    crawl = await crawled(repository, settings, seed)
    [(state, reason)] = states(repository).values()
    assert (state, len(repository)) == ("skipped", 0)
    assert reason == f"redirects to {site.url('/private')}, which robots.txt forbids"
    with repository.transaction() as connection:
        ready = connection.execute(HOSTS.select()).one().ready
    assert ready > crawl._began + 50  # it was asked, so it is left alone


async def test_the_user_agent_says_who_asks(
    site: Site, repository: Repository, quick: Settings
) -> None:
    script = "<script>document.write(navigator.userAgent)</script>"
    seed = site.add("/", f"<!doctype html><p>{script}</p>")
    await crawled(repository, quick, seed, viewports=("desktop", "mobile"))
    for entry in repository.captures(seed):
        found = repository.capture(entry.capture).page
        assert found is not None
        assert "webgeist/" in found.text(0)
        assert "(+me@example.org)" in found.text(0)
        assert ("Mobile" in found.text(0)) == (entry.viewport == "mobile")


async def test_a_complete_crawl_needs_no_browser_to_say_so(
    site: Site, repository: Repository, quick: Settings
) -> None:
    seed = site.add("/", page())
    await crawled(repository, quick, seed)
    nowhere = quick.browser.model_copy(update={"executable": "/nowhere"})
    await crawled(repository, quick.model_copy(update={"browser": nowhere}), seed)
    assert len(repository) == 1


async def test_refreshing_adds_versions(
    site: Site, repository: Repository, quick: Settings
) -> None:
    seed = site.add("/", page("/a"))
    site.add("/a", page())
    await crawled(repository, quick, seed)
    await crawled(repository, quick, seed, refresh=timedelta(days=1))
    assert len(repository) == 2
    site.add("/a", page("/new"))
    site.add("/new", page())
    await crawled(repository, quick, seed, refresh=timedelta())
    assert len(repository.captures(site.url("/a"))) == 2
    assert len(repository.captures(site.url("/new"))) == 1


async def test_revisits_say_when_each_page_is_due(
    site: Site, repository: Repository, quick: Settings
) -> None:
    seed = site.add("/", page("/often", "/seldom"))
    often, seldom = site.add("/often", page()), site.add("/seldom", page())
    await crawled(repository, quick, seed)
    await crawled(repository, quick, seed, revisits=lambda url: 0.0 if url == often else 9e9)
    assert [len(repository.captures(url)) for url in (seed, often, seldom)] == [1, 2, 1]


async def test_another_viewport_is_another_crawl_of_the_same_pages(
    site: Site, repository: Repository, quick: Settings
) -> None:
    seed = site.add("/", page())
    await crawled(repository, quick, seed)
    await crawled(repository, quick, seed, viewports=("desktop", "mobile"))
    assert [entry.viewport for entry in repository.captures(seed)] == ["desktop", "mobile"]


async def test_the_captures_of_one_visit_know_each_other(
    site: Site, repository: Repository, make_settings: SettingsMaker
) -> None:
    site.add("/robots.txt", "User-agent: *\nDisallow: /b")
    seed = site.add("/", page("/b"))
    site.add("/b", page())
    settings = make_settings(crawl={"delay_seconds": 0, "robots": False})
    await crawled(repository, settings, seed, viewports=("desktop", "mobile"))
    repository.publish()
    rows = repository.release().table("captures").to_pylist()
    visits = [(row["viewport"], row["url"], row["visit"]) for row in rows]
    assert sorted(visits, key=lambda visit: (visit[1], visit[0])) == [
        ("desktop", seed, "1.1.1"),
        ("mobile", seed, "1.1.1"),
        ("desktop", site.url("/b"), "1.2.1"),
        ("mobile", site.url("/b"), "1.2.1"),
    ]
    assert all(row["robots_ignored"] for row in rows)


async def test_links_lead_to_other_hosts_as_far_as_asked(
    site: Site, repository: Repository, quick: Settings
) -> None:
    far = site.url("/far", host="far.localhost")
    seed = site.add("/", page("/near", far))
    site.add("/near", page())
    site.add("/far", page("/farther"))
    site.add("/farther", page())
    await crawled(repository, quick, seed, rules=Rules(Reach.HOST, hops=1))
    assert {entry.url for entry in repository.captures()} == {seed, site.url("/near"), far}


async def test_a_host_that_answers_with_a_wall_is_not_taken_for_content(
    site: Site, repository: Repository, make_settings: SettingsMaker
) -> None:
    wall = "<title>Just a moment...</title><p>Verify you are human to continue</p>"
    seed = site.add("/", wall, status=403)
    settings = make_settings(crawl={"delay_seconds": 0, "attempts": 1})
    crawl = await crawled(repository, settings, seed)
    assert list(crawl.reasons(PageState.FAILED)) == ["blocked: a bot wall: 'Verify you are human'"]
    assert site.log.count("/") == 2  # once more by the browser itself
    (entry,) = repository.captures(seed)
    stored = repository.capture(entry.capture)
    assert (stored.page, stored.info.recorder) == (None, "proxy")


async def test_sitemaps_lead_to_pages_that_nothing_links_to(
    site: Site, repository: Repository, quick: Settings
) -> None:
    seed = site.add("/", page())
    site.add("/robots.txt", f"Sitemap: {site.url('/index.xml')}")
    listed = f"<sitemapindex><sitemap><loc>{site.url('/pages.xml')}</loc></sitemap></sitemapindex>"
    site.add("/index.xml", listed)
    urls = "".join(f"<url><loc>{site.url(path)}</loc></url>" for path in ("/x", "/y", "/"))
    site.add("/pages.xml", f"<urlset>{urls}<url><loc>http://far.invalid/</loc></url></urlset>")
    site.add("/x", page())
    site.add("/y", page())
    crawl = Crawl(repository, Plan((seed,), sitemaps=True), Bounds(), quick)
    assert await crawl.run() is End.COMPLETE
    assert {url: state for url, (state, _) in states(repository).items()} == {
        "/": "done",
        "/x": "done",
        "/y": "done",
    }


@pytest.mark.parametrize("anew", [False, True])  # the same crawl, or one that finds its pages
async def test_a_refresh_heeds_what_sitemaps_say_of_changes(
    site: Site, repository: Repository, quick: Settings, *, anew: bool
) -> None:
    seed = site.add("/", page())
    days = {"/": "2001-01-01", "/old": "2001-01-01", "/new": "2999-01-01"}
    urls = [
        f"<url><loc>{site.url(path)}</loc><lastmod>{day}</lastmod></url>"
        for path, day in days.items()
    ]
    site.add("/sitemap.xml", f"<urlset>{''.join(urls)}</urlset>")
    site.add("/old", page())
    site.add("/new", page())
    plan = Plan((seed,), sitemaps=True)
    await Crawl(repository, plan, Bounds(), quick).run()
    plan = Plan((seed,), Rules(depth=5), sitemaps=True) if anew else plan
    without = Crawl(repository, plan, Bounds(), quick)
    assert await without.run() is End.COMPLETE
    assert len(repository) == 3
    crawl = Crawl(repository, plan, Bounds(), quick, refresh=timedelta(days=9))
    assert await crawl.run() is End.COMPLETE
    assert {path: len(repository.captures(site.url(path))) for path in days} == {
        "/": 1,
        "/old": 1,
        "/new": 2,
    }
    assert (crawl.progress().done, crawl.progress().queued) == (3, 0)


async def test_stopping_leaves_nothing_leased(
    site: Site, repository: Repository, quick: Settings
) -> None:
    seed = site.add("/", page("/slow"))
    site.add("/slow", status=None)
    crawl = Crawl(repository, Plan((seed,)), Bounds(), quick)
    running = asyncio.create_task(crawl.run())
    await asyncio.to_thread(site.asked["/slow"].wait)
    crawl.stop()
    assert await running is End.STOPPED
    assert states(repository) == {"/": ("done", ""), "/slow": ("pending", "")}
    assert [host.queued for host in crawl.hosts()] == [1]


async def test_time_and_pages_bound_a_run(
    site: Site, repository: Repository, quick: Settings
) -> None:
    seed = site.add("/", page("/a"))
    site.add("/a", status=None)
    assert await Crawl(repository, Plan((seed,)), Bounds(pages=1), quick).run() is End.PAGES
    assert await Crawl(repository, Plan((seed,)), Bounds(seconds=0.5), quick).run() is End.TIME
    assert len(repository) == 1


def test_a_seed_must_be_an_address(repository: Repository, quick: Settings) -> None:
    with pytest.raises(UsageError, match="no address of a page"):
        Crawl(repository, Plan(("mailto:x@y",)), Bounds(), quick)
