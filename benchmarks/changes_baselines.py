"""Simpler measures of change, on the same pairs: how far do they get?"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from webgeist.analyses.changes.simhash import distance, simhash
from webgeist.analyses.changes.vector import apart, vector

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from benchmarks.changes_corpus import Sample
    from webgeist.analyses.changes.portrait import Portrait


def _words(page: Portrait, within: int = 0) -> Counter[str]:
    return Counter(w for p in page.passages if p.within >= within for w in p.text.split())


def _share(one: Counter[str], other: Counter[str]) -> float:
    """Of the words of both that are in one only."""
    return ((one - other).total() + (other - one).total()) / max(one.total() + other.total(), 1)


@lru_cache(maxsize=4_000)
def _main_text(file: Path) -> Counter[str]:
    """The words that trafilatura takes for a page's main text."""
    from trafilatura import extract

    text = extract(file.read_text("utf-8", errors="replace"), include_comments=False)
    return Counter((text or "").split())


def _of_main_text(sample: Sample) -> float:
    if not sample.files:
        return float("nan")
    return _share(*(_main_text(file) for file in sample.files))


def _hashes(sample: Sample) -> float:
    one, other = (simhash(_words(page).elements()) for page in (sample.before, sample.after))
    return float(distance(one, other))


def _vectors(sample: Sample) -> float:
    return float(np.log1p(apart(vector(sample.before), vector(sample.after))))


MEASURES: dict[str, Callable[[Sample], float]] = {
    "words of the page": lambda s: _share(_words(s.before), _words(s.after)),
    "words of the largest text subtree": lambda s: _share(_words(s.before, 2), _words(s.after, 2)),
    "SimHash of the page": _hashes,
    "vectors alone": _vectors,
}
WITH_TRAFILATURA: dict[str, Callable[[Sample], float]] = {
    **MEASURES,
    "words of trafilatura's main text": _of_main_text,
}


def measures() -> dict[str, Callable[[Sample], float]]:
    """All, or those that need nothing more where trafilatura, and what it needs, is not there."""
    from importlib.util import find_spec

    there = all(find_spec(name) for name in ("trafilatura", "lxml_html_clean"))
    return WITH_TRAFILATURA if there else MEASURES


def alarms(scores: Any, truth: Any, found: float) -> float:
    """The share of unimportant pairs above what a share `found` of the important ones reaches."""
    threshold = np.quantile(scores[truth], 1 - found)
    return float((scores[~truth] >= threshold).mean())
