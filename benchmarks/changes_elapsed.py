"""Whether a score lives on elapsed time: the longer ago, the more changes around the content.

In the corpus, important pairs lie closer together in time than others. So pairs are made that
differ by nothing but what time does: dates, ages and copyright years, and 1, 5 or 20 passages
around the content; each of them also with three words of the content edited. A judgement that
understands gives the same answer however much changed around.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from webgeist.analyses.changes.compare import judge
from webgeist.analyses.changes.model import default_model

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgeist.analyses.changes.portrait import Passage, Portrait

_AMOUNTS = (0, 1, 5, 20)
_PROSE = 12  # words of a passage that is edited
_YEARS = ("2023", "2024")


def elapsed(pages: Sequence[Portrait]) -> dict[str, Any]:
    """Alarms by how many passages around the content changed; with and without an edit in it."""
    draw, told = random.Random(11), {}
    for amount in _AMOUNTS:
        quiet, loud = [], []
        for page in pages:
            inside = [n for n, p in enumerate(page.passages) if _is_content(p)]
            outside = [n for n, p in enumerate(page.passages) if not p.within and p.words]
            if not inside or len(outside) < amount:
                continue
            later = _aged(page, draw.sample(outside, amount), draw)
            quiet.append(judge(page, later, default_model()).important)
            edited = _replaced(later, draw.choice(inside), draw)
            loud.append(judge(page, edited, default_model()).important)
        told[f"{amount} passages around"] = {
            "pages": len(quiet),
            "false alarms": round(sum(quiet) / max(len(quiet), 1), 4),
            "edits found": round(sum(loud) / max(len(loud), 1), 4),
        }
    return told


def _is_content(passage: Passage) -> bool:
    return passage.within > 1 and passage.words >= _PROSE and passage.linked < 0.5


def _aged(page: Portrait, around: Sequence[int], draw: random.Random) -> Portrait:
    """The page some time later: years have gone on everywhere, and some passages are others."""
    later = replace(page, passages=tuple(_older(p) for p in page.passages))
    for place in around:
        later = _replaced(later, place, draw)
    return later


def _older(passage: Passage) -> Passage:
    text = passage.text.replace("hours ago", "days ago")
    copyright_ = "©" in text or "copyright" in text.lower()
    return replace(passage, text=text.replace(*_YEARS) if copyright_ else text)


def _replaced(page: Portrait, place: int, draw: random.Random) -> Portrait:
    words = page.passages[place].text.split()
    at = draw.randrange(max(1, len(words) - 3))
    words[at : at + 3] = [word[::-1] + "s" for word in words[at : at + 3]]
    passages = list(page.passages)
    passages[place] = replace(passages[place], text=" ".join(words), words=len(words))
    return replace(page, passages=tuple(passages))
