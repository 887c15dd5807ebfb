"""The page of a capture becomes a tree of links: the same form that saved HTML has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.analyses.menus.tree import Link, LinkTree, Step

if TYPE_CHECKING:
    from webgeist.capture.model import Capture
    from webgeist.page.model import Page


def capture_tree(url: str, capture: Capture) -> LinkTree:
    """The links of a capture with the elements above them, those in frames included."""
    tree = LinkTree(url)
    page = capture.page
    if page is None:
        return tree
    known: dict[int, int] = {}
    columns = (capture.links.column(name).to_pylist() for name in ("node", "url", "text"))
    parents = page.parent.tolist()
    for node, target, text in zip(*columns, strict=True):
        parent = _place(tree, page, parents, parents[node], known)
        web = target if target and target.startswith("http") else None
        tree.add_link(parent, _step(page, node), Link(web, text))
    return tree


def _place(tree: LinkTree, page: Page, parents: list[int], node: int, known: dict[int, int]) -> int:
    above = []
    while node >= 0 and node not in known:
        if not page.names[node].startswith("#"):  # a document or shadow root is no element
            above.append(node)
        node = parents[node]
    number = known[node] if node >= 0 else -1
    for each in reversed(above):
        number = known[each] = tree.add(number, _step(page, each))
    return number


def _step(page: Page, node: int) -> Step:
    attributes = page.attributes(node)
    classes = " ".join(attributes.get("class", "").split())
    return Step(page.names[node], attributes.get("id", "").strip(), classes)
