"""What a page is about, without anybody pointing at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conftest import open_studio

from webgeist.samples.server import serve
from webgeist.scrape.relations.propose import propose_relations

if TYPE_CHECKING:
    from tests.conftest import SettingsMaker
    from tests.scrape.relations.conftest import Bench

FURNITURE = (
    "<nav><ul>" + "".join(f"<li><a href=#>Topic {n}</a></li>" for n in range(9)) + "</ul></nav>"
    "<div>" + "".join(f"<a href=#>{n}</a> " for n in range(1, 9)) + "</div>"
)


def test_the_list_comes_before_menus_and_page_numbers(bench: Bench) -> None:
    names = ["Copper pan", "Blue jug", "Oak board", "Tin cup"]
    cards = "".join(
        f"<div class=card><h3>{name}</h3><p>A good {name} for every day.</p><b>${n}.50</b></div>"
        for n, name in enumerate(names)
    )
    best = bench.best(f"{FURNITURE}<div>{cards}</div>")
    assert [text[: len(name)] for text, name in zip(best, names, strict=True)] == names


def test_a_form_around_the_whole_page_is_no_furniture(bench: Bench) -> None:
    """Web Forms pages are one form, and menus have many links in each of their rows."""
    menu = "".join(
        f"<li><a href=#>Topic {n}</a>"
        + "".join(f" <a href=#>Page number {n} {k} of it</a>" for k in range(6))
        + "</li>"
        for n in range(9)
    )
    rows = "".join(
        f"<div><a href=#>College {n}</a><p>{n} Street</p><p>Phone {n}55</p></div>" for n in range(8)
    )
    best = bench.best(f"<ul>{menu}</ul><form>{rows}<h2>About</h2>{'<p>x <b>y</b></p>' * 20}</form>")
    assert len(best) == 8
    assert best[0].startswith("College 0")


def test_a_header_of_bold_cells_is_no_row(bench: Bench) -> None:
    rows = "".join(f"<tr><td>Name {n}</td><td>Street {n * 7}</td></tr>" for n in range(5))
    best = bench.best(f"<table><tr><td><b>Name</b></td><td><b>Street</b></td></tr>{rows}</table>")
    assert best[0] == "Name 0 Street 0"


def test_a_header_is_told_by_its_class(bench: Bench) -> None:
    rows = "".join(
        f"<div class=line><div>Name {n}</div><div>Street {n * 7}</div></div>" for n in range(5)
    )
    head = '<div class="line table-head"><div>Name</div><div>Street</div></div>'
    assert bench.best(f"<div>{head}{rows}</div>")[0] == "Name 0 Street 0"


def test_groups_with_a_heading_are_not_the_rows(bench: Bench) -> None:
    """The last group has one row: it is smaller than the others, and is a group all the same."""
    rows = ""
    for n in range(13):
        rows += f"<tr class=grp><td colspan=3><b>Part {n}</b></td></tr>" * (n % 4 == 0)
        rows += f"<tr><td>Name {n}</td><td>Street {n}</td><td>{n * 100} people</td></tr>"
    best = bench.best(f"<table>{rows}</table>")
    assert len(best) == 13


def test_the_fields_of_records_are_not_the_rows(bench: Bench) -> None:
    """Two wide cells in each line, which are built differently."""
    rows = "".join(
        f"<tr><td><h3>Job {n}</h3><ul><li>Town {n}</li><li>{n}000 a year</li></ul></td>"
        f"<td><p>Work number {n} is hard.</p><p>You are <b>able {n}</b>.</p><a href=#>More</a></td></tr>"
        for n in range(6)
    )
    best = bench.best(f"<table>{rows}</table>")
    assert len(best) == 6
    assert best[0].startswith("Job 0")


def test_columns_of_links_at_the_bottom_are_a_menu(bench: Bench) -> None:
    names = ["Copper", "Oak", "Tin", "Ash", "Lime", "Iron", "Clay", "Jade", "Wool"]
    foot = "".join(
        f"<div style='float:left;width:24%'><h5>Part {n}</h5><ul>"
        + "".join(f"<li><a href=#>Topic {n} {k}</a></li>" for k in range(8))
        + "</ul></div>"
        for n in range(4)
    )
    items = "".join(f"<li>{name} is found in many places</li>" for name in names)
    best = bench.best(f"<ol>{items}</ol><div id=foot>{foot}</div>")
    assert [text.split()[0] for text in best] == names


def test_a_list_at_the_side_does_not_come_first(bench: Bench) -> None:
    side = "".join(
        f"<li><a href=#>Story number {n} of the week</a> <i>{n} May</i></li>" for n in range(9)
    )
    rows = "".join(
        f"<div><a href=#>Report {n} about the harbour</a> <i>{n} June</i></div>" for n in range(9)
    )
    page = (
        f"<div style='float:left;width:20%'>{side}</div><div style='margin-left:25%'>{rows}</div>"
    )
    assert bench.best(page)[0].startswith("Report 0")


def test_a_page_without_lists(bench: Bench) -> None:
    assert propose_relations(bench.page("<h1>One</h1><p>Just a text.</p>")) == []


def test_the_sample_sites(make_settings: SettingsMaker) -> None:
    wanted = {
        ("directory", "/organisations"): 20,
        ("shop", "/c/kitchen"): 12,
    }
    loopback = "--host-resolver-rules='MAP * ~NOTFOUND, EXCLUDE *.localhost'"
    settings = make_settings(browser={"arguments": loopback})
    with serve() as server, open_studio(settings) as studio:
        for (site, path), count in wanted.items():
            page = studio.shoot(server.url(site, path)).page
            assert page
            best = propose_relations(page)[0]
            assert len(best) == count, (site, path)
            assert best.score == 1.0
