"""What happened to each passage: kind of change, how many words, and whether it is noise. Pure."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from webgeist.analyses.changes.alignment import Pair, align
from webgeist.analyses.changes.noise import plain, steady, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgeist.analyses.changes.portrait import Passage, Portrait

    Place = tuple[int | None, int | None]

# Ids in addresses. Words joined by hyphens are none, however long they are.
_SESSION = re.compile(
    r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=[a-f]*\d)[0-9a-f]{8,}|\d{4,}"
    r"|(?=[A-Za-z_]*\d)[A-Za-z0-9_]{16,}"
)
_UNREAD = re.compile("\N{REPLACEMENT CHARACTER}+")
_GAPS = 4  # runs of letters that could not be decoded; text with more is another text
_HIDDEN_MAIL = re.compile(r"/cdn-cgi/l/email-protection#((?:[0-9a-f]{2}){2,})$")


class Kind(StrEnum):
    """What can happen to a block."""

    ADDED = "added"
    REMOVED = "removed"
    EDITED = "edited"
    MOVED = "moved"
    RESTYLED = "restyled"


@dataclass(frozen=True)
class Item:
    """One passage that changed: of version a, of version b, or of both.

    `gone` and `came` are its words that are only in a or b, noise left out; `noise` are the kinds
    of noise that changed. `typography`: only capitals, quotation marks or punctuation changed.
    `links`: addresses of links changed. `at` is its place among the passages of each version.
    """

    kind: Kind
    before: Passage | None
    after: Passage | None
    at: tuple[int | None, int | None]
    gone: int
    came: int
    noise: frozenset[str]
    typography: bool
    links: bool

    @property
    def shown(self) -> Passage:
        """The passage as it is now, or as it was last."""
        passage = self.after or self.before
        if passage is None:
            raise ValueError("an item has a passage of one version at least")
        return passage


def items(before: Portrait, after: Portrait) -> list[Item]:
    """Every passage that is not the same in both versions."""
    mine, theirs = before.passages, after.passages
    found = []
    for pair in align(mine, theirs):
        item = _item(pair, mine, theirs)
        if item is not None:
            found.append(item)
    return found


def _item(pair: Pair, mine: Sequence[Passage], theirs: Sequence[Passage]) -> Item | None:
    place = pair.before, pair.after
    one = None if pair.before is None else mine[pair.before]
    other = None if pair.after is None else theirs[pair.after]
    if one is None:
        return None if other is None else _lonely(Kind.ADDED, other, place)
    if other is None:
        return _lonely(Kind.REMOVED, one, place)
    if one.text != other.text and not _misread(one.text, other.text):
        return _rewritten(one, other, place)
    links = one.targets != other.targets and _addresses(one) != _addresses(other)
    if not links and not pair.moved and one.style == other.style:
        return None
    kind = Kind.EDITED if links else Kind.MOVED if pair.moved else Kind.RESTYLED
    return Item(kind, one, other, place, 0, 0, frozenset(), typography=False, links=links)


def _lonely(kind: Kind, passage: Passage, place: Place) -> Item:
    text, noise = steady(plain(passage.text))
    words = sum(not word.startswith("#") for word in tokens(text))
    return Item(
        kind,
        passage if kind is Kind.REMOVED else None,
        passage if kind is Kind.ADDED else None,
        place,
        gone=words if kind is Kind.REMOVED else 0,
        came=words if kind is Kind.ADDED else 0,
        noise=frozenset(kind for kind, _ in noise),
        typography=False,
        links=bool(passage.targets),
    )


def _rewritten(one: Passage, other: Passage, place: Place) -> Item:
    (text, noise), (other_text, other_noise) = (steady(plain(p.text)) for p in (one, other))
    words, other_words = Counter(tokens(text)), Counter(tokens(other_text))
    gone, came = (words - other_words).total(), (other_words - words).total()
    if not gone and not came and tokens(text) != tokens(other_text):
        gone = came = 1  # the same words in another order
    kinds = frozenset(kind for kind, _ in (noise - other_noise) + (other_noise - noise))
    typography = not gone and not came and not kinds
    links = one.targets != other.targets and _addresses(one) != _addresses(other)
    return Item(
        Kind.EDITED, one, other, place, gone, came, kinds, typography=typography, links=links
    )


def _misread(one: str, other: str) -> bool:
    """Whether two texts are one, in which some letters could not be decoded."""
    return any(
        0 < len(_UNREAD.findall(mine)) <= _GAPS
        and re.fullmatch(_UNREAD.sub(".{1,4}", re.escape(plain(mine))), plain(theirs))
        for mine, theirs in ((one, other), (other, one))
    )


def _addresses(passage: Passage) -> tuple[str, ...]:
    """Where its links lead, without what only belongs to a session or a campaign."""
    return tuple(_address(target) for target in passage.targets)


def _address(target: str) -> str:
    if hidden := _HIDDEN_MAIL.search(target):
        return _mail(hidden[1])
    try:
        parts = urlsplit(target.strip())
    except ValueError:
        return target
    return unquote(f"{parts.netloc}{_SESSION.sub('#', parts.path).rstrip('/')}")


def _mail(code: str) -> str:
    """The address that Cloudflare hides, in another code each time: its first byte is the key."""
    key, *letters = bytes.fromhex(code)
    return "mailto:" + bytes(each ^ key for each in letters).decode("utf-8", "replace")
