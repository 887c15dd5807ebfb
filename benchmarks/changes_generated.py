"""Pairs made from article pages: one passage edited, added or removed, in the article or not.

Which passages are the article's is said by the corpus `articles`: each page comes with fragments
of text that belong to its article, and with some that do not. The same pairs each time.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from benchmarks.changes_corpus import Sample
from webgeist.analyses.changes.items import items

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchmarks.changes_corpus import Article
    from webgeist.analyses.changes.portrait import Passage, Portrait

_INSIDE, _OUTSIDE = 3, 4  # pairs of each page at the most
_EDITED, _REMOVED = 0.7, 0.85  # of the pairs; the rest are added passages
_AMOUNTS = (1, 1, 2, 3, 6, 12)  # words of an edit
_LONG = 3  # letters: words that replace others have more
_TOLD, _MENTIONED = 12, 3  # letters: fragments of the article, and of the rest, have more


def generated(articles: Iterable[Article]) -> list[Sample]:
    draw = random.Random(7)
    return [sample for article in articles for sample in _pairs(article, draw)]


def _pairs(article: Article, draw: random.Random) -> Iterator[Sample]:
    page, host = article.page, urlsplit(article.url).netloc
    inside, outside = _passages(article)
    pool = [w for p in page.passages for w in p.text.split() if len(w) > _LONG] or ["word"]
    for places, most, important in ((inside, _INSIDE, True), (outside, _OUTSIDE, False)):
        for place in draw.sample(places, min(len(places), most)):
            before, after = _versions(page, place, pool, draw)
            if items(before, after):
                yield Sample(host, "generated", important, before, after)


def _passages(article: Article) -> tuple[list[int], list[int]]:
    """Passages with a fragment of the article, and with one of the rest; none that have both."""
    told = [_plain(each) for each in article.inside if len(each) > _TOLD]
    rest = [_plain(each) for each in article.outside if len(each) > _MENTIONED]
    inside: list[int] = []
    outside: list[int] = []
    for number, passage in enumerate(article.page.passages):
        text = _plain(passage.text)
        has, has_rest = (any(each in text for each in some) for some in (told, rest))
        if has != has_rest:
            (inside if has else outside).append(number)
    return inside, outside


def _plain(text: str) -> str:
    return " ".join(text.split()).lower()


def _versions(
    page: Portrait, place: int, pool: Sequence[str], draw: random.Random
) -> tuple[Portrait, Portrait]:
    passages, kind = page.passages, draw.random()
    if kind < _EDITED:
        edited = _edited(passages[place], pool, draw)
        return page, replace(page, passages=(*passages[:place], edited, *passages[place + 1 :]))
    without = replace(page, passages=(*passages[:place], *passages[place + 1 :]))
    return (page, without) if kind < _REMOVED else (without, page)


def _edited(passage: Passage, pool: Sequence[str], draw: random.Random) -> Passage:
    """Some words in a row replaced by others of the page, taken out, or put in."""
    words = passage.text.split()
    amount = max(1, min(len(words) // 2, draw.choice(_AMOUNTS)))
    at, kind = draw.randrange(max(1, len(words) - amount + 1)), draw.random()
    new = [draw.choice(pool) for _ in range(draw.choice([amount, max(1, amount // 2), amount + 2]))]
    if kind < 0.3 or len(words) < 2:
        words[at:at] = new
    elif kind < 0.5 and len(words) > amount + 1:
        del words[at : at + amount]
    else:
        words[at : at + amount] = new
    return replace(passage, text=" ".join(words), words=len(words))
