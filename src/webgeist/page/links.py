"""The links of a page: where from, as written, where to, with which words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import ada_url
import pyarrow as pa

from webgeist.page.schema import LINKS

if TYPE_CHECKING:
    from webgeist.page.model import Page


def resolve(base: str, href: str) -> str | None:
    """The absolute URL that `href` means on a page with `base`, by the URL standard; None where it
    means none.
    """
    try:
        url: str = ada_url.join_url(base, href)
    except ValueError:  # no browser could follow it either
        return None
    return url


def links(page: Page) -> pa.Table:
    """Every `a` and `area` with an href, in document order."""
    rows = []
    for node, name in enumerate(page.names):
        if name not in {"a", "area"}:
            continue
        attributes = page.attributes(node)
        href = attributes.get("href", attributes.get("xlink:href"))
        if href is None:
            continue
        base = page.documents[int(page.document[node])].base_url
        rows.append(
            {
                "node": node,
                "href": href,
                "url": resolve(base, href),
                "text": page.text(node) or _picture_text(page, node),
                "rel": attributes.get("rel"),
            }
        )
    return pa.Table.from_pylist(rows, schema=LINKS)


def _picture_text(page: Page, node: int) -> str:
    """What stands for a link's words when it holds only pictures."""
    alternatives = [
        page.attributes(below).get("alt", "")
        for below in range(node + 1, int(page.end[node]))
        if page.names[below] == "img"
    ]
    return " ".join(" ".join(alternatives).split())
