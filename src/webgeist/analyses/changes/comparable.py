"""Whether two captures can be compared at all, and if not, why. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webgeist.capture.outcome import Outcome

if TYPE_CHECKING:
    from webgeist.analyses.changes.portrait import Portrait
    from webgeist.capture.info import CaptureInfo

_FINE = frozenset({Outcome.OK, Outcome.TRUNCATED})
_FEW = 150  # words: an error page has no more
_MANY = 3  # times as many words has the page that it stands for
_ERROR = re.compile(
    r"\b(?:404|403|410|500|502|503)\b|not (?:be )?found|can[^a-z]?t find|access denied|forbidden"
    r"|captcha|are you a (?:human|robot)|something went wrong|service unavailable|bad gateway"
    r"|temporarily unavailable|page (?:doesn[^a-z]?t|does not) exist|no longer available"
    r"|nicht gefunden|introuvable|no encontrada|robot|unusual traffic",
    re.IGNORECASE,
)


def obstacle(one: CaptureInfo, other: CaptureInfo) -> str | None:
    """What keeps two captures from being compared, by how they were taken."""
    for which, info in (("first", one), ("second", other)):
        if info.outcome not in _FINE:
            why = f": {info.reason}" if info.reason else ""
            return f"the {which} capture is no page but {info.outcome}{why}"
    if one.viewport.width != other.viewport.width:
        return (
            f"the captures have different viewports: "
            f"{one.viewport.width} and {other.viewport.width} pixels wide"
        )
    return None


def stand_in(one: Portrait, other: Portrait) -> str | None:
    """Whether one of them shows nothing, or an error page or bot wall in place of the page."""
    for which, page in (("first", one), ("second", other)):
        if not page.passages:
            return f"the {which} capture shows nothing"
    sizes = [_words(page) for page in (one, other)]
    for which, page, mine, theirs in (
        ("first", one, sizes[0], sizes[1]),
        ("second", other, sizes[1], sizes[0]),
    ):
        if mine <= _FEW and theirs >= _MANY * mine and (said := _error(page)):
            return f"the {which} capture is an error page or a bot wall: {said!r}"
    return None


def _words(page: Portrait) -> int:
    return sum(passage.words for passage in page.passages)


def _error(page: Portrait) -> str | None:
    """The words that say so, in the title or where the content should be."""
    told = [page.title, *(p.text for p in page.passages if p.within or p.tag in ("h1", "h2"))]
    for text in told:
        if match := _ERROR.search(text):
            return match[0]
    return None
