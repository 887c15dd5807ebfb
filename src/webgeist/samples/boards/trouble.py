"""Failures on demand: the n-th page from now on is not what was asked for.

POST /control   after=12&how=500      also how=cut, silence, expired; after=0 ends it
POST /control   rate=2                so many new ads with every page of the list
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

HOW = ("500", "cut", "silence", "expired")
_LONG_SECONDS = 3600


@dataclass
class Trouble:
    """What goes wrong, and how often pages were loaded. `left` pages are answered before it does."""

    how: str = ""
    left: int = 0
    rate: int = 0
    pushed: int = 0
    loads: int = 0

    def plan(self, wish: Mapping[str, str]) -> None:
        """Do as a form says. ValueError."""
        if not wish or not wish.keys() <= {"after", "how", "rate"}:
            raise ValueError("send after=N and how=500, cut, silence or expired; or rate=N")
        if wish.get("how", "500") not in HOW:
            raise ValueError(f"there is no failure {wish['how']}: {', '.join(HOW)}")
        after, rate = int(wish.get("after", "0")), int(wish.get("rate", str(self.rate)))
        if after < 0 or rate < 0:
            raise ValueError("numbers are not negative")
        self.left, self.rate = after, rate
        self.how = wish.get("how", "500") if after else ""

    def answer(self) -> Response | None:
        """The failure, if it is its turn: once, as after a router was started anew."""
        self.loads += 1
        if not self.how:
            return None
        self.left -= 1
        if self.left > 0:
            return None
        how, self.how = self.how, ""
        return _failure(how)

    def push(self) -> int:
        """How many ads were pushed to the head by now; each page of the list pushes more."""
        before = self.pushed
        self.pushed += self.rate
        return before


def _failure(how: str) -> Response:
    match how:
        case "500":
            return PlainTextResponse("the database is away", 500)
        case "expired":
            return HTMLResponse("<title>Sign in</title><h1>Your session has expired</h1>", 403)
        case "cut":
            return StreamingResponse(_cut(), headers={"content-length": "9000"})
        case _:
            return StreamingResponse(_silent(), headers={"content-length": "9000"})


async def _cut() -> AsyncIterator[bytes]:
    yield b"<html><title>Half a page</title>"


async def _silent() -> AsyncIterator[bytes]:
    await asyncio.sleep(_LONG_SECONDS)
    yield b""
