"""Rows from one or two cells, in every kind of markup that lists are written in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webgeist.errors import NotFoundError, UsageError
from webgeist.scrape.relations.find import find_relation

if TYPE_CHECKING:
    from tests.scrape.relations.conftest import Bench

PEOPLE = [
    ("Ada", "1815", "London"),
    ("Bob", "1900", ""),
    ("Cyd", "1921", "Paris"),
    ("Dan", "1950", "Rome"),
]
ROWS = ["Ada 1815 London", "Bob 1900", "Cyd 1921 Paris", "Dan 1950 Rome"]
MENU = "<ul class=menu><li><a href=#>Home</a></li><li><a href=#>About</a></li></ul>"


def lines(form: str, *, join: str = "") -> str:
    """Every person in a form with {0}, {1}, {2}."""
    return join.join(form.format(*person) for person in PEOPLE)


MARKUP = {
    "table": "<table><thead><tr><th>Name<th>Born<th>Town</thead><tbody>"
    + lines("<tr><td>{0}<td>{1}<td>{2}")
    + "</table>",
    "cards": "<div>"
    + lines("<div class=c><h3>{0}</h3><p>{1}</p><p class=t>{2}</p></div>")
    + "</div>",
    "no classes": "<div>"
    + lines("<div><div>{0}</div><div>{1}</div><div>{2}</div></div>")
    + "</div>",
    "definitions": "<dl>" + lines("<dt>{0}</dt><dd>{1}</dd><dd>{2}</dd>") + "</dl>",
    "two lines each": "<table>"
    + lines("<tr><td><a href=#>{0}</a></tr><tr><td><i>{1}</i> <i>{2}</i></tr>")
    + "</table>",
    "headings and paragraphs": "<div>" + lines("<h3>{0}</h3><p>{1}</p><p>{2}</p>") + "</div>",
    "bare lines": "<div>" + lines("<b>{0}</b> <span>{1} {2}</span><br>") + "</div>",
    "cells told by their class": "<div>"
    + "".join(
        f"<div class=name>{name}</div><div class=born>{born}</div>"
        + f"<div class=town>{town}</div>" * bool(town)
        for name, born, town in PEOPLE
    )
    + "</div>",
    "wide lines between": "<table>"
    + lines("<tr><td>{0}</td><td>{1}</td><td>{2}</td></tr>", join="<tr></tr>").replace(
        "<tr></tr>", "<tr><td colspan=3><b>Later</b></td></tr>", 1
    )
    + "</table>",
    "labels": "<div>"
    + lines(
        "<div><div><b>Name</b> {0}</div><div><b>Born</b> {1}</div><div><b>Town</b> {2}</div></div>"
    )
    + "</div>",
}


@pytest.mark.parametrize("kind", MARKUP)
@pytest.mark.parametrize("cell", ["Ada", "1815"])
def test_markup(bench: Bench, kind: str, cell: str) -> None:
    page = bench.page(MENU + MARKUP[kind] + "<p>Copyright</p>")
    cells = [n for n in range(len(page)) if cell in (page.texts[n] or "")]
    found = find_relation(page, cells[0])
    said = [" ".join(" ".join(page.text(n) for n in row.nodes).split()) for row in found.rows]
    plain = [
        text.replace("Name ", "").replace("Born ", "").replace("Town", "").strip() for text in said
    ]
    assert [" ".join(text.split()) for text in plain] == ROWS


def test_two_cells_say_that_a_row_is_larger(bench: Bench) -> None:
    html = "<div>" + lines("<h3>{0}</h3><p>{1}</p>") + "</div>"
    assert bench.rows(html, "Ada", "1815") == ["Ada 1815", "Bob 1900", "Cyd 1921", "Dan 1950"]


def test_headings_between_lists(bench: Bench) -> None:
    html = (
        "<div><h2>Old</h2><ul><li><b>Ada</b> 1815</li><li><b>Bob</b> 1900</li></ul>"
        "<h2>New</h2><ul><li><b>Cyd</b> 1921</li><li><b>Dan</b> 1950</li></ul></div>"
    )
    assert bench.rows(MENU + html, "Ada") == ["Ada 1815", "Bob 1900", "Cyd 1921", "Dan 1950"]


def test_headings_inside_a_list(bench: Bench) -> None:
    html = (
        "<ul><li class=e><a href=#>Ada</a> <i>1815</i></li><li class=e><a href=#>Bob</a> <i>1900</i></li>"
        "<li class=head><h2>New</h2></li><li class=e><a href=#>Cyd</a> <i>1921</i></li></ul>"
    )
    assert bench.rows(html, "Ada") == ["Ada 1815", "Bob 1900", "Cyd 1921"]


def test_a_grid_has_more_rows_than_lines(bench: Bench) -> None:
    cards = [f"<td><b>{name}</b><br><i>{born}</i></td>" for name, born, _ in PEOPLE]
    html = f"<table><tr>{cards[0]}{cards[1]}</tr><tr>{cards[2]}{cards[3]}</tr></table>"
    assert bench.rows(html, "Ada") == ["Ada 1815", "Bob 1900", "Cyd 1921", "Dan 1950"]


NESTED = "<section>" + "".join(
    f"<article><h2>{name}</h2><p>Since {year}</p><p>12 Mill Lane, open late</p><ul>{dishes}</ul></article>"
    for name, year, dishes in [
        ("Ox", 1990, "<li>Soup</li><li>Roast</li>"),
        ("Swan", 2001, "<li>Tea</li><li>Cake</li><li>Pie</li>"),
        ("Bear", 2010, "<li>Fish</li>"),
    ]
) + "</section>"  # fmt: skip


def test_outer_and_inner_relations(bench: Bench) -> None:
    outer = bench.rows(NESTED, "Ox")
    assert [text.split()[0] for text in outer] == ["Ox", "Swan", "Bear"]
    assert bench.rows(NESTED, "Soup") == ["Soup", "Roast"]
    both = bench.rows(NESTED, "Ox", "Soup")
    assert len(both) == 3


def test_what_is_hidden_is_no_row(bench: Bench) -> None:
    html = "<ul>" + lines("<li><b>{0}</b> {1}</li>") + "<li hidden><b>Eve</b> 2000</li></ul>"
    assert len(bench.rows(html, "Ada")) == 4


def test_rows_begin_with_the_example(bench: Bench) -> None:
    """A header that is built like a row is left out, because it stands before the first."""
    html = "<table><tr><td>Name<td>Born</tr>" + lines("<tr><td>{0}<td>{1}</tr>") + "</table>"
    assert bench.rows(html, "Ada")[0] == "Ada 1815"


def test_nothing_repeats(bench: Bench) -> None:
    page = bench.page("<h1>Alone</h1><form><input value=x></form>")
    with pytest.raises(NotFoundError, match="nothing on the page is like"):
        find_relation(page, bench.node(page, "Alone"))


def test_cells_that_cannot_be_meant(bench: Bench) -> None:
    page = bench.page("<ul><li>a</li><li>b</li></ul><script>1</script>")
    with pytest.raises(UsageError, match="no node 9999"):
        find_relation(page, 9999)
    with pytest.raises(UsageError, match="shows nothing"):
        find_relation(page, page.find("script")[0])


@pytest.mark.parametrize("classes", [("row", "alternating"), ("odd", "even"), ("", "grey")])
def test_lines_whose_colours_take_turns_are_rows(bench: Bench, classes: tuple[str, str]) -> None:
    lines = "".join(
        f"<tr class='{classes[n % 2]}'><td>{n}<td><a href=/{n}>Name {n}</a><td>{n * 7} members</tr>"
        for n in range(10)
    )
    page = bench.page(f"<table><tr><th>Number<th>Name<th>Members</tr>{lines}</table>")
    assert len(find_relation(page, page.find("a")[0])) == 10


def test_classes_that_take_turns_for_colours_are_rows(bench: Bench) -> None:
    names = ["Ada Byron", "Bob Ross", "Cyd Chan", "Dan Hill", "Eve Moor", "Fay Wood"]
    items = "".join(f"<li class={('odd', 'even')[n % 2]}>{name}" for n, name in enumerate(names))
    assert bench.rows(f"<ul>{items}</ul>", names[0]) == names


def test_class_names_that_a_style_sheet_was_packed_with_are_no_columns(bench: Bench) -> None:
    cards = "".join(
        f"<li class='card css-{n % 3}x'><b>Name {n * 37}</b> <i>{'a' * (4 * n)}</i></li>"
        for n in range(1, 10)
    )
    assert len(bench.rows(f"<ul>{cards}</ul>", "Name 37")) == 9


BAR = "<div style='position:{};left:0;right:0;bottom:0;height:400px;background:#fff'>We use cookies</div>"


@pytest.mark.parametrize("position", ["fixed", "sticky"])
def test_a_bar_that_stays_on_the_screen_hides_no_row(bench: Bench, position: str) -> None:
    items = lines("<li style='height:180px'><b>{0}</b> {1}</li>")
    html = f"<ul>{items}</ul>{BAR.format(position)}"
    assert bench.rows(html, "Ada") == ["Ada 1815", "Bob 1900", "Cyd 1921", "Dan 1950"]


def test_rows_that_a_part_of_the_page_scrolls_to(bench: Bench) -> None:
    items = lines("<li style='height:60px'><b>{0}</b> {1}</li>")
    html = f"<ul style='height:100px;overflow:{{}}'>{items}</ul>"
    assert len(bench.rows(html.format("auto"), "Ada")) == 4
    assert len(bench.rows(html.format("hidden"), "Ada")) == 2


def test_rows_in_a_frame(bench: Bench) -> None:
    inner = "<ul>" + lines("<li><b>{0}</b> {1}</li>") + "</ul>"
    found = bench.rows(f'<h1>People</h1><iframe srcdoc="{inner}"></iframe>', "Ada")
    assert found == ["Ada 1815", "Bob 1900", "Cyd 1921", "Dan 1950"]
