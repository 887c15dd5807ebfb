"""What class names, ids, rel and the names of picture files say, word by word."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from webgeist.analyses.blocks.annotators.words import shipped

if TYPE_CHECKING:
    from collections.abc import Mapping

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PARTS = re.compile(r"[^A-Za-z]+")
_PAGE_OF_A_SITE = re.compile(r"\bpage[-_]item[-_]\d")  # in a menu, as WordPress names it
_LONGEST = 300  # characters of a class attribute that are looked at


@lru_cache(maxsize=50_000)
def name_kinds(text: str) -> frozenset[str]:
    """The kinds of words in class names: `c-pager__nextLink` says PAGER and NEXT."""
    known = _words()
    found: set[str] = set()
    for name in text[:_LONGEST].split():
        parts = [part.lower() for part in _PARTS.split(_HUMP.sub("-", name)) if part]
        for start, part in enumerate(parts):
            found |= known.get(part, frozenset())
            for stop in (start + 2, start + 3):
                if stop <= len(parts):
                    found |= known.get("".join(parts[start:stop]), frozenset())
    return frozenset(found - {"PAGER"} if _PAGE_OF_A_SITE.search(text) else found)


@lru_cache(maxsize=1)
def _words() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for kind, text, _ in shipped("class_names"):
        for line in text.splitlines():
            for word in line.partition("%")[0].split():
                found.setdefault(word, set()).add(kind)
    return {word: frozenset(kinds) for word, kinds in found.items()}
