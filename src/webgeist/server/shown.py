"""The second origin: captured HTML where it has no rights and reaches nothing but the archive.

An application of its own, on a port of its own. Its addresses begin with a key that the API gives
out (`webgeist.server.keys`); nothing of the API is here, so a page that broke out would find only
itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from webgeist.errors import NotFoundError, WebgeistError
from webgeist.repository.archive import ArchiveReader, RecordPlace
from webgeist.server.guard import Guard
from webgeist.server.problems import Problem, ProblemError, problem_of
from webgeist.server.replica import Replica, rewritten
from webgeist.server.resources import safe_type

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp

    from webgeist.repository.release import Release
    from webgeist.server.keys import PageKey
    from webgeist.server.serving import Serving

_MOST_BYTES = 50_000_000  # of one picture, font or style sheet, unpacked
_OK = 200
_SHOWN_TYPES = frozenset({"image/svg+xml", "text/css"})  # beside those that are safe anywhere
# No script runs, no form is sent, nothing is opened, and what is loaded comes from here.
POLICY = (
    "sandbox; default-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "font-src 'self' data:; media-src 'self'; form-action 'none'; base-uri 'none'"
)
_HEADERS = {
    "content-security-policy": POLICY,
    "cross-origin-resource-policy": "cross-origin",  # a sandboxed page has an origin of its own
    "access-control-allow-origin": "*",  # fonts are asked for across origins, by that page
    "cache-control": "private, max-age=3600",
}


def create_shown(serving: Serving) -> ASGIApp:
    """Shows pages of what `open_serving` opened, to whoever has a key."""
    app = Starlette(
        routes=[Route("/{key}/", _page), Route("/{key}/{exchange:int}", _resource)],
        exception_handlers=dict.fromkeys(
            (WebgeistError, ProblemError, HTTPException, Exception), _problem
        ),
    )
    app.router.redirect_slashes = False
    app.state.serving = serving
    settings = serving.settings.api.model_copy(update={"cors": "null"})
    return Guard(app, settings, None, any_host=True)


async def _problem(request: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException):
        return Problem(error.status_code, "only pages that the API leads to are here").response()
    return problem_of(error, f"{request.method} {request.url.path}").response()


async def _page(request: Request) -> Response:
    serving: Serving = request.app.state.serving
    key = serving.keys.read(request.path_params["key"])
    async with serving.shelf.holding(key.release) as release:
        html = await serving.slow.run(lambda: _html(release, key))
    return Response(html, headers=_HEADERS | {"content-type": "text/html; charset=utf-8"})


def _html(release: Release, key: PageKey) -> bytes:
    page = release.page(key.capture)
    if page is None:
        raise NotFoundError(f"capture {key.capture} has no page")
    places = {row["url"]: row["exchange"] for row in _answered(release, key.capture)}

    def find(url: str) -> str | None:
        return str(places[url]) if url in places else None

    return Replica(page, find).html().encode("utf-8", "replace")


def _answered(release: Release, capture: str) -> list[dict[str, Any]]:
    """What the capture asked for and got; the last answer of each address comes last."""
    rows = release.rows("resources", capture)
    wanted = ["exchange", "url", "method", "status", "answer"]
    found = rows.select(wanted).to_pylist() if rows.num_rows else []
    return [
        row for row in found if row["method"] == "GET" and row["status"] == _OK and row["answer"]
    ]


async def _resource(request: Request) -> Response:
    serving: Serving = request.app.state.serving
    key = serving.keys.read(request.path_params["key"])
    number: int = request.path_params["exchange"]
    async with serving.shelf.holding(key.release) as release:
        return await serving.slow.run(
            lambda: _answer(release, key, number, ArchiveReader(serving.repository.layout.archive))
        )


def _answer(release: Release, key: PageKey, number: int, archive: ArchiveReader) -> Response:
    rows = _answered(release, key.capture)
    found = next((row for row in rows if row["exchange"] == number), None)
    if found is None:
        raise NotFoundError(f"capture {key.capture} got no answer {number}")
    answer = archive.answer(RecordPlace(**found["answer"]))
    said = {name.lower(): value.decode("latin-1") for name, value in answer.headers}
    kind = said.get(b"content-type", "").partition(";")[0].strip().lower()
    media_type = kind if kind in _SHOWN_TYPES else safe_type(kind)
    body, coding = answer.unpacked(_MOST_BYTES)
    if media_type == "text/css" and not coding:
        places = {row["url"]: str(row["exchange"]) for row in rows}
        body = rewritten(body.decode("utf-8", "replace"), found["url"], places.get).encode()
    headers = _HEADERS | {"content-type": media_type}
    return Response(body, headers=headers | ({"content-encoding": coding} if coding else {}))
