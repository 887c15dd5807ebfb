"""webgeist crawl: from seeds to a repository of captures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from webgeist.cli.repo import HERE, RepoOption
from webgeist.cli.session import JsonOption, session_of
from webgeist.cli.targets import AllowPrivateOption, DelayOption

if TYPE_CHECKING:
    from webgeist.crawl.plan import Plan
    from webgeist.crawl.scope import Reach

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def crawl(
    ctx: typer.Context,
    seeds: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SEED...", show_default=False, help="Where to begin; none: go on with the last."
        ),
    ] = None,
    *,
    repo: RepoOption = HERE,
    scope: Annotated[
        str | None,
        typer.Option(
            "--scope", help="Around the seeds: page, prefix, site, host, domain or any [host]."
        ),
    ] = None,
    include: Annotated[
        list[str] | None,
        typer.Option("--include", metavar="REGEX", help="Only such addresses; may be repeated."),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option("--exclude", metavar="REGEX", help="No such addresses; may be repeated."),
    ] = None,
    hops: Annotated[
        int | None, typer.Option("--hops", min=0, help="Links in a row out of the scope [0].")
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option("--depth", min=0, help="Links between a seed and a page; 0: seeds only."),
    ] = None,
    by_menu: Annotated[
        int | None,
        typer.Option(
            "--by-menu", metavar="N", min=0, help="Only N pages of each section, but all menus."
        ),
    ] = None,
    one_per_domain: Annotated[
        bool,
        typer.Option("--one-per-domain", help="Follow only links that leave their domain."),
    ] = False,
    sitemap: Annotated[
        bool, typer.Option("--sitemap", help="Begin also with what the hosts' sitemaps list.")
    ] = False,
    viewport: Annotated[
        list[str] | None,
        typer.Option("--viewport", help="desktop, mobile, 1280x960 ...; may be repeated."),
    ] = None,
    pages: Annotated[
        int | None, typer.Option("--pages", min=0, help="Never more pages than this.")
    ] = None,
    per_site: Annotated[
        int | None,
        typer.Option("--per-site", min=1, help="Never more pages of one domain than this."),
    ] = None,
    max_time: Annotated[
        str | None, typer.Option("--max-time", metavar="TIME", help="Stop after 90s, 30m, 12h, 7d.")
    ] = None,
    max_size: Annotated[
        str | None,
        typer.Option("--max-size", metavar="SIZE", help="Store no more than 500M, 2G ..."),
    ] = None,
    refresh: Annotated[
        str | None,
        typer.Option(
            "--refresh",
            metavar="AGE|auto",
            help="Visit pages again after 12h, 7d; 0: all; auto: by how often each changed.",
        ),
    ] = None,
    tabs: Annotated[
        int | None, typer.Option("--tabs", min=1, help="Pages of a worker at the same time [2].")
    ] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", min=1, help="Processes with a browser each [1].")
    ] = None,
    max_failures: Annotated[
        int | None,
        typer.Option("--max-failures", min=0, help="Exit with code 3 when more pages failed."),
    ] = None,
    ignore_robots: Annotated[
        bool | None,
        typer.Option("--ignore-robots", help="Visit what robots.txt forbids; captures say so."),
    ] = None,
    delay: DelayOption = None,
    allow_private: AllowPrivateOption = None,
    recorder: Annotated[
        str | None,
        typer.Option("--recorder", help="Who talks to servers: proxy (ours) or browser."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Follow links from seeds and keep every page in a repository, politely.

    Breadth-first; each page once per viewport. The same command again, or `webgeist crawl` with no
    seeds, goes on where the last run ended, however it ended. Ctrl-C stops with everything saved
    (exit code 11), a second one at once. What there is becomes a release at the end.

    --depth counts links: 1 is the seeds and the pages they link to. Patterns are regular
    expressions, searched for in whole addresses. Exit code 3: more pages failed than
    --max-failures, or all of them.

    --scope site follows links on the seeds' hosts from pages that share a menu with a seed. With
    --by-menu a small crawl sees the whole architecture: all items of menus are visited, and N
    other pages of each section.

    Example: webgeist crawl https://example.org/docs/ --scope prefix --pages 500 --repo my-pages

    Example: webgeist crawl https://example.org --viewport desktop --viewport mobile --depth 2

    With --refresh auto a page is due when a change of its content is as likely as not, by the
    changes that its captures show; `webgeist watch --dry-run --refresh auto` tells the intervals.

    Example: webgeist crawl --repo my-pages --refresh 7d
    """
    from webgeist.cli.crawling import Auto, Wanted, run_crawl
    from webgeist.crawl.plan import Bounds, Plan, parse_age, parse_size
    from webgeist.crawl.scope import Rules

    session = session_of(ctx)
    rules = Rules(
        reach=_reach(scope, one_per_domain=one_per_domain),
        include=tuple(include or ()),
        exclude=tuple(exclude or ()),
        hops=hops or 0,
        depth=depth,
        leave_domain=one_per_domain,
        by_menu=by_menu,
    )
    plan = Plan(tuple(seeds or ()), rules, tuple(viewport or ["desktop"]), sitemap)
    if not seeds:
        _must_be_plain(plan, Plan(()))
    seconds = parse_age(max_time).total_seconds() if max_time else None
    bounds = Bounds(pages, per_site, seconds, parse_size(max_size) if max_size else None)
    flags = {
        "crawl.robots": False if ignore_robots else None,
        "crawl.delay_seconds": delay,
        "crawl.tabs": tabs,
        "crawl.workers": workers,
        "gate.allow_private": allow_private,
        "recorder.form": recorder,
    }
    settings = session.load_settings(flags, folder=repo).settings
    age = parse_age(refresh) if refresh and refresh != "auto" else None
    again = Auto() if refresh == "auto" else age
    wanted = Wanted(plan if seeds else None, bounds, again, max_failures)
    if code := run_crawl(repo, wanted, settings, session.output, as_json=as_json):
        raise typer.Exit(code)


def _reach(scope: str | None, *, one_per_domain: bool) -> Reach:
    """The reach that was asked for. Who leaves every domain is bound to none."""
    from webgeist.crawl.scope import Reach
    from webgeist.errors import UsageError

    try:
        return Reach(scope or (Reach.ANY if one_per_domain else Reach.HOST))
    except ValueError as error:
        raise UsageError(
            f"--scope {scope!r} is none", remedy=f"one of {', '.join(Reach)}"
        ) from error


def _must_be_plain(plan: Plan, plain: Plan) -> None:
    """A crawl that goes on is the one it was."""
    from webgeist.errors import UsageError

    if plan != plain:
        raise UsageError(
            "a crawl that goes on keeps its scope and viewports", remedy="name the seeds, too"
        )
