"""Runs of short things."""

from __future__ import annotations

from tests.analyses.blocks.conftest import Node, make_page

from webgeist.analyses.blocks.annotators.annotate import annotate
from webgeist.analyses.blocks.elements import Elements
from webgeist.analyses.blocks.runs import find_runs


def runs(*things: str) -> list[list[str]]:
    """The runs of a line: what is in brackets is a link, the rest is plain text."""
    nodes: list[Node] = [("html", -1, None, {}), ("body", 0, None, {})]
    for thing in things:
        if thing.startswith("["):
            nodes += [("a", 1, None, {"href": f"/{len(nodes)}"})]
            nodes += [("#text", len(nodes) - 1, thing.strip("[]"), {})]
        else:
            nodes += [("span", 1, None, {}), ("#text", len(nodes), thing, {})]
    elements = Elements(make_page(nodes, [(0.0, 0.0, 9.0, 9.0)] * len(nodes)))
    found = find_runs(elements, annotate(elements))
    told: dict[int, list[str]] = {}
    for node, (run, place) in found.place.items():
        said = elements.text(node) or elements.other_texts[node]
        told.setdefault(run, []).append(said)
        assert place == len(told[run]) - 1
    return list(told.values())


def test_a_pager_is_one_run() -> None:
    line = ("[«]", "[1]", "2", "[3]", "…", "[9]", "[Next]")
    assert runs(*line) == [["«", "1", "2", "3", "…", "9", "Next"]]


def test_bars_and_points_neither_belong_nor_end_it() -> None:
    assert runs("[1]", "|", "[2]", "·", "[3]") == [["1", "2", "3"]]


def test_words_end_a_run() -> None:
    assert runs("[1]", "[2]", "of all our things", "[3]") == [["1", "2"], ["3"]]


def test_other_links_end_a_run() -> None:
    assert runs("[1]", "[Read about us]", "[2]") == [["1"], ["2"]]


def test_a_page_without_any() -> None:
    assert runs("Hello", "[About]") == []


def test_what_is_far_away_is_another_run() -> None:
    between = ["·"] * 40
    assert runs("[1]", *between, "[2]") == [["1"], ["2"]]
