"""What stands in a chapter: topics with paragraphs and, in turn, a listing, a table, terms or a note.

The chapter's address is the seed, so a chapter always reads the same.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from webgeist.samples.manual.outline import slug
from webgeist.samples.prose import Prose

if TYPE_CHECKING:
    from webgeist.samples.manual.outline import Chapter

TOKENS = re.compile(
    r"(?P<c>(?:^|(?<=\s))(?:#|--).*$)|(?P<s>\"[^\"\n]*\"|'[^'\n]*')|(?P<n>\b\d+\b)"
    r"|(?P<k>\b(?:from|import|def|return|assert|select|where|group|by|as|count|python|meridian)\b)",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Listing:
    language: str
    caption: str
    code: str

    @property
    def html(self) -> Markup:
        """The code with its comments, strings, numbers and keywords marked for colour."""
        parts, end = [], 0
        for token in TOKENS.finditer(self.code):
            parts += [escape(self.code[end : token.start()])]
            parts += [Markup('<span class="{}">{}</span>').format(token.lastgroup, token[0])]
            end = token.end()
        return Markup("").join([*parts, escape(self.code[end:])])


@dataclass(frozen=True)
class Topic:
    """A heading and what follows. Of the extras a topic has at most one."""

    heading: str
    paragraphs: list[str]
    listing: Listing | None = None
    table: list[list[str]] = field(default_factory=list)
    definitions: list[list[str]] = field(default_factory=list)
    note: str = ""
    steps: list[str] = field(default_factory=list)

    @property
    def anchor(self) -> str:
        return slug(self.heading)


@cache
def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__ or "") / name).read_text(encoding="utf-8"))


def _remark(prose: Prose, kind: str = "sentences") -> str:
    remarks = _read("remarks.toml")
    term = prose.pick(remarks["terms"])
    other = prose.pick([word for word in remarks["terms"] if word != term])
    return str(prose.pick(remarks[kind])).format(term=term, other=other, number=prose.number(3, 60))


def _paragraph(prose: Prose) -> str:
    return " ".join(_remark(prose) for _ in range(prose.number(2, 4)))


def _extra(prose: Prose, manual: str, turn: int) -> dict[str, Any]:
    """The extras take turns, so that a chapter of four topics has four different ones."""
    remarks = _read("remarks.toml")
    match turn % 5:
        case 0:
            return {"listing": Listing(**prose.pick(_read("listings.toml")[manual]))}
        case 1:
            start = prose.number(0, 4)
            return {"table": remarks["settings"][start : start + 5]}
        case 2:
            start = prose.number(0, 2)
            return {"definitions": remarks["definitions"][start : start + 4]}
        case 3:
            return {"note": _remark(prose, "notes")}
        case _:
            return {"steps": [_remark(prose) for _ in range(4)]}


def write(chapter: Chapter) -> list[Topic]:
    """The topics of a chapter, always the same for the same chapter."""
    prose = Prose(chapter.path)
    manual, first = chapter.path.split("/")[1], prose.number(0, 4)
    return [
        Topic(
            heading,
            [_paragraph(prose) for _ in range(prose.number(1, 3))],
            **_extra(prose, manual, first + turn),
        )
        for turn, heading in enumerate(chapter.topics)
    ]
