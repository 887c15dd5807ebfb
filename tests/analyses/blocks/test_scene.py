"""From facts to links: where each leads, how its address lies to the page's, which is current."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.analyses.blocks.conftest import Node, make_page

from webgeist.analyses.blocks.facts import Facts
from webgeist.analyses.blocks.scene import scene

if TYPE_CHECKING:
    from webgeist.analyses.blocks.link import Link

HOST = "https://example.org"


def links(*given: dict[str, str], here: str = f"{HOST}/list", silent: bool = True) -> list[Link]:
    """A link for each set of attributes, with its text under `text`."""
    nodes: list[Node] = [("html", -1, None, {}), ("body", 0, None, {})]
    for each in given:
        own = {name: value for name, value in each.items() if name != "text"}
        nodes += [("a", 1, None, own), ("#text", len(nodes), each.get("text", "Next"), {})]
    boxes = [(9.0 * k, 20.0, 8.0, 8.0) for k in range(len(nodes))]
    return scene(Facts(make_page(nodes, boxes), here, (1280, 800)), {}, silent=silent)


@pytest.mark.parametrize(
    ("here", "target", "path"),
    [
        ("/list", "/list?after=x", "same"),
        ("/list/", "/list?after=x", "same"),
        ("/list", "/list/page/2", "near"),
        ("/list", "/list-2.html", "near"),
        ("/list?page=2", "/list", "near"),
        ("/", "/page/2", "near"),
        ("/ch04.html", "/ch05.html", "near"),
        ("/java/List.html", "/java/ListIterator.html", "other"),
        ("/h5/File.html", "/h5/File.close.html", "other"),
        ("/guide/setup.html", "/guide/usage.html", "other"),
        ("/2019/05/a-walk/", "/2019/06/a-bicycle/", "other"),
        ("/list", "https://other.example/list?after=x", "other"),
    ],
)
def test_how_an_address_lies_to_the_pages(here: str, target: str, path: str) -> None:
    (found,) = links({"href": target}, here=HOST + here)
    assert found.path == path


def test_a_hash_with_a_script_has_no_address() -> None:
    (plain,) = links({"href": "#", "onclick": "page(2)", "text": "2"})
    assert plain.target is None
    assert plain.scripted
    assert plain.number == 2


@pytest.mark.parametrize(
    ("attributes", "current"),
    [
        ({"href": "/list?page=2"}, False),
        ({"href": "/list"}, True),
        ({"href": "/list?page=2", "aria-current": "page"}, True),
        ({"href": "/list?page=2", "aria-current": "false"}, False),
        ({"href": "/list?page=2", "class": "disabled"}, True),
        ({"tabindex": "0", "class": "active"}, True),
        ({"tabindex": "0"}, False),
        ({"href": "#", "onclick": "page(2)", "class": "current"}, True),
    ],
)
def test_what_is_the_page_itself(attributes: dict[str, str], current: bool) -> None:
    (found,) = links({**attributes, "text": "2"})
    assert found.current is current


def test_a_double_arrow_beside_a_single_one_is_the_end() -> None:
    (alone,) = links({"href": "?page=2", "text": "»"})
    assert dict(alone.signs)["next"] > dict(alone.signs).get("last", 0)
    single, double = links({"href": "?page=2", "text": ">"}, {"href": "?page=9", "text": ">>"})
    assert dict(single.signs) == {"next": 2.5}
    assert dict(double.signs)["last"] > dict(double.signs)["next"]


def test_rel_says_it_most() -> None:
    (found,) = links({"href": "?page=2", "rel": "nofollow next", "text": "Go"})
    assert ("next", 3.0) in found.signs


def test_without_the_silent_only_what_may_lead_on_is_left() -> None:
    given = (
        {"href": "/about", "text": "About us"},
        {"href": "/list?page=2", "text": "Something"},
        {"href": "/x", "text": "Older posts"},
        {"href": "/y", "text": "Load more"},
    )
    assert [each.text for each in links(*given)] == [each["text"] for each in given]
    kept = [each.text for each in links(*given, silent=False)]
    assert kept == ["Something", "Older posts", "Load more"]
