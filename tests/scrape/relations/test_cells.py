"""Columns: which cells belong together, and what they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.scrape.relations.textshapes import text_shape

if TYPE_CHECKING:
    from tests.scrape.relations.conftest import Bench

    from webgeist.page.model import Page
    from webgeist.scrape.relations.model import Relation


def values(page: Page, found: Relation) -> dict[str, list[str | None]]:
    return {
        column.name: [
            None if node is None else (page.text(node) or (page.texts[node] or "")).strip()
            for node in column.nodes
        ]
        for column in found.columns
    }


def test_names_of_a_table(bench: Bench) -> None:
    html = "<table><tr><th>Name<th colspan=2>Born<th>Town</tr>" + "".join(
        f"<tr><td>{name}<td>1{n}<td>May<td>{town}</tr>"
        for n, (name, town) in enumerate([("Ada", "Ulm"), ("Bob", ""), ("Cyd", "Bonn")])
    )
    assert values(*bench.find(html, "Ada")) == {
        "Name": ["Ada", "Bob", "Cyd"],
        "Born": ["10", "11", "12"],
        "word": ["May", "May", "May"],
        "Town": ["Ulm", None, "Bonn"],
    }


def test_optional_cells_leave_a_gap(bench: Bench) -> None:
    html = (
        "<div><div class=c><h3>Ada</h3><span class=price>$3</span><span class=stars>5</span></div>"
        "<div class=c><h3>Bob</h3><span class=stars>4</span></div>"
        "<div class=c><h3>Cyd</h3><span class=price>$7</span></div></div>"
    )
    assert values(*bench.find(html, "Ada")) == {
        "title": ["Ada", "Bob", "Cyd"],
        "price": ["$3", None, "$7"],
        "stars": ["5", "4", None],
    }


def test_cells_without_names_are_told_apart_by_their_looks(bench: Bench) -> None:
    html = (
        "<div><div><b>Ada</b><span>$3.00</span><span>2026-03-01</span></div>"
        "<div><b>Bob</b><span>2026-03-02</span></div>"
        "<div><b>Cyd</b><span>$7.50</span><span>2026-03-03</span></div></div>"
    )
    found = values(*bench.find(html, "Ada"))
    assert found["price"] == ["$3.00", None, "$7.50"]
    assert found["date"] == ["2026-03-01", "2026-03-02", "2026-03-03"]


def test_marked_up_names(bench: Bench) -> None:
    html = "<ul>" + "".join(
        f"<li><a href=# itemprop=name>{n}</a> <span data-label=Price>{p}</span></li>"
        for n, p in [("Pan", "3"), ("Pot", "4"), ("Cup", "5")]
    )
    assert list(values(*bench.find(html, "Pan"))) == ["name", "Price"]


def test_shapes_of_texts() -> None:
    shapes = {
        "12": "number", "1,234.5": "number", "$ 9.50": "price", "12 €": "price",
        "2 March 2026": "date", "Mar 2, 2026": "date", "2026-03-02": "date", "10:30 pm": "time",
        "a@b.example": "mail", "http://x.localhost/": "address", "+49 731 55 12": "phone",
        "12 km": "measure", "Ulm": "word", "New York City": "words", "": "empty", "x y " * 30: "text",
    }  # fmt: skip
    assert {text: text_shape(text) for text in shapes} == shapes
