"""Odd pages: clear answers, whatever stands on them."""

from __future__ import annotations

import pytest
from tests.analyses.blocks.conftest import make_page
from tests.analyses.blocks.test_sequence import link

import webgeist
from webgeist.analyses.blocks.pagination import (
    Current,
    Pagination,
    after_current,
    page_pagination,
)

URL = "https://example.org/list"
Node = tuple[str, int, str | None, dict[str, str]]


def found(links: list[tuple[str, str]], *, boxes: bool = True) -> Pagination:
    nodes: list[Node] = [("html", -1, None, {}), ("body", 0, None, {})]
    places: list[tuple[float, float, float, float] | None] = [(0, 0, 1280, 2000)] * 2
    for number, (text, href) in enumerate(links):
        box = (10.0 + 30 * (number % 40), 100.0 + 20 * (number // 40), 20.0, 15.0)
        nodes += [("a", 1, None, {"href": href}), ("#text", len(nodes), text, {})]
        places += [box, box]
    return page_pagination(make_page(nodes, places if boxes else None), URL, (1280, 800))


def test_a_plain_pager() -> None:
    answer = found([(str(k), f"?page={k}") for k in range(2, 6)] + [("Next", "?page=2")])
    assert [link.label for link in answer.links] == ["page"] * 4 + ["next"]
    assert answer.next is not None
    assert answer.next.text == "Next"
    assert [link.text for link in answer.links if link.immediate] == ["2", "Next"]
    assert answer.to_arrow().num_rows == 5


def scripted(texts: list[str], current: str) -> list[str]:
    """What leads on in a pager of scripts, in which one text is no link."""
    nodes: list[Node] = [("html", -1, None, {}), ("body", 0, None, {})]
    nodes += [("div", 1, None, {"class": "pager"})]
    for place, text in enumerate(texts, 1):
        turn = {"href": f"javascript:turn('list','Page${place}')"}
        nodes.append(("span", 2, None, {}) if text == current else ("a", 2, None, turn))
        nodes.append(("#text", len(nodes) - 1, text, {}))
    boxes = [(10.0 * k, 100.0, 20.0, 15.0) for k in range(len(nodes))]
    answer = page_pagination(make_page(nodes, boxes), URL, (1280, 800))
    assert [link.text for link in answer.links] == [text for text in texts if text != current]
    return [link.text for link in answer.links if link.immediate]


def test_numbers_of_scripts_go_on_after_the_one_that_is_no_link() -> None:
    assert scripted(["1", "2", "3", "4", "5", "..."], "2") == ["3"]


def test_after_the_last_number_dots_lead_on() -> None:
    assert scripted(["1", "2", "3", "4", "5", "..."], "5") == ["..."]


def test_no_links() -> None:
    assert found([]).links == ()
    assert found([]).next is None


def test_links_without_boxes() -> None:
    answer = found([(str(k), f"?page={k}") for k in range(2, 6)], boxes=False)
    assert [link.label for link in answer.links] == ["page"] * 4


def test_how_many_to_show_and_letters_are_none() -> None:
    assert found([(str(k), f"?limit={k}") for k in (10, 25, 50)]).links == ()
    assert found([(letter, f"?letter={letter}") for letter in "ABCDEFGHIVX"]).links == ()


def test_all_links_numeric_in_a_calendar() -> None:
    assert found([(str(k), f"/2026/03/{k:02}") for k in range(1, 32)]).links == ()


def test_thousands_of_links_are_answered() -> None:
    many = [(f"Thing {k} with a name", f"/thing/{k}") for k in range(5000)]
    answer = found([*many, ("2", "?page=2"), ("3", "?page=3"), ("Next", "?page=2")])
    assert [link.text for link in answer.links] == ["2", "3", "Next"]


def test_it_is_public() -> None:
    assert callable(webgeist.find_pagination)
    assert callable(webgeist.classify_blocks)


@pytest.mark.parametrize(
    ("texts", "current", "following"),
    [
        (("1", "2", "3", "..."), 1, "2"),
        (("1", "2", "3", "..."), 2, "3"),
        (("1", "2", "3", "..."), 3, "..."),
        (("...", "6", "7"), 6, "7"),
        (("1", "2", "3"), 3, None),
        (("...", "6", "7", "..."), 7, "..."),
    ],
)
def test_numbers_without_addresses_go_on_from_the_current_one(
    texts: tuple[str, ...], current: int, following: str | None
) -> None:
    links = [
        link(
            place,
            text=text,
            number=float(text) if text.isdecimal() else None,
            notes={"NUMBER"} if text.isdecimal() else {"ELLIPSIS"},
            place=place,
            step=None,
            target=None,
        )
        for place, text in enumerate(texts)
        if text != str(current)
    ]
    shown = Current(0, texts.index(str(current)), float(current))
    last_cell = Current(0, -1, 2.0)  # of the list, which stands right before the pager
    for currents in ({shown}, {shown, last_cell}):
        found = after_current(links, currents)
        assert [each.text for each in links if each.node in found] == [following] * bool(following)
        assert not found or max(found) == max(
            n for n, text in enumerate(texts) if text == following
        )


def test_a_next_that_jumps_does_not_lead_to_the_following_page() -> None:
    numbers = [(str(k), f"?page={k}") for k in range(2, 6)]
    answer = found([*numbers, ("Next", "?page=11")])
    assert answer.next is not None
    assert answer.next.text == "2"
    assert [each.text for each in answer.links if each.immediate] == ["2"]
