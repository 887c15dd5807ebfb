"""What a program means on a page: targets, rows, values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webgeist.errors import NotFoundError, UsageError
from webgeist.scrape.program.finding import View
from webgeist.scrape.program.model import Relation, Target

if TYPE_CHECKING:
    from tests.conftest import Shooter

ROWS = "".join(
    f"<tr class=row><td class=n><a href='/o/{n}'>Name {n}</a><td>{n * 10} members<td>Town {n}</tr>"
    for n in range(1, 7)
)
HTML = f"""<!doctype html><h1 title=T>Register</h1><nav><a href=/a>About</a></nav>
<table><tr><th>Name<th>Members<th>Town</tr>{ROWS}</table><p id=last>End <b>bold</b></p>"""


@pytest.fixture(scope="module")
def url() -> str:
    return "http://example.org/dir/page.html"


@pytest.fixture
def view(shoot_html: Shooter, url: str) -> View:
    page = shoot_html(HTML, url=url).page
    assert page is not None
    return View(page, url)


def css(selector: str, attribute: str | None = None) -> Target:
    return Target({"css": selector}, attribute=attribute)


def test_a_selector_and_a_text_find_nodes(view: View) -> None:
    node = view.find(css("p#last > b"))
    assert node is not None
    assert view.page.text(node) == "bold"
    about = view.find(Target({"text": "About"}))
    assert about is not None
    assert view.page.names[about] == "a"
    assert view.find(css("p.none")) is None
    assert view.find(Target({"css": "td", "text": "About"})) is None
    with pytest.raises(UsageError, match="no CSS selector"):
        view.find(css("p["))


def test_values_are_texts_attributes_and_whole_addresses(view: View) -> None:
    cell, title = view.find(css("td.n")), view.find(css("h1"))
    assert cell is not None
    assert title is not None
    assert view.value(cell, None) == "Name 1"
    assert view.value(cell, "href") == "http://example.org/o/1"
    assert view.value(title, "title") == "T"
    assert view.value(title, "alt") is None


def test_rows_from_the_cells_of_the_first(view: View) -> None:
    relation = Relation({"name": css("td.n a"), "link": css("td.n a", "href")})
    rows = [row.values for row in view.rows(relation)]
    assert rows == [{"name": f"Name {n}", "link": f"http://example.org/o/{n}"} for n in range(1, 7)]


def test_rows_that_the_program_names(view: View) -> None:
    relation = Relation({"name": css("a"), "none": css("i")}, rows=css("tr.row"))
    rows = [row.values for row in view.rows(relation)]
    assert rows[0] == {"name": "Name 1", "none": None}
    assert len(rows) == 6
    (bare,) = view.rows(Relation(rows=css("h1")))
    assert bare.values == {"text": "Register"}


def test_rows_without_any_example(view: View) -> None:
    rows = [row.values for row in view.rows(Relation())]
    assert len(rows) == 6
    assert {"Name 3", "30 members", "Town 3"} <= set(rows[2].values())


def test_no_rows_and_columns_of_something_else(view: View) -> None:
    assert view.rows(Relation({"name": css("i.none")})) == []
    with pytest.raises(NotFoundError, match="nothing on the page is like"):
        view.rows(Relation({"name": css("td.n a"), "end": css("p#last b")}))


def test_a_list_of_one_row(shoot_html: Shooter, url: str) -> None:
    page = shoot_html("<ul><li><a href=/1>One</a> <b>7 kg</b></ul><p>Text</p>", url=url).page
    assert page is not None
    relation = Relation({"name": css("li a"), "weight": css("li b"), "none": css("li i")})
    (row,) = View(page, url).rows(relation)
    assert row.values == {"name": "One", "weight": "7 kg", "none": None}


BEFORE = (
    "<!doctype html><header><a href=/>Shop</a></header><main><h1>Pan</h1><div class=buy>"
    "<span class=price itemprop=price>$12.00</span> <button>Buy</button></div><p>Of copper.</p></main>"
)
REBUILT = (
    "<!doctype html><header><a href=/>Shop</a></header><div id=app><h1>Pot</h1><p>Of tin.</p>"
    "<div class=row><button>Buy</button> <em itemprop=price>$15.50</em></div></div>"
)
ANOTHER = "<!doctype html><h1>Sign in</h1><form><input name=user><span class=price>x</span></form>"
PRICE = Target({"itemprop": "price", "shape": "price", "class": "price", "path": "span"})


def shown(shoot_html: Shooter, html: str) -> View:
    page = shoot_html(html, url="http://example.org/").page
    assert page is not None
    return View(page, "http://example.org/")


@pytest.mark.parametrize("html", [BEFORE, REBUILT])
def test_an_address_survives_a_redesign(shoot_html: Shooter, html: str) -> None:
    view = shown(shoot_html, html)
    node = view.find(PRICE)
    assert node is not None
    assert view.page.text(node).startswith("$1")
    with_css = Target({"css": "span.price", **PRICE.features})
    assert view.find(with_css) == node


def test_an_address_that_fits_badly_is_not_guessed(shoot_html: Shooter) -> None:
    view = shown(shoot_html, ANOTHER)
    assert view.find(PRICE) is None
    said = view.why_not(PRICE)
    assert "fits" in said
    assert "itemprop 'price'" in said
    assert view.find(Target({"css": "span.price"})) is not None
    assert view.find(Target({"css": "span.price", **PRICE.features})) is None


def test_an_address_of_nothing(shoot_html: Shooter) -> None:
    view = shown(shoot_html, "<!doctype html><p>text</p>")
    target = Target({"role": "button", "text": "Buy"})
    assert view.find(target) is None
    assert "nothing on the page is like it" in view.why_not(target)
    assert view.why_not(Target({"css": "h6"})) == ""


def test_cells_of_rows_by_address(shoot_html: Shooter) -> None:
    """What differs from row to row is left out: the text and the place of the first."""
    view = shown(shoot_html, HTML)
    cell = Target({"role": "link", "text": "Name 1", "shape": "words", "place": "1 1"})
    rows = view.rows(Relation({"name": cell}, rows=Target({"css": "tr.row"})))
    assert [row.values["name"] for row in rows] == [f"Name {n}" for n in range(1, 7)]


def test_the_last_page_of_a_list_may_have_one_row(shoot_html: Shooter) -> None:
    """Its selector means the pager, too; by itself it would be no list."""

    def grid(rows: int) -> View:
        lines = "".join(f"<tr><td><a href=/{n}>Name {n}</a><td>{n} kg</tr>" for n in range(rows))
        pager = "<tr><td colspan=2><table><tr><td><a href=#>1</a><td><b>2</b></tr></table></tr>"
        return shown(shoot_html, f"<!doctype html><table id=grid>{lines}{pager}</table>")

    relation = Relation({"name": css("#grid td a")})
    first, last = grid(6), grid(1)
    assert len(first.rows(relation)) == 6
    assert first.row_path is not None
    assert [row.values["name"] for row in last.rows(relation, first.row_path)] == ["Name 0"]


def seen(shoot_html: Shooter, html: str) -> View:
    page = shoot_html(f"<!doctype html>{html}", url="http://example.org/").page
    assert page is not None
    return View(page, "http://example.org/")


def test_a_column_that_the_first_row_lacks(shoot_html: Shooter) -> None:
    rows = "".join(
        f"<div class=p><b>Thing {n}</b><i class=now>{n} €</i>{'<s>9 €</s>' * (n % 3 == 0)}</div>"
        for n in range(1, 8)
    )
    columns = {"name": css(".p b"), "price": css(".now"), "old": css(".p s")}
    found = seen(shoot_html, f"<div>{rows}</div>").rows(Relation(columns))
    assert [row.values["name"] for row in found] == [f"Thing {n}" for n in range(1, 8)]
    assert [row.values["old"] for row in found] == [None, None, "9 €", None, None, "9 €", None]


def test_what_shows_nothing_is_no_example(shoot_html: Shooter) -> None:
    rows = "<li hidden><b>Zero</b></li>" + "".join(
        f"<li><b>Name {n}</b><p hidden>Tel {n}</p></li>" for n in range(5)
    )
    view = seen(shoot_html, f"<ul>{rows}</ul>")
    found = view.rows(Relation({"name": css("li b"), "phone": css("li p")}))
    assert [row.values["name"] for row in found] == [f"Name {n}" for n in range(5)]
    assert [row.values["phone"] for row in found] == [f"Tel {n}" for n in range(5)]


CARDS = """<my-card></my-card><my-card></my-card><iframe srcdoc="<em>framed</em>"></iframe><script>
customElements.define("my-card", class extends HTMLElement {
  constructor() { super(); this.attachShadow({mode: "open"}).innerHTML = "<div><b>in</b></div><i>i</i>"; }
});</script>"""


def test_frames_and_shadow_trees_count_where_nothing_is_outside(shoot_html: Shooter) -> None:
    view = seen(shoot_html, CARDS + "<p><i>outside</i></p>")
    assert [row.values["name"] for row in view.rows(Relation({"name": css("b")}, css("my-card")))]
    (outside,) = (view.page.text(node) for node in [view.find(css("i"))] if node is not None)
    framed = view.find(css("em"))
    assert outside == "outside"
    assert framed is not None
    assert view.page.text(framed) == "framed"
