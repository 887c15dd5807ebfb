"""The page of a capture becomes a tree of links: the same form that saved HTML has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from webgeist.analyses.menus.tree import Link, LinkTree, Step
from webgeist.page.hierarchy import hierarchy

if TYPE_CHECKING:
    from webgeist.capture.model import Capture
    from webgeist.page.model import Page

_FEWEST = 3  # things shown in a list
_MOSTLY = 0.8  # of them that are links


def capture_tree(url: str, capture: Capture, *, rendered: bool = False) -> LinkTree:
    """The links of a capture with the elements above them, those in frames included. With
    `rendered`, those are left out that lie in a box which readers see as one list.
    """
    tree = LinkTree(url)
    page = capture.page
    if page is None:
        return tree
    known: dict[int, int] = {}
    nodes, urls, texts = (capture.links.column(n).to_pylist() for n in ("node", "url", "text"))
    parents = _merged(page, nodes) if rendered else page.parent.tolist()
    for node, target, text in zip(nodes, urls, texts, strict=True):
        parent = _place(tree, page, parents, parents[node], known)
        web = target if target and target.startswith("http") else None
        tree.add_link(parent, _step(page, node), Link(web, text))
    return tree


def _merged(page: Page, links: list[int]) -> list[int]:
    """The element above each node. In a box that is painted and shows hardly more than links, as
    bars and side columns do, that is the box itself.
    """
    parents: list[int] = page.parent.tolist()
    blocks = hierarchy(page)
    inside = np.zeros(len(page), dtype=bool)
    for link in links:
        inside[link : page.end[link]] = True
    leaf = blocks.end == np.arange(len(blocks)) + 1
    shown = np.concatenate([[0], np.cumsum(leaf)])
    linked = np.concatenate([[0], np.cumsum(leaf & inside[blocks.node])])
    after = 1  # the page as a whole is no list
    for block in range(1, len(blocks)):
        node, end = int(blocks.node[block]), int(blocks.end[block])
        count = shown[end] - shown[block]
        if block < after or count < _FEWEST or inside[node] or not blocks.paints[node]:
            continue
        if linked[end] - linked[block] >= _MOSTLY * count:
            parents[node + 1 : page.end[node]] = [node] * int(page.end[node] - node - 1)
            after = end
    return parents


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
