"""POST /v1/dom.json and the like: design queries. GET /v1/schema.json: what they can ask."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from webgeist.query.ask import Answer, Limits, ask, explain
from webgeist.query.fetch import named
from webgeist.query.schema import schema
from webgeist.query.watch import Stop
from webgeist.repository.release import Release
from webgeist.server.bodies import query_text
from webgeist.server.described import json_answer, problems, rows_answer
from webgeist.server.forms import MEDIA_TYPES, Ending, Form, whole
from webgeist.server.replies import json_reply
from webgeist.server.serving import Held, Serving, Shared
from webgeist.server.streaming import left
from webgeist.settings.models import ApiSettings

router = APIRouter(tags=["queries"])
T = TypeVar("T")

# What a query to an address is about, where it does not say so itself: the paper's names.
SCOPES: dict[str, tuple[str | None, str, dict[str, Any]]] = {
    "pages": ("@page", "Pages that", {"$where": {"status": 200}, "$select": ["url"]}),
    "dom": ("@dom", "DOM nodes that", {"$where": {"name": "canvas"}, "$select": ["page_id"]}),
    "styles": ("@styles", "Styles that", {"$select": [{"$distinct": "color"}]}),
    "blocks": (
        "@visual",
        "Blocks that",
        {"$where": {"aspectRatio": {"$gt": 10}}, "$select": ["page_id"]},
    ),
    "text": ("@text", "Texts that", {"$where": {"words": {"$gt": 50}}, "$select": ["text"]}),
    "links": ("@links", "Links that", {"$select": [{"$distinct": "url"}]}),
    "resources": ("@resources", "Resources that", {"$select": ["url", "sha256"]}),
    "query": (None, "Whatever", {"$from": "@dom", "$count": 1}),
}
_ROW = {"page_id": "01HQTA33G0X1Y5Z7N3QK2M8R4C"}
FormPath = Annotated[Form, Path(description="json, ndjson, csv or arrow.", examples=["json"])]


def _body(example: dict[str, Any]) -> dict[str, Any]:
    """A query as JSON, or in the field `query` of a form."""
    import orjson

    field = {"type": "string", "description": "The query as JSON."}
    form = {"type": "object", "required": ["query"], "properties": {"query": field}}
    return {
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {"schema": {"type": "object"}, "example": example},
                "application/x-www-form-urlencoded": {
                    "schema": form | {"additionalProperties": False},
                    "example": {"query": orjson.dumps(example).decode()},
                },
            },
        }
    }


def _endpoint(scope: str | None) -> Callable[..., Coroutine[Any, Any, Response]]:
    async def ask_release(
        request: Request, release: Held, serving: Shared, form: FormPath
    ) -> Response:
        text = await query_text(request)
        limits = _limits(serving.settings.api)
        answer, fetched = await _run(
            request, serving, lambda stop: _answer(release, text, limits, scope, stop)
        )
        return await serving.quick.run(lambda: _reply(answer, form.value, fetched))

    ask_release.__doc__ = (
        "The body is a query of the design query language, as JSON or in the field `query` of a "
        "form. An answer that a limit cut says so (`cut`, and `reason`: rows or time). A query "
        "with `$fetch` has `fetched`: for each address the SHA-256 of what is stored under it, or "
        "null, and where its bytes are."
    )
    return ask_release


def _answer(
    release: Release, text: str, limits: Limits, scope: str | None, stop: Stop
) -> tuple[Answer, list[dict[str, Any]] | None]:
    """The answer, and what is stored under the addresses that it is to fetch."""
    answer = ask(release, text, limits=limits, scope=scope, stop=stop)
    if answer.fetch is None:
        return answer, None
    return answer, [_resource(url, sha256) for url, sha256 in named(release, answer).items()]


def _resource(url: str, sha256: str | None) -> dict[str, Any]:
    links = {"bytes": f"/v1/resources/{sha256}"} if sha256 else {}
    return {"url": url, "sha256": sha256, "links": links}


def _add_endpoints() -> None:
    for name, (scope, what, example) in SCOPES.items():
        router.add_api_route(
            f"/v1/{name}.{{form}}",
            _endpoint(scope),
            methods=["POST"],
            name=f"query_{name}",
            summary=f"{what} a query describes",
            responses=rows_answer("What the query found.", _ROW, *Form) | problems(408, 415, 422),
            openapi_extra=_body(example),
        )


_add_endpoints()


@router.post(
    "/v1/explain.json",
    summary="What a query would take",
    responses=json_answer(
        "The SQL, its parameters, what is read, and at most how much.",
        {
            "release": 3,
            "sql": "SELECT …",
            "parameters": {},
            "tables": {"nodes": ["capture", "name"]},
            "estimate": {"rows": 25100, "bytes": 40960, "row_groups": 1},
        },
    )
    | problems(408, 415, 422),
    openapi_extra=_body(SCOPES["query"][2]),
)
async def explain_query(request: Request, release: Held, serving: Shared) -> Response:
    """The same query is not run. Rows and bytes are upper bounds."""
    text = await query_text(request)
    limits = _limits(serving.settings.api)
    found = await _run(request, serving, lambda _: explain(release, text, limits=limits))
    sql = found.sql.replace(f"{release.layout.root}/", "")  # where it lies is nobody's business
    facts = {"release": found.release, "sql": sql, "parameters": found.parameters}
    return json_reply(facts | {"tables": found.tables, "estimate": vars(found.estimate)})


@router.get(
    "/v1/schema.json",
    summary="What can be asked",
    responses=json_answer(
        "The scopes of a release, their columns, types, units, and some values.",
        {
            "release": 3,
            "scopes": [
                {
                    "scope": "@dom",
                    "about": "DOM nodes",
                    "columns": [{"name": "name", "type": "text", "examples": ["div"]}],
                }
            ],
        },
    )
    | problems(),
)
async def tell_schema(release: Held, serving: Shared) -> Response:
    """Every scope that queries can name, and what each of its columns means."""
    scopes = await serving.slow.run(lambda: _told(release))
    return json_reply({"release": release.number, "scopes": scopes})


def _told(release: Release) -> list[dict[str, Any]]:
    known = schema(release)
    return release.shared("schema as JSON", lambda: known.to_dict(release))


def _limits(settings: ApiSettings) -> Limits:
    return Limits(settings.query_seconds, settings.query_rows, memory_mb=settings.query_memory_mb)


async def _run(request: Request, serving: Serving, work: Callable[[Stop], T]) -> T:
    """In turn with other queries. It is stopped where the client leaves, and not begun at all where
    that was before its turn.
    """
    stop = Stop()
    gone = asyncio.ensure_future(left(request.receive))
    gone.add_done_callback(lambda _: stop.stop())
    try:
        return await serving.slow.run(lambda: work(stop), wanted=lambda: not stop.stopped)
    finally:
        gone.cancel()


def _reply(answer: Answer, form: str, fetched: list[dict[str, Any]] | None) -> Response:
    ending = Ending(
        answer.release,
        len(answer),
        cut=answer.cut is not None,
        reason=answer.cut,
        seconds=round(answer.seconds, 6),
        fetched=fetched,
    )
    headers = {
        "content-type": MEDIA_TYPES[form],
        "webgeist-release": str(answer.release),
        "webgeist-cut": answer.cut or "no",
    }
    return Response(whole(answer.table, form, ending), headers=headers)
