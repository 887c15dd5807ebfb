"""A clickable element as the check of the sequence sees it, and the labels that it may have."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

NONE = "none"
SEQUENCE = ("next", "previous", "page", "first", "last")


@dataclass(frozen=True)
class Link:
    """What is known of it when the sequence is checked."""

    node: int
    text: str
    target: str | None
    label: str
    score: float
    notes: frozenset[str]
    number: float | None = None
    run: int | None = None
    place: int = 0
    frame: str | None = None
    word: str = ""
    page: float | None = None
    step: float | None = None
    near: bool = False
    agrees: bool = False
    page_word: bool = False
    numbered: bool = False  # numbers in texts agree with the addresses of its series
    path: str = ""  # how its path lies to this page's: same, near or other
    scripted: bool = False  # a script with a number in it stands for an address
    current: bool = False  # the page itself, or what cannot be clicked now
    scale: float = 1
    signs: tuple[tuple[str, float], ...] = ()  # what arrows and rel say, and how much
    reasons: tuple[str, ...] = field(default=())

    def now(self, label: str, reason: str) -> Link:
        if label == self.label:
            return self
        return replace(self, label=label, reasons=(*self.reasons, reason))

    @property
    def in_series(self) -> bool:
        return self.near and (self.numbered or self.agrees or self.page_word)
