"""Hall: traps for crawlers, which give out new addresses without end. They need no memory to do so."""

from __future__ import annotations

from hashlib import blake2s
from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse, Response

from webgeist.samples.museum.exhibit import Exhibit, Hall, html

if TYPE_CHECKING:
    from starlette.requests import Request

_BOUNDED = "a crawler stops at its limits for the host and for depth, and reports which"


def _links(*targets: tuple[str, str]) -> str:
    items = "".join(f'<li><a href="{address}">{text}</a></li>' for address, text in targets)
    return f"<ul>{items}</ul>"


def calendar(request: Request) -> Response:
    """A month without events that links to the months before and after; years have no end."""
    month = 12 * request.path_params["year"] + request.path_params["month"] - 1
    targets = [
        (f"/calendar/{n // 12}/{n % 12 + 1:02}/", f"{n // 12}-{n % 12 + 1:02}")
        for n in (month - 1, month + 1)
        if n >= 0
    ]
    title = f"Calendar {month // 12}-{month % 12 + 1:02}"
    return HTMLResponse(html(title, f"<h1>{title}</h1><p>No events.</p>{_links(*targets)}"))


def session(request: Request) -> Response:
    """The same three pages for ever, under addresses that never repeat."""
    sid = request.query_params.get("sid", "")
    fresh = [blake2s(f"{sid}/{n}".encode(), digest_size=8).hexdigest() for n in range(3)]
    targets = [(f"/session/page{n}?sid={new}", f"Page {n}") for n, new in enumerate(fresh)]
    return HTMLResponse(html("Sessions", f"<h1>Three pages</h1>{_links(*targets)}"))


def depth(request: Request) -> Response:
    """A folder with a folder: the relative link makes the path one longer each time."""
    level = request.path_params["path"].count("/")
    return HTMLResponse(
        html(
            f"Level {level}",
            f"<h1>Level {level}</h1>{_links(('down/', 'Down'), ('aside/', 'Aside'))}",
        )
    )


def facets(request: Request) -> Response:
    """Every filter can be added in any order and any number: the addresses multiply."""
    chosen = request.url.query
    choices = (
        "colour=red",
        "colour=blue",
        "size=s",
        "size=l",
        "sort=price",
        "sort=name",
        "view=list",
    )
    targets = [
        (f"/facets?{chosen}{'&amp;' if chosen else ''}{choice}", choice) for choice in choices
    ]
    return HTMLResponse(html("Facets", f"<h1>Lathes</h1><p>Three lathes.</p>{_links(*targets)}"))


def soft_404(request: Request) -> Response:
    """Any address gives 200 and the words "not found", with links to more that are not there."""
    missing = request.path_params["path"]
    digest = blake2s(missing.encode(), digest_size=4).hexdigest()
    targets = [(f"/soft-404/{digest}-{n}", f"Suggestion {n}") for n in range(5)]
    return HTMLResponse(html("Page not found", f"<h1>Sorry, page not found</h1>{_links(*targets)}"))


def mirror(request: Request) -> Response:
    """One page under addresses that differ only in what does not matter."""
    name = request.path_params["path"]
    targets = [
        (f"/mirror/{variant}", variant or "/")
        for variant in (
            name.upper(),
            f"{name}//",
            f"./{name}",
            f"{name}?",
            f"{name}?utm_source=mirror",
            f"{name}#top",
            f"x/../{name}",
        )
    ]
    return HTMLResponse(html("Mirror", f"<h1>The same page</h1>{_links(*targets)}"))


_EXHIBITS = (
    Exhibit("/calendar/2026/03/", "Calendar", "months that link forward and back for ever", _BOUNDED, "trap", calendar, pattern="/calendar/{year:int}/{month:int}/"),
    Exhibit("/session/page0", "Session numbers", "every link carries a new session number, the pages are the same", "a crawler notices the same content under many addresses, and stops at its limits", "trap", session, pattern="/session/{page}"),
    Exhibit("/deep/", "Endless folders", "each folder links to a folder inside it", _BOUNDED, "trap", depth, pattern="/deep/{path:path}"),
    Exhibit("/facets", "Facets", "filters that can be combined without end", _BOUNDED, "trap", facets),
    Exhibit("/soft-404/start", "Pages that are not there", "every address answers 200 with 'not found' and five more links", "a crawler stops at its limits; a reader can see that all are the same", "trap", soft_404, pattern="/soft-404/{path:path}"),
    Exhibit("/mirror/page", "Same page, many spellings", "links that differ in case, slashes, empty queries, tracking and fragments", "a crawler normalises what a browser would, and visits few of them", "trap", mirror, pattern="/mirror/{path:path}"),
)  # fmt: skip

HALL = Hall("Crawler traps", _EXHIBITS)
