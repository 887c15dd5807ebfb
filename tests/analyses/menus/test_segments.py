from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from webgeist.analyses.menus.parse import parse_html
from webgeist.analyses.menus.segments import segments
from webgeist.analyses.menus.tree import Link, LinkTree, Step


def found(body: str) -> list[tuple[str, list[str]]]:
    """The last step and the texts of each segment."""
    tree = parse_html("http://a.localhost/", f"<html><body>{body}</body></html>")
    return [(str(each.path[-1]), [link.text for link in each.links]) for each in segments(tree)]


def test_a_list_of_links_is_a_segment_whatever_lies_between() -> None:
    html = "<ul id=m><li><b>x</b><a href=a>A</a></li><li><span><a href=b>B</a></span></li></ul>"
    assert found(html) == [("ul#m", ["A", "B"])]


def test_an_item_with_a_submenu_stays_an_item_of_the_menu() -> None:
    sub = "<ul id=s><li><a href=x>X</a></li><li><a href=y>Y</a></li></ul>"
    html = f"<ul id=m><li><a href=a>A</a></li><li><a href=b>B</a>{sub}</li></ul>"
    assert found(html) == [("ul#m", ["A", "B"]), ("ul#s", ["X", "Y"])]


def heads(body: str) -> list[str | None]:
    tree = parse_html("http://a.localhost/", f"<html><body>{body}</body></html>")
    return [each.head.text if each.head else None for each in segments(tree)]


def test_a_submenu_knows_the_item_that_it_hangs_below() -> None:
    sub = "<ul><li><a href=x>X</a></li><li><a href=y>Y</a></li></ul>"
    listed = f"<ul><li><a href=a>A</a></li><li><span><a href=b>B</a></span>{sub}</li></ul>"
    assert heads(listed) == [None, "B"]
    assert heads(f"<div><a href=a>A</a> | <a href=b>B</a>{sub} | <a href=c>C</a></div>") == [
        None,
        "B",
    ]
    worded = f"<ul><li><a href=a>A</a></li><li><a href=b>B</a></li><li>words{sub}</li></ul>"
    assert heads(worded) == [None, None]


def test_links_have_their_places_in_the_page() -> None:
    sub = "<ul><li><a href=x>X</a></li><li><a href=y>Y</a></li></ul>"
    html = f"<ul><li><a href=a>A</a></li><li><a href=b>B</a>{sub}</li><li><a href=c>C</a></li></ul>"
    tree = parse_html("http://a.localhost/", html)
    placed = [pair for each in segments(tree) for pair in zip(each.order, each.links, strict=True)]
    assert [link.text for _, link in sorted(placed, key=lambda pair: pair[0])] == list("ABXYC")


def test_an_item_behind_a_submenu_is_not_moved_up() -> None:
    sub = "<ul id=s><li><a href=x>X</a></li><li><a href=y>Y</a></li></ul>"
    html = f"<div id=m><a href=a>A</a><div id=i>{sub}<a href=b>B</a></div></div>"
    assert ("div#i", ["B"]) in found(html)


def test_a_pair_goes_up_until_something_else_is_there() -> None:
    sub = "<p id=s><a href=x>X</a> <a href=y>Y</a></p>"
    html = f"<div id=o><div><div><a href=a>A</a>{sub}</div></div><a href=b>B</a></div>"
    assert found(html) == [("div#o", ["A", "B"]), ("p#s", ["X", "Y"])]


def test_what_is_inside_a_link_does_not_matter() -> None:
    assert found("<p><a href=a><ul><li>A</li></ul></a><a href=b>B</a></p>")[0][1] == ["A", "B"]


def test_a_single_link_and_a_page_without_any_have_no_segment() -> None:
    assert found("<p><a href=a>A</a></p>") == []
    assert found("<p>nothing</p>") == []


# --- the rules, once more, as they are written -------------------------------------------------


@st.composite
def trees(draw: st.DrawFn) -> LinkTree:
    tree = LinkTree("http://a.localhost/")
    tree.add(-1, Step("r"))
    for _ in range(draw(st.integers(0, 14))):
        parents = [n for n in range(len(tree.parents)) if n not in tree.links]
        parent = draw(st.sampled_from(parents))
        if draw(st.booleans()):
            tree.add_link(parent, Step("a"), Link(None, str(len(tree.parents))))
        else:
            tree.add(parent, Step(f"n{len(tree.parents)}"))
    return tree


def by_the_rules(tree: LinkTree) -> set[tuple[str, tuple[str, ...]]]:
    """Recursively, with a tree of tuples; the order of siblings is that of their numbers."""
    below: dict[int, list[int]] = {n: [] for n in range(len(tree.parents))}
    for node, parent in enumerate(tree.parents):
        if parent >= 0:
            below[parent].append(node)
    kept: set[tuple[str, tuple[str, ...]]] = set()

    def reduce(node: int) -> list[int]:
        if node in tree.links:
            return [node]
        children = [one for each in below[node] for one in reduce(each)]
        if len(children) <= 1:
            return children
        first, second = children[0] in tree.links, children[1] in tree.links
        if len(children) == 2 and first and not second:
            return children
        texts = tuple(tree.links[one].text for one in children if one in tree.links)
        if texts:
            kept.add((tree.steps[node].name, texts))
        return [node]

    reduce(0)
    return kept


@given(trees())
def test_segments_are_what_the_rules_say(tree: LinkTree) -> None:
    made = {(s.path[-1].name, tuple(link.text for link in s.links)) for s in segments(tree)}
    assert made == by_the_rules(tree)
