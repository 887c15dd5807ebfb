from __future__ import annotations

from tests.analyses.menus.hosts import BASE, host_of, page_html

from webgeist.analyses.menus.host import Gathering, Host
from webgeist.analyses.menus.parse import parse_html


def gathered(pages: dict[str, str]) -> Host:
    gathering = Gathering()
    for url, html in pages.items():
        gathering.add(parse_html(url, html))
    return gathering.host()


def test_pages_have_numbers_below_other_targets() -> None:
    host = host_of({0: [("p", [0, 1, 9])], 1: [("p", [0, 8])]})
    assert len(host) == 2
    assert host.segments[0].targets == (1, 2)
    assert host.targets[2].endswith("/9")


def test_a_link_to_the_page_itself_is_kept_apart_with_its_place() -> None:
    host = host_of({0: [("p", [2, 0, 1])]})
    assert host.segments[0].own == (1, "to 0")
    assert 0 not in host.segments[0].targets


def test_other_names_of_a_page_are_the_page() -> None:
    lists = ("ul#m", ["https://host.localhost/a/index.html", "/a", "/A/", "/b"])
    host = gathered({BASE + "x": page_html(lists), BASE + "a/": page_html(lists)})
    assert host.segments[0].targets == (1, 2)
    assert host.targets[2] == BASE + "b"


def test_case_does_not_matter_unless_two_pages_differ_by_it() -> None:
    lists = ("ul#m", ["/A", "/b"])
    alone = gathered({BASE + "x": page_html(lists), BASE + "a": page_html(lists)})
    assert alone.segments[0].targets[0] == 1
    both = {BASE + name: page_html(lists) for name in ("x", "a", "A")}
    assert gathered(both).segments[0].targets[0] == 2


def test_a_page_that_comes_twice_is_one_with_two_names() -> None:
    host = gathered({BASE + "a": page_html(("p#x", ["/b"])), BASE + "a/": page_html()})
    assert len(host) == 1
    assert host.aliases == {0: [BASE + "a/"]}


def test_mutual_links_are_those_of_both() -> None:
    host = host_of({0: [("p", [1, 2])], 1: [("p", [0]), ("q", [2])], 2: [("p", [1])]})
    assert [each.tolist() for each in host.mutual()] == [[1], [0, 2], [1]]


def test_a_host_without_pages_or_links_is_fine() -> None:
    assert gathered({}).mutual() == []
    assert [each.tolist() for each in gathered({BASE: ""}).mutual()] == [[]]


def test_what_is_shown_has_the_page_itself_in_its_place() -> None:
    host = host_of({0: [("p", [2, 0, 1])], 1: [("p", [1, 0, 2])]})
    shown = [[target for _, target in segment.shown()] for segment in host.segments]
    assert shown == [[2, 0, 1], [1, 0, 2]]
    assert all(pairs == sorted(pairs) for each in host.segments if (pairs := each.shown()))


def test_incoming_are_the_pages_that_link_to_a_page() -> None:
    host = host_of({0: [("p", [1, 2])], 1: [("p", [2, 7])], 2: [("p", [0, 2])]})
    assert [each.tolist() for each in host.incoming()] == [[2], [0], [0, 1]]
    assert [each.tolist() for each in host.mutual()] == [[2], [], [0]]
