"""A captured page as HTML without anything that runs."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgeist.page.model import Document, Page
from webgeist.page.schema import NODES, style_schema
from webgeist.server.replica import Replica, rewritten, stored

if TYPE_CHECKING:
    from collections.abc import Sequence

BASE = "http://h.test/dir/"
STORED = {"http://h.test/a.png": "1", "http://h.test/dir/b.css": "2", "http://h.test/c.woff": "3"}

Tree = tuple[str, dict[str, str], "Sequence[Tree | str]"]


def make_page(root: Tree) -> Page:
    rows: list[dict[str, Any]] = []

    def add(tree: Tree | str, parent: int | None, depth: int) -> None:
        number = len(rows)
        name, attributes, below = ("#text", {}, ()) if isinstance(tree, str) else tree
        kind = {"#text": 3, "#comment": 8, "#shadow-root": 11}.get(name, 1)
        row: dict[str, Any] = {"node": number, "document": 0, "parent": parent, "depth": depth}
        row |= {"type": kind, "name": name, "text": tree if isinstance(tree, str) else None}
        row |= {"attributes": [pair for pair in attributes.items() if pair[0] != "shadow"]}
        row |= {"shadow": attributes.get("shadow")}
        rows.append(row)
        for each in below:
            add(each, number, depth + 1)
        row["end"] = len(rows)

    add(root, None, 0)
    flags = dict.fromkeys(("stacking_context", "checked", "selected", "clickable"), False)
    table = pa.Table.from_pylist([row | flags for row in rows], schema=NODES)
    document = Document(BASE, BASE, "", "en", "UTF-8", None, 0, 0, 0, 0)
    return Page(table, style_schema(()).empty_table(), style_schema(()).empty_table(), (document,))


def html(*below: Tree | str) -> str:
    text = Replica(make_page(("html", {}, [("body", {}, below)])), STORED.get).html()
    return text.removeprefix("<!DOCTYPE html>\n<html><body>").removesuffix("</body></html>")


def test_elements_texts_and_attributes_stay() -> None:
    found = html(("p", {"class": 'a "b"'}, ["1 < 2 & 3", ("br", {}, ()), ("b", {}, ["x"])]), "end")
    assert found == '<p class="a &quot;b&quot;">1 &lt; 2 &amp; 3<br><b>x</b></p>end'


def test_what_is_stored_is_shown_from_the_archive() -> None:
    assert html(("img", {"src": "/a.png#x"}, ())) == '<img src="1">'
    assert html(("link", {"rel": "stylesheet", "href": "b.css"}, ())) == (
        '<link rel="stylesheet" href="2">'
    )
    assert html(("img", {"src": "data:image/png;base64,AA"}, ())).count("data:image/png")
    assert html(("p", {"style": "background: url(/a.png)"}, ())) == (
        '<p style="background: url(&quot;1&quot;)"></p>'
    )
    assert html(("style", {}, ["@import 'b.css'; a{b:url( '/missing.png' )}"])) == (
        '<style>@import "2"; a{b:url("data:,")}</style>'
    )


@pytest.mark.parametrize(
    "bad",
    [
        ("script", {}, ["alert(1)"]),
        ("noscript", {}, [("img", {"src": "x"}, ())]),
        ("object", {"data": "/a.png"}, ()),
        ("base", {"href": "http://evil.test/"}, ()),
        ("template", {}, ["x"]),
        ("#comment", {}, ()),
        ("a><script>alert(1)</script", {}, ()),
    ],
)
def test_what_could_run_is_left_out(bad: Tree) -> None:
    assert html("before", bad, "after") == "beforeafter"


@pytest.mark.parametrize(
    "attributes",
    [
        {"onclick": "alert(1)"},
        {"ONLOAD": "alert(1)"},
        {"srcdoc": "<script>"},
        {"src": "javascript:alert(1)"},
        {"src": "http://elsewhere.test/a.png"},
        {"srcset": "/a.png 2x"},
        {"action": "/post"},
        {"http-equiv": "refresh", "http-EQUIV": "x"},
        {"x onclick=alert(1) y": "z"},
        {"formaction": "javascript:alert(1)"},
        {"ping": "http://elsewhere.test/"},
        {"poster": "http://[bad"},
    ],
)
def test_attributes_that_run_or_lead_away_are_left_out(attributes: dict[str, str]) -> None:
    assert html(("p", attributes, ())) == "<p></p>"


def test_links_lead_nowhere() -> None:
    assert html(("a", {"href": "javascript:alert(1)"}, ["x"])) == '<a href="#">x</a>'


def test_frames_are_empty() -> None:
    frame: Tree = ("iframe", {"src": "http://h.test/", "width": "9"}, [("p", {}, ["inside"])])
    assert html(frame, "after") == '<iframe width="9"></iframe>after'


def test_shadow_trees_of_the_page_stay() -> None:
    own: Tree = ("#shadow-root", {"shadow": "closed"}, [("b", {}, ["x"])])
    browsers: Tree = ("#shadow-root", {"shadow": "user-agent"}, ["knob"])
    assert html(("div", {}, [own, "y"]), ("details", {}, [browsers, "z"])) == (
        '<div><template shadowrootmode="open"><b>x</b></template>y</div><details>z</details>'
    )


def test_a_style_sheet_cannot_end_its_element() -> None:
    found = html(("style", {}, ["a{} </style><script>alert(1)</script>"]))
    assert found.count("</style>") == 1
    assert found.endswith("</style>")


def test_ten_thousand_levels() -> None:
    rows = 10_000
    flags = dict.fromkeys(("stacking_context", "checked", "selected", "clickable"), False)
    table = pa.Table.from_pylist(
        [
            {"node": n, "document": 0, "parent": n - 1 if n else None, "end": rows, "depth": n}
            | {"type": 1, "name": "div", "attributes": []}
            | flags
            for n in range(rows)
        ],
        schema=NODES,
    )
    document = Document(BASE, BASE, "", "en", "UTF-8", None, 0, 0, 0, 0)
    nothing = style_schema(()).empty_table()
    text = Replica(Page(table, nothing, nothing, (document,)), STORED.get).html()
    assert text.count("<div>") == text.count("</div>") == rows


class _Seen(HTMLParser):
    """What a browser would make of it."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs


_TEXTS = st.text(st.sampled_from("<>&\"'=/ -!abons:\n\\")) | st.text(max_size=8)


@given(_TEXTS, _TEXTS, _TEXTS, st.sampled_from(["p", "style", "img", "textarea", "title"]))
def test_no_text_becomes_anything_else(text: str, key: str, value: str, name: str) -> None:
    clean = [each.encode("utf-8", "ignore").decode() for each in (text, key, value)]
    seen = _Seen()
    below = () if name == "img" else (clean[0],)
    seen.feed(html((name, {clean[1]: clean[2]}, below)))
    assert seen.tags == [name]
    assert all(not key.startswith("on") for key, _ in seen.attributes)
    assert all(key != "src" or value in (*STORED.values(), None) for key, value in seen.attributes)


@given(st.text(st.sampled_from("url()'\"@import \\/;:abc<>\n")))
def test_no_address_is_left_in_a_style_sheet(text: str) -> None:
    found = rewritten(text, BASE, lambda _: None)
    for address in re.findall(r"url\(([^)]*)\)", found, re.IGNORECASE):
        assert address.strip("\"' \n") in ("data:,", "#") or address.strip("\"' \n").startswith("#")


def test_addresses_that_make_no_sense() -> None:
    for wrong in ("http://[", "\x00", "javascript:x", "blob:http://h.test/1", "file:///etc/passwd"):
        assert stored(wrong, BASE, STORED.get) is None
    assert stored("#part", BASE, STORED.get) == "#part"
