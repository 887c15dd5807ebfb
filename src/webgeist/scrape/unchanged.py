"""Whether a page is what it was when a block was done.

Of captures in a repository both are known: the change between them must not be important. Of
others only a fingerprint was kept, and that must be the same.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from webgeist.analyses.changes.compare import compare
from webgeist.analyses.changes.teachings import taught_about
from webgeist.capture.model import Capture
from webgeist.errors import NotFoundError
from webgeist.repository.repository import open_repository
from webgeist.repository.stored import StoredParts
from webgeist.scrape.fingerprint import fingerprint
from webgeist.scrape.freshness import Freshness, same_mark

if TYPE_CHECKING:
    from webgeist.repository.repository import Repository
    from webgeist.scrape.fingerprint import Content


def unchanged(content: Content, repository: Repository | None = None) -> Freshness:
    """Fresh is what was done when the page had the same content. With a `repository`, a URL is its
    last capture there; else it is loaded.
    """
    if repository is not None and isinstance(content, str):
        content = repository.latest(content)
    mark = fingerprint(content)
    if isinstance(content, Capture) and isinstance(content.parts, StoredParts):
        mark = f"{mark} {content.parts.id_}"
        return Freshness(content=mark, alike=partial(_alike, content, content.parts, mark))
    return Freshness(content=mark)


def _alike(capture: Capture, parts: StoredParts, mark: str, earlier: str) -> bool:
    """Whether nothing important changed since the capture whose mark was written down."""
    if same_mark(mark, earlier):
        return True
    _, _, id_ = earlier.partition(" ")
    with open_repository(parts.layout.root, readonly=True) as repository:
        try:
            before = repository.capture(id_)
        except NotFoundError:  # of a text, or of another repository: nobody knows
            return False
        change = compare(before, capture, taught=taught_about(capture))
    return change.comparable and not change.important
