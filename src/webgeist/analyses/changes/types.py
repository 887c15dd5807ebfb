"""What kind of block a passage stands in, on two levels, by rules that can be read. Pure.

Level 1 is after VICD, definition 1: header, footer, content or sidebar. Level 2 has its eleven
types, and two of ours for what fits none: a notice (consent banners, announcements) and plain text.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webgeist.analyses.changes.portrait import Passage, Portrait


class Place(StrEnum):
    """Level 1."""

    HEADER = "header"
    FOOTER = "footer"
    CONTENT = "content"
    SIDEBAR = "sidebar"


class Type(StrEnum):
    """Level 2."""

    LOGO = "logo"
    MENU = "menu"
    TITLE = "title"
    LINK_LIST = "link list"
    TABLE = "table"
    COMMENTS = "comments"
    AD = "ad"
    IMAGE = "image"
    VIDEO = "video"
    ARTICLE = "article"
    SEARCH_BAR = "search bar"
    NOTICE = "notice"
    TEXT = "text"


_INSIDE = 2  # of the three nested regions of content
_LINKED = 0.6  # share of letters in links
_SENTENCE = 8  # words
_LARGE = 1.6  # times the size of most letters
_NARROW = 0.35  # of the page's width


def place_of(passage: Passage, page: Portrait) -> Place:
    """Where it belongs: what holds the prose is content; the rest by marks, else by place."""
    if passage.marked("consent") and passage.within < _INSIDE:
        return _around(passage, page)
    if passage.within >= _INSIDE and not _leads_away(passage):
        return Place.CONTENT
    for mark, place in (("footer", Place.FOOTER), ("sidebar", Place.SIDEBAR)):
        if passage.marked(mark) and not passage.marked("header"):
            return place
    if passage.marked("header") or passage.marked("menu"):
        return _around(passage, page)
    return Place.CONTENT if passage.within >= _INSIDE else _around(passage, page)


def _leads_away(passage: Passage) -> bool:
    """A menu or a footer that was put inside the content."""
    return passage.linked >= _LINKED and (passage.marked("menu") or passage.marked("footer"))


def _around(passage: Passage, page: Portrait) -> Place:
    """Above, below or beside the content; by their order where one of them cannot be seen."""
    left, top, right, bottom = page.content
    x, y, x_end, y_end = passage.box
    if not passage.seen or bottom <= top:
        return Place.HEADER if passage.early else Place.FOOTER
    if y_end <= top:
        return Place.HEADER
    if y >= bottom:
        return Place.FOOTER
    narrow = x_end - x <= _NARROW * max(page.width, 1.0)
    if narrow and (x_end <= left + 1 or x >= right - 1):
        return Place.SIDEBAR
    return Place.HEADER if y + y_end < top + bottom and y < top else Place.SIDEBAR


def type_of(passage: Passage, page: Portrait, place: Place) -> Type:
    """What it is made of, the most telling sign first."""
    if passage.picture:
        return _picture(passage, place)
    content, links = place is Place.CONTENT, passage.linked >= _LINKED
    notice = passage.marked("notice") or passage.marked("overlay")
    signs = (
        (Type.NOTICE, passage.marked("consent") and not content),
        (Type.SEARCH_BAR, passage.marked("search")),
        (Type.COMMENTS, passage.marked("comments")),
        (Type.AD, page.sets_apart("ad", passage)),
        (Type.LOGO, passage.marked("logo") and not content),
        (Type.TITLE, content and _is_title(passage, page)),
        (Type.MENU, passage.marked("menu") and links),
        (Type.TABLE, passage.marked("table")),
        (Type.LINK_LIST, links),
        (Type.ARTICLE, content or (passage.words >= _SENTENCE and passage.within > 0)),
        (Type.NOTICE, notice),
    )
    return next((type_ for type_, holds in signs if holds), Type.TEXT)


def _picture(passage: Passage, place: Place) -> Type:
    if passage.marked("ad"):
        return Type.AD
    if passage.marked("logo") and place is not Place.CONTENT:
        return Type.LOGO
    return Type.VIDEO if passage.tag in ("video", "iframe") else Type.IMAGE


def _is_title(passage: Passage, page: Portrait) -> bool:
    large = passage.size >= _LARGE * page.size and passage.words <= 2 * _SENTENCE
    return passage.tag == "h1" or (large and passage.marked("heading"))
