"""What a browser of some size is in need of. A tab that waits for another page still holds nearly
all that its pages needed: Chromium clears up when it is told that memory is short, not before.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

_ROOMY = 0.4  # of what it may have: below this nobody cares
_GROWN = 0.2  # of what it may have: so much more than it needed is worth clearing up
_CROWDED = 0.7


class Need(Enum):
    """What is to be done about a browser."""

    NOTHING = auto()
    CLEARING = auto()  # tabs hold what they no longer need
    ROOM = auto()  # that is all needed: fewer tabs should wait
    SUCCESSOR = auto()  # it is too large to go on


@dataclass
class Growth:
    """Of one browser that may have `most` bytes: told its size now and then, it says what to do.

    It remembers what the browser was down to since it was last cleared up. Only what has come on
    top of that can be had back; to clear up a browser that needs what it has would take time for
    nothing.
    """

    most: int
    _down_to: int | None = 0  # None: just told to clear up

    def need(self, size: int) -> Need:
        needed = size if self._down_to is None else min(size, self._down_to)
        self._down_to = needed
        if size > self.most:
            return Need.SUCCESSOR
        if size > self.most * _ROOMY and size - needed > self.most * _GROWN:
            self._down_to = None
            return Need.CLEARING
        return Need.ROOM if size > self.most * _CROWDED else Need.NOTHING
