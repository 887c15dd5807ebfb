"""What an exhibit and a hall of the museum are, and the plain page most exhibits are written on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request
    from starlette.routing import BaseRoute

    Answer = Callable[[Request], Response]

Kind = Literal[
    "answer", "refusal", "redirect", "page", "script", "load", "trap", "robots", "sitemap"
]


@dataclass(frozen=True)
class Exhibit:
    """One nasty thing: where it starts, why it is nasty and what a robust client makes of it.

    `status`, `content_type` and `ends` describe the answer to `path` itself: an exhibit with
    `ends=False` must only be read with a limit.
    """

    path: str
    title: str
    nastiness: str
    expected: str
    kind: Kind
    answer: Answer = field(repr=False)
    status: int = 200  # 0 where no answer ever comes
    content_type: str | None = "text/html; charset=utf-8"
    ends: bool = True
    pattern: str = ""  # the route, where it takes more paths than `path`
    host: str = "museum"

    @property
    def route(self) -> str:
        return self.pattern or self.path.partition("?")[0]


@dataclass(frozen=True)
class Hall:
    """Exhibits of one sort, and the routes of what they load and lead to."""

    title: str
    exhibits: tuple[Exhibit, ...]
    routes: tuple[BaseRoute, ...] = ()


def html(title: str, body: str = "", head: str = "") -> str:
    """A small well-formed page; the caller's text goes in as it is, nasty bits included."""
    return (
        f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{title}</title>{head}</head>\n'
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def page(title: str, body: str = "", head: str = "", status: int = 200) -> Answer:
    """An answer that is always the same page."""
    text = html(title, body, head)
    return lambda _: HTMLResponse(text, status_code=status)


def body(content: bytes, content_type: str | None, status: int = 200, **headers: str) -> Answer:
    """An answer of exactly these bytes and this Content-Type, or none; `x_y` gives header `x-y`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if content_type is not None:
        named["content-type"] = content_type
    return lambda _: Response(content, status, named)


def number(request: Request, name: str, default: int) -> int:
    """A whole number from the query: how big an exhibit shall be."""
    text = request.query_params.get(name, str(default))
    if not text.isdecimal():
        raise HTTPException(400, f"{name} must be a whole number, not {text!r}")
    return int(text)
