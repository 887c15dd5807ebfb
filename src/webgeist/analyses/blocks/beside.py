"""What stands before or after page numbers and leads to a page of their series.

It is what its address says, whatever its words or its picture: not every language is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgeist.analyses.blocks.link import Link


def beside_pages(links: Sequence[Link]) -> dict[int, Link]:
    """By node: the next and previous links that are found so."""
    found: dict[int, Link] = {}
    for start, page in enumerate(links):
        if page.label != "page" or page.number is None or not page.in_series:
            continue
        for direction, label in ((-1, "previous"), (1, "next")):
            at = start + direction
            while 0 <= at < len(links) and _is_beside(links[at], page):
                if _may_be_one(links[at]) and links[at].step == direction:
                    found[links[at].node] = links[at].now(label, "it stands beside its pages")
                at += direction
    return found


def _is_beside(link: Link, page: Link) -> bool:
    return link.frame == page.frame and link.number is None


def _may_be_one(link: Link) -> bool:
    return link.label == "none" and not link.current and not link.reasons
