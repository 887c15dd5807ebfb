"""What a page holds, as one short text: two pages with the same are the same for a skip block.

The words that a page shows count, and the addresses that its links lead to; not its looks.
"""

from __future__ import annotations

import hashlib
import unicodedata
from typing import TYPE_CHECKING

from webgeist.capture.model import Capture
from webgeist.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

Content = Capture | str | bytes


def fingerprint(content: Content) -> str:
    """The fingerprint of a capture, of the page at a URL (which is loaded), or of a text."""
    if isinstance(content, Capture):
        return _hash(_shown(content))
    if isinstance(content, bytes):
        return hashlib.sha256(content).hexdigest()[:32]
    if not isinstance(content, str):
        raise UsageError(
            f"{type(content).__name__} is nothing that could change",
            remedy="a capture, a URL, or a text",
        )
    if content.startswith(("http://", "https://")) and not any(map(str.isspace, content)):
        return _hash(_loaded(content))
    return _hash(iter([content]))


def _hash(texts: Iterator[str]) -> str:
    digest = hashlib.sha256()
    for text in texts:
        folded = " ".join(unicodedata.normalize("NFC", text).split())
        digest.update(folded.encode(errors="surrogatepass") + b"\0")
    return digest.hexdigest()[:32]


def _shown(capture: Capture) -> Iterator[str]:
    page = capture.page
    if page is None or not capture.ok:
        raise UsageError(
            f"{capture.info.url} cannot be compared: {capture.info.outcome}: {capture.info.reason}",
            remedy="run again when the page can be loaded",
        )
    yield page.text(0)
    yield from (page.attributes(link).get("href", "") for link in page.find("a"))


def _loaded(url: str) -> Iterator[str]:
    from webgeist import blocking
    from webgeist.capture.take import capture

    found = blocking.run(capture(url))
    try:
        yield from _shown(found)
    finally:
        found.close()
