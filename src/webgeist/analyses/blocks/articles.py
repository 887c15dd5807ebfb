"""Links from one article to the next: they lead on, but not through the pages of a list.

They have labels of their own, `next-article` and `previous-article`, and are never `immediate`: who
walks through a list does not follow them. They are told by what they say: next with a word for a
single thing ("Next post", "次の記事"), or an arrow or a `rel` beside the title of that thing; or by
where they lead: to a document of another name, as those of manuals do.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webgeist.analyses.blocks.link import Link

NEXT_ARTICLE, PREVIOUS_ARTICLE = "next-article", "previous-article"
ARTICLES = (NEXT_ARTICLE, PREVIOUS_ARTICLE)
_TITLE_WORDS = 3  # that make a title of what stands beside an arrow
_TITLE_SIGNS = 12  # the same in characters, for scripts without spaces
_WORDS = ("NEXT", "PREVIOUS", "OLDER", "NEWER")
_SAYING = frozenset(f"{prefix}{word}" for prefix in ("", "LABEL_") for word in _WORDS)
_NAMES = frozenset(f"{prefix}{word}" for prefix in ("OWN_", "HELD_") for word in _WORDS[:2])
_WHOLE = frozenset(f"{word}_ONLY" for word in (*_WORDS, "FIRST", "LAST", "MORE", "PAGE"))
_CHAPTERS = re.compile(
    r"ch|chap|chapter|sec|section|lesson|lecture|appendix|photo|image|img|slide|episode|entry|post"
    r"|article|story|comic|strip|issue|node|doc"
)
# ch28s09.html, x126.html: as DocBook names parts of a manual
_SECTIONS = re.compile(r"/(?:ch|ap|ar|pt|bk|[a-oq-z])(?:\d+[a-z])?\{\}\.html?\?")
_PAGES = frozenset({"PAGE", "RESULTS", "ALL", "ELLIPSIS", "MORE"})


def article_label(link: Link, *, numbered: bool) -> str | None:
    """The label of a link to a neighbouring article, None for any other. `numbered`: it stands
    among numbers of pages, where only its own words can say so.
    """
    if not link.target or link.number is not None or link.current:
        return None
    if link.in_series and not (_is_a_chapter(link) or _is_counted(link)):
        return None
    if _PAGES & link.notes - ({"RESULTS"} if _is_counted(link) else set()):
        return None
    if {"TIME", "LABEL_TIME"} & link.notes:
        return None
    if "LABEL_PAGE" in link.notes and link.path != "other":
        return None  # elsewhere, a label is the title of what it leads to
    if not (_names_a_thing(link) or (not numbered and _is_a_neighbour(link))):
        return None
    forward = _forward(link)
    if not forward:
        return None
    return NEXT_ARTICLE if forward > 0 else PREVIOUS_ARTICLE


def _names_a_thing(link: Link) -> bool:
    return bool({"ITEM", "LABEL_ITEM"} & link.notes) and _says_where(link)


def _is_counted(link: Link) -> bool:
    """Its number is an article's: `?article=16`, or `?p=2866` whose neighbour is not one less."""
    one = _names_a_thing(link) or _is_a_title(link)
    return one and not (link.page_word and link.step in {1, -1})


def _says_where(link: Link) -> bool:
    """A word for next or previous, but not one amid a title."""
    return any(word in link.notes and f"{word}_AMID" not in link.notes for word in _SAYING)


def _is_a_neighbour(link: Link) -> bool:
    """A title beside an arrow; or what says next and leads to a document of another name, or to the
    chapter of the next number: pages of a list have its name or a query.
    """
    if _is_a_title(link):
        return True
    if not (_says_where(link) or _saying_rel(link)) or link.page_word:
        return False
    return _is_a_chapter(link) or (link.path == "other" and "?" not in (link.target or ""))


def _is_a_chapter(link: Link) -> bool:
    named = _CHAPTERS.fullmatch(link.word) is not None and link.step in {1, -1}
    return named or _SECTIONS.search(link.frame or "") is not None or _leads_backwards(link)


def _leads_backwards(link: Link) -> bool:
    """Next with the number before this one: articles from the newest on."""
    forward = {"NEXT_ONLY", "PREVIOUS_ONLY"} & link.notes
    return (forward == {"NEXT_ONLY"} and link.step == -1) or (
        forward == {"PREVIOUS_ONLY"} and link.step == 1
    )


def _is_a_title(link: Link) -> bool:
    """More words than a pager has, led by an arrow or called next."""
    if _WHOLE & link.notes:
        return False
    long = len(link.text.split()) >= _TITLE_WORDS or len(link.text) >= _TITLE_SIGNS
    return (
        long
        and bool("ARROW_BESIDE" in link.notes or _saying_rel(link))
        and bool(_NAMES & link.notes or _saying_rel(link))
    )


def _saying_rel(link: Link) -> bool:
    return any(weight == 3.0 and label in {"next", "previous"} for label, weight in link.signs)


def _forward(link: Link) -> float:
    """Above 0 where it leads on, below where it leads back."""
    total = sum({"next": weight, "previous": -weight}.get(label, 0) for label, weight in link.signs)
    for prefix, weight in (("", 3.0), ("LABEL_", 2.0), ("OWN_", 2.0), ("HELD_", 0.5)):
        total += weight * (f"{prefix}NEXT" in link.notes)
        total -= weight * (f"{prefix}PREVIOUS" in link.notes)
    return total
