"""The application: all routes over one repository. Made by a function; nothing is global."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import Match

from webgeist import __version__
from webgeist.errors import WebgeistError
from webgeist.server import about, nodes, pages, pictures, queries, resources, tables, teachings
from webgeist.server.described import PROBLEM_SCHEMA
from webgeist.server.guard import Guard
from webgeist.server.problems import Problem, ProblemError, problem_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from fastapi import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp

    from webgeist.server.serving import Serving
    from webgeist.server.tokens import TokenFile

_TIDY_SECONDS = 5
_TITLE = "webgeist"
_SUMMARY = "Rendered web pages as data: the releases of a repository."
# The more particular address comes first.
_ROUTERS = (about, pages, queries, nodes, pictures, resources, tables, teachings)


def create_app(serving: Serving, tokens: TokenFile | None = None) -> ASGIApp:
    """The API over what `open_serving` opened; with `tokens`, only for those who have one."""
    api = create_api()
    api.state.serving = serving
    api.state.writable = tokens is not None
    guarded: ASGIApp = Guard(api, serving.settings.api, tokens)
    origins = serving.settings.api.cors.split()
    if not origins:
        return guarded
    return CORSMiddleware(
        guarded,
        allow_origins=origins,
        allow_methods=["GET", "POST", "PUT", "DELETE"],
        allow_headers=["authorization", "content-type", "if-none-match"],
        expose_headers=["etag", "retry-after", "webgeist-release", "webgeist-cut"],
    )


def create_api() -> FastAPI:
    """The routes and their description, without the guard before them."""
    api = FastAPI(
        title=_TITLE,
        summary=_SUMMARY,
        version=__version__,
        openapi_url="/v1/openapi.json",
        docs_url=None,  # its page would load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_tidying,
    )
    for module in _ROUTERS:
        api.include_router(module.router)
    for kind in (WebgeistError, ProblemError, HTTPException, RequestValidationError, Exception):
        api.add_exception_handler(kind, _problem)
    described = api.openapi
    api.openapi = lambda: _corrected(described())  # type: ignore[method-assign]
    return api


@asynccontextmanager
async def _tidying(api: FastAPI) -> AsyncIterator[None]:
    """Lets go of releases that nobody reads, also when no request comes."""

    async def tidy() -> None:
        while True:
            await asyncio.sleep(_TIDY_SECONDS)
            with suppress(WebgeistError):  # a request will say what is wrong
                api.state.serving.shelf.tidy()

    task = asyncio.create_task(tidy())
    yield
    task.cancel()


async def _problem(request: Request, error: Exception) -> Response:
    if isinstance(error, RequestValidationError):
        return _invalid(error).response()
    if isinstance(error, HTTPException):
        return _refused(request, error).response()
    return problem_of(error, f"{request.method} {request.url.path}").response()


def _invalid(error: RequestValidationError) -> Problem:
    """What is wrong with the first parameter that is; one in the path leads nowhere."""
    first = error.errors()[0]
    place, *names = map(str, first["loc"])
    where = " ".join((place, *names))
    status = 404 if place == "path" and first["type"] == "enum" else 400
    return Problem(status, f"{where}: {first['msg']}", where=where)


def _refused(request: Request, error: HTTPException) -> Problem:
    method, path = request.method, request.url.path[:200]
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        allowed = ", ".join(_methods(request)) or (error.headers or {}).get("Allow", "GET")
        detail, remedy = f"{path} knows no {method[:20]}", f"it knows {allowed}"
        return Problem(405, detail, remedy, headers={"allow": allowed})
    return Problem(
        error.status_code,
        f"there is nothing at {path}"
        if error.status_code == HTTPStatus.NOT_FOUND
        else str(error.detail),
        remedy="GET /v1/ says what there is",
        headers=dict(error.headers or {}),
    )


def _methods(request: Request) -> list[str]:
    """What can be done at an address: two routes may have it, one for each method."""
    routes = [route for module in _ROUTERS for route in module.router.routes]
    here = [route for route in routes if route.matches(request.scope)[0] is not Match.NONE]
    return sorted({method for route in here for method in getattr(route, "methods", None) or ()})


def _corrected(description: dict[str, Any]) -> dict[str, Any]:
    """FastAPI describes errors of its own form, which we don't send."""
    components = description.setdefault("components", {}).setdefault("schemas", {})
    for name in ("HTTPValidationError", "ValidationError"):
        components.pop(name, None)
    components["Problem"] = PROBLEM_SCHEMA
    for path in description["paths"].values():
        for operation in path.values():
            given = operation["responses"].get("422", {}).get("content", {})
            if "application/json" in given:
                del operation["responses"]["422"]
    return description
